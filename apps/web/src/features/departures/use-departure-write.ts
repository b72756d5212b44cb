import type { Callable, In, Out } from '@tour-ops/contract/callable'
import type { AppError } from '@tour-ops/contract/errors'
import { type CallMutation, useCall } from '../../backend/queries.ts'

/** A write on a departure. */
export function useDepartureWrite<C extends Callable>(
  callable: C,
  onSuccess?: (output: Out<C>, input: In<C>) => void,
  onError?: (error: AppError) => void,
): CallMutation<C> {
  return useCall(callable, { onSuccess, onError })
}
