import { useQueries } from '@tanstack/react-query'
import { listBookingMessages } from '@tour-ops/contract/notifications/guest-rules'
import type { Traveler } from '@tour-ops/contract/travelers/travelers'
import { callQuery } from '../../backend/queries.ts'
import { refusalText } from '../../errors/refusal-text.ts'
import { m } from '../../paraglide/messages.js'
import { Card } from '../../ui/card.tsx'
import { ErrorPanel } from '../../ui/error-panel.tsx'
import { formatDay } from '../../ui/format.ts'
import { SkeletonRows } from '../../ui/skeleton.tsx'
import { BookingMessages } from '../bookings/index.ts'

/** What was written about older trips is on their bookings. */
const maxTrips = 20

/** What was written to the parties of somebody's trips, trip by trip; those about which nothing was written are left out. */
export function TravelerMessages({ trips }: Pick<Traveler, 'trips'>) {
  const parties = [...new Map(trips.map((trip) => [trip.bookingId, trip])).values()].slice(0, maxTrips)
  const queries = useQueries({
    queries: parties.map(({ bookingId }) => callQuery(listBookingMessages, { id: bookingId })),
  })
  const failed = queries.find(({ error }) => error !== null)
  if (failed?.error) {
    const { error, refetch } = failed
    return (
      <ErrorPanel message={refusalText(error)} requestId={error.details.requestId} onRetry={() => void refetch()} />
    )
  }
  if (queries.some(({ data }) => data === undefined)) return <SkeletonRows rows={4} />
  const written = parties.filter((_, at) => (queries[at]?.data?.messages.length ?? 0) > 0)
  if (written.length === 0) return <p className="text-ink-2">{m.travelers_messages_none()}</p>
  return (
    <Card className="*:first:border-t-0">
      {written.map(({ bookingId, tourName, startsAt, timeZone }) => (
        <BookingMessages key={bookingId} id={bookingId} title={`${tourName}, ${formatDay(startsAt, timeZone)}`} />
      ))}
    </Card>
  )
}
