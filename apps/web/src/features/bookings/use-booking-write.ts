import type { Callable, In, Out } from '@tour-ops/contract/callable'
import { AppError } from '@tour-ops/contract/errors'
import { useCall } from '../../backend/queries.ts'
import { m } from '../../paraglide/messages.js'
import { refusalWords } from '../../errors/refusal-words.ts'

/** A write on a booking. */
export const useBookingWrite = <C extends Callable>(callable: C, onSuccess?: (output: Out<C>, input: In<C>) => void) =>
  useCall(callable, { ...(onSuccess && { onSuccess }) })

/** A refusal in the reader's words; seats and clashes are said with their numbers, the rest as everywhere. */
export function bookingRefusal(error: unknown): string {
  const refused = AppError.from(error)
  const { reason, seatsLeft, asked } = refused.details
  if (reason === 'hold_expired') return m.bookings_hold_expired()
  if (reason === 'seats_exhausted' && typeof seatsLeft === 'number' && typeof asked === 'number') {
    return m.bookings_seats_short({ left: seatsLeft, asked })
  }
  return refusalWords(error)
}
