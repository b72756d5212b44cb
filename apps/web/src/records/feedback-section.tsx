import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { type FeedbackRow, listFeedback } from '@tour-ops/contract/reports/feedback'
import type { ReactNode } from 'react'
import { callQuery } from '../backend/queries.ts'
import { m } from '../paraglide/messages.js'
import { formatDayTime, formatNumber } from '../ui/format.ts'
import { BookingLink } from './booking-link.tsx'
import { FollowUpActions } from './feedback-follow-up.tsx'
import { followUpText } from './feedback-labels.ts'
import { Stars } from './stars.tsx'

interface FeedbackSectionProps {
  /** Of one record. */
  of: { departureId: string } | { bookingId: string } | { staffId: string } | { travelerId: string }
  /** Shown while nobody has said anything; nothing by default. */
  empty?: ReactNode
}

/** How many are shown: the newest. */
const shown = 20

/** What guests said of a departure, of their booking or of who led them, or what the parties of one guest said. */
export function FeedbackSection({ of, empty = null }: FeedbackSectionProps) {
  const filters = Object.fromEntries(Object.entries(of).map(([name, id]) => [name, [id]]))
  const { data } = useQuery(callQuery(listFeedback, { filters, size: shown }))
  if (!data) return null
  if (data.rows.length === 0) return empty
  const { tourRating, answers } = data.average
  const isOne = 'bookingId' in of
  return (
    <section aria-labelledby="feedback" className="border-t border-line pb-3">
      <div className="flex flex-wrap items-baseline gap-x-3 px-4 pt-4 pb-1 lg:px-6">
        <h3 id="feedback" className="me-auto text-base font-semibold">
          {m.reports_feedback()}
        </h3>
        {!isOne && tourRating !== null && (
          <span className="num text-ink-2">
            {m.reports_feedback_average({
              rating: formatNumber(Math.round(tourRating * 10) / 10),
              count: answers,
            })}
          </span>
        )}
      </div>
      <ul>
        {data.rows.map((row) => (
          <li key={row.id} className="px-4 py-2 lg:px-6">
            <div className="flex flex-wrap items-center gap-x-3">
              {row.tourRating !== null && <Stars rating={row.tourRating} />}
              {!isOne && <Who row={row} />}
              {'travelerId' in of && <Tour row={row} />}
              <span className="ms-auto text-ink-2">{formatDayTime(row.at)}</span>
            </div>
            {row.comment !== null && (
              <p className="mt-1 break-words whitespace-pre-line text-ink-strong">
                <bdi>{row.comment}</bdi>
              </p>
            )}
            <p className="text-xs text-ink-2">{furtherOf(row).join(' · ')}</p>
            {row.followUp && (
              <div className="mt-1 flex flex-wrap items-center gap-2">
                <bdi className="break-words">{followUpText(row.followUp)}</bdi>
                <FollowUpActions id={row.id} version={row.followUp.version} state={row.followUp.state} />
              </div>
            )}
          </li>
        ))}
      </ul>
    </section>
  )
}

const Who = ({ row: { bookingId, contactName } }: { row: FeedbackRow }) =>
  bookingId === null ? (
    <span className="text-ink-2">{m.reports_feedback_unknown()}</span>
  ) : (
    <BookingLink id={bookingId} className="font-medium text-ink-strong hover:underline">
      <bdi>{contactName}</bdi>
    </BookingLink>
  )

const Tour = ({ row: { departureId, tourName } }: { row: FeedbackRow }) => (
  <Link to="." search={(before) => ({ ...before, departure: departureId })} className="link">
    {tourName}
  </Link>
)

function furtherOf({ guideRating, guideName, nps }: FeedbackRow): string[] {
  return [
    ...(guideRating !== null && guideName !== null
      ? [m.reports_feedback_guide({ name: guideName, rating: formatNumber(guideRating) })]
      : []),
    ...(nps === null ? [] : [m.reports_feedback_recommends({ points: formatNumber(nps) })]),
  ]
}
