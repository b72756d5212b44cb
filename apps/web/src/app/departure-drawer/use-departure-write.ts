import { listBookings } from '@tour-ops/contract/bookings'
import type { Callable, In, Out } from '@tour-ops/contract/callable'
import { departureHistory, getDeparture, listDepartures } from '@tour-ops/contract/departures'
import { AppError } from '@tour-ops/contract/errors'
import { getManifest } from '@tour-ops/contract/manifest'
import { getOverview } from '@tour-ops/contract/overview'
import { type CallMutation, useCall } from '../../backend/queries.ts'
import { m } from '../../paraglide/messages.js'

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

/** A refusal in the reader's words: who was faster is said the same everywhere, the rest is the server's sentence. */
export function refusalWords(error: unknown): string {
  const refused = AppError.from(error)
  if (refused.details.reason === 'version_conflict') return m.departures_changed_meanwhile()
  const [field] = Object.values(refused.details.fieldErrors ?? {})
  return field?.[0] ?? refused.message
}
