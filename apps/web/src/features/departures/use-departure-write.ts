import { listBookings } from '@tour-ops/contract/bookings/bookings'
import type { Callable, In, Out } from '@tour-ops/contract/callable'
import { departureHistory, getDeparture, listDepartures } from '@tour-ops/contract/departures/departures'
import type { AppError } from '@tour-ops/contract/errors'
import { getManifest } from '@tour-ops/contract/bookings/manifest'
import { getOverview } from '@tour-ops/contract/overview/overview'
import { type CallMutation, useCall } from '../../backend/queries.ts'

/** Answers that nearly every write on a departure makes stale. */
export const staleAfterWrite = [getDeparture, getManifest, listDepartures, listBookings, getOverview, departureHistory]

/** A write on a departure; what is on screen is read again afterwards. */
export function useDepartureWrite<C extends Callable>(
  callable: C,
  onSuccess?: (output: Out<C>, input: In<C>) => void,
  onError?: (error: AppError) => void,
): CallMutation<C> {
  return useCall(callable, { invalidates: staleAfterWrite, onSuccess, onError })
}
