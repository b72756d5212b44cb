import type { Booking } from '@tour-ops/contract/bookings/bookings'
import { BillingSection } from './billing-section.tsx'
import { PaymentsSection } from './payments-section.tsx'

/** What was paid for a booking and what it was billed: one file, since the drawer shows both at once. */
export function BookingMoney({ booking }: { booking: Booking }) {
  return (
    <>
      <PaymentsSection booking={booking} />
      <BillingSection booking={booking} />
    </>
  )
}
