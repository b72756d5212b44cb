import type { Booking } from '@tour-ops/contract/bookings/bookings'
import { m } from '../../paraglide/messages.js'
import { formatMoment } from '../../ui/format.ts'
import { toast } from '../../ui/toast.tsx'

/** Says what became of a booking. */
export function bookedToast(booking: Booking): void {
  const { bookingRef: ref, pax, status, expiresAt, timeZone, waitlistRank } = booking
  if (status === 'waitlisted') toast(m.bookings_waiting_toast({ ref, rank: waitlistRank ?? 1 }))
  else if (status === 'on_hold' && expiresAt) {
    toast(m.bookings_new_held({ ref, count: pax, time: formatMoment(expiresAt, timeZone) }))
  } else toast(m.bookings_new_confirmed({ ref, count: pax }))
}
