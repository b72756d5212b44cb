import type { BookingRow } from '@tour-ops/contract/bookings/bookings'
import { Check, CircleX, Clock, Flag, Hourglass } from 'lucide-react'
import { m } from '../../paraglide/messages.js'
import { Calm, Chip } from '../../ui/chip.tsx'
import { formatMoment } from '../../ui/format.ts'
import { Ltr } from '../../ui/ltr.tsx'
import { bookingStatusLabel } from './booking-labels.ts'

export interface BookingStatusProps {
  booking: Pick<BookingRow, 'status' | 'departureStatus' | 'expiresAt' | 'waitlistRank' | 'timeZone'>
}

/** The departure is cancelled, and the party is neither moved nor cancelled. */
export const isStranded = (booking: Pick<BookingRow, 'status' | 'departureStatus'>): boolean =>
  booking.departureStatus === 'cancelled' && (booking.status === 'confirmed' || booking.status === 'requested')

/** Statuses in which names, contact and pickup still matter. */
const living: readonly BookingRow['status'][] = ['on_hold', 'requested', 'waitlisted', 'confirmed', 'expired']

/** Whether a booking may still be changed. */
export const isLiving = (status: BookingRow['status']): boolean => living.includes(status)

/** The status of a booking: tinted when it waits for somebody, neutral otherwise. */
export function BookingStatus({ booking }: BookingStatusProps) {
  const word = bookingStatusLabel(booking.status)
  if (isStranded(booking)) {
    return (
      <Chip tone="bad" icon={CircleX}>
        {m.bookings_departure_cancelled()}
      </Chip>
    )
  }
  switch (booking.status) {
    case 'on_hold':
      return (
        <Chip tone="warn" icon={Clock}>
          {booking.expiresAt
            ? m.bookings_hold_until({ time: formatMoment(booking.expiresAt, booking.timeZone) })
            : word}
        </Chip>
      )
    case 'waitlisted':
      return (
        <Chip tone="info" icon={Hourglass}>
          {word} {booking.waitlistRank !== null && <Ltr>{booking.waitlistRank}</Ltr>}
        </Chip>
      )
    case 'requested':
      return (
        <Chip tone="info" icon={Clock}>
          {word}
        </Chip>
      )
    case 'expired':
      return (
        <Chip tone="warn" icon={Clock}>
          {word}
        </Chip>
      )
    case 'confirmed':
      return (
        <Calm tone="ok" icon={Check}>
          {word}
        </Calm>
      )
    case 'completed':
      return <Calm icon={Flag}>{word}</Calm>
    case 'cancelled':
    case 'rejected':
      return <Calm icon={CircleX}>{word}</Calm>
  }
}
