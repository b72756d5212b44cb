import type { Traveler } from '@tour-ops/contract/travelers/travelers'
import { m } from '../../paraglide/messages.js'
import { Card } from '../../ui/card.tsx'
import { formatDay } from '../../ui/format.ts'
import { BookingMessages } from '../bookings/index.ts'

/** Older trips have their messages on their booking. */
const maxTrips = 20

/** What was written to the parties of somebody's trips, trip by trip; those with nothing are left out. */
export function TravelerMessages({ trips }: Pick<Traveler, 'trips'>) {
  const parties = [...new Map(trips.map((trip) => [trip.bookingId, trip])).values()].slice(0, maxTrips)
  return (
    <>
      <Card className="peer *:first:border-t-0 empty:hidden">
        {parties.map(({ bookingId, tourName, startsAt, timeZone }) => (
          <BookingMessages key={bookingId} id={bookingId} title={`${tourName}, ${formatDay(startsAt, timeZone)}`} />
        ))}
      </Card>
      <p className="hidden text-ink-2 peer-empty:block">{m.travelers_messages_none()}</p>
    </>
  )
}
