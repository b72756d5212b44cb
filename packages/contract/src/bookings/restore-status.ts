import { callable } from '../callable.ts'
import { Id, Version, write } from '../fields.ts'
import { Booking, takeBackMinutes, writtenWithMoney } from './bookings.ts'

export const restoreStatus = callable({
  name: 'bookings-restore-status',
  kind: 'write',
  permission: 'bookings:manage',
  summary: `Undoes that a booking was confirmed, rejected, offered seats from the waitlist or held longer, for ${takeBackMinutes} minutes and while nothing followed. What was paid stays paid. A confirmation that has not left is not sent; who has read one reads that the booking is cancelled.`,
  input: write({ id: Id, version: Version }),
  output: Booking,
  writes: writtenWithMoney,
})
