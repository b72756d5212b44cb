import type { Callable, In, Out } from '@tour-ops/contract/callable'
import { useCall } from '../../backend/queries.ts'

/** A write on a booking. */
export const useBookingWrite = <C extends Callable>(callable: C, onSuccess?: (output: Out<C>, input: In<C>) => void) =>
  useCall(callable, { ...(onSuccess && { onSuccess }) })
