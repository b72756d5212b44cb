import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { listDepartures } from '@tour-ops/contract/departures/departures'
import type { Tour } from '@tour-ops/contract/tours/tours'
import { CalendarPlus } from 'lucide-react'
import { lazy, Suspense, useState } from 'react'
import { DepartureLink } from '../../../records/departure-link.tsx'
import { DepartureStatus } from '../../../records/departure-status.tsx'
import { useNow } from '../../../ui/clock.ts'
import { callQuery } from '../../../backend/queries.ts'
import { useAccess } from '../../../identity/access.ts'
import { m } from '../../../paraglide/messages.js'
import { Button, buttonClass } from '../../../ui/button.tsx'
import { Card } from '../../../ui/card.tsx'
import { Empty } from '../../../ui/empty.tsx'
import { formatLocalDay, formatLocalTime } from '../../../ui/format.ts'
import { LoadBar } from '../../../ui/load-bar.tsx'
import { Ltr } from '../../../ui/ltr.tsx'
import { ZoneNote } from '../../../ui/zone-note.tsx'
import { SkeletonRows } from '../../../ui/skeleton.tsx'
import { useToday } from '../../../app/shell/today.ts'

const ScheduleDialog = lazy(async () => ({ default: (await import('../schedule/schedule-dialog.tsx')).ScheduleDialog }))

/** Departures shown here; the rest is in the list of all departures. */
const shownRows = 20

/** The next departures of a tour, and the way to more. */
export function DeparturesTab({ tour }: { tour: Tour }) {
  const { can } = useAccess()
  const today = useToday()
  const now = useNow(30_000)
  const [isScheduling, setScheduling] = useState(false)
  const { data } = useQuery({
    ...callQuery(listDepartures, { filters: { tourId: [tour.id], from: today }, size: shownRows }),
    placeholderData: keepPreviousData,
  })
  const maySchedule = can('departures:manage') && tour.status === 'published'
  // In the head where there are departures, next to the sentence that asks for it where there are none.
  const schedule = maySchedule ? (
    <Button icon={CalendarPlus} onClick={() => setScheduling(true)}>
      {m.tours_schedule_departures()}
    </Button>
  ) : undefined
  return (
    <Card
      title={m.tours_next_departures()}
      context={data && m.tours_departure_count({ count: data.total })}
      actions={
        <>
          <Link
            to="/tours/all"
            search={{ show: 'departures', 'f.tourId': tour.id }}
            className={buttonClass({ variant: 'ghost' })}
          >
            {m.tours_all_departures()}
          </Link>
          {data && data.rows.length > 0 && schedule}
        </>
      }
    >
      {!data ? (
        <SkeletonRows rows={6} />
      ) : data.rows.length === 0 ? (
        <Empty title={m.tours_departures_none()} actions={schedule}>
          {tour.status === 'published' ? m.tours_departures_none_text() : m.tours_publish_before()}
        </Empty>
      ) : (
        <ul>
          {data.rows.map((row) => (
            <li key={row.id} className="border-t border-line">
              <DepartureLink
                id={row.id}
                className="flex min-h-11 flex-wrap items-center gap-x-4 gap-y-1 px-4 py-2 outline-offset-[-2px] hover:bg-surface-2"
              >
                <span className="min-w-32">
                  <Ltr>
                    <b className="font-semibold text-ink-strong">{formatLocalTime(row.startTimeLocal)}</b>{' '}
                    <span className="text-ink-2">{formatLocalDay(row.localDate)}</span>
                  </Ltr>{' '}
                  <ZoneNote moment={row.startsAt} zone={row.timeZone} />
                </span>
                <span className="w-36">
                  <DepartureStatus departure={row} now={now} />
                </span>
                <LoadBar value={row.seatsConfirmed} capacity={row.capacity} />
                <span className="min-w-0 flex-1 truncate">
                  {row.leadGuide?.name ?? <span className="font-medium text-gap">{m.tours_no_guide()}</span>}
                </span>
              </DepartureLink>
            </li>
          ))}
        </ul>
      )}
      {isScheduling && (
        <Suspense>
          <ScheduleDialog tourId={tour.id} onClose={() => setScheduling(false)} />
        </Suspense>
      )}
    </Card>
  )
}
