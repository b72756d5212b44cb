import { exportFeedback, type FeedbackRow, followUpStates, listFeedback } from '@tour-ops/contract/reports/feedback'
import { Star, TriangleAlert } from 'lucide-react'
import { useListScreen } from '../../app/use-list-screen.tsx'
import { m } from '../../paraglide/messages.js'
import { BookingLink } from '../../records/booking-link.tsx'
import { DepartureLink } from '../../records/departure-link.tsx'
import { FollowUpActions } from '../../records/feedback-follow-up.tsx'
import { followUpLabels, followUpText } from '../../records/feedback-labels.ts'
import { Stars } from '../../records/stars.tsx'
import { Chip } from '../../ui/chip.tsx'
import { Empty } from '../../ui/empty.tsx'
import { formatDayTime, formatNumber } from '../../ui/format.ts'
import { Ltr } from '../../ui/ltr.tsx'
import { Page } from '../../ui/page.tsx'
import { DataTable } from '../../ui/table/data-table.tsx'
import type { DataColumn, SavedView, TableFilter } from '../../ui/table/table-types.ts'
import { ViewerZoneNote } from '../../ui/zone-note.tsx'

type FollowUpState = (typeof followUpStates)[number]

const filters = (): TableFilter[] => [
  {
    id: 'followUp',
    label: m.reports_follow_up(),
    kind: 'choice',
    options: followUpStates.map((value) => ({ value, label: followUpLabels[value]() })),
  },
]

const views = (): SavedView[] => [
  { id: 'all', name: m.monitoring_view_all(), state: {} },
  ...followUpStates.map((state: FollowUpState) => ({
    id: state,
    name: followUpLabels[state](),
    state: { filters: { followUp: [state] } },
  })),
]

const Who = ({ row: { bookingId, contactName } }: { row: FeedbackRow }) =>
  bookingId === null ? (
    <span className="text-ink-2">{m.reports_feedback_unknown()}</span>
  ) : (
    <BookingLink id={bookingId} className="link">
      <bdi>{contactName}</bdi>
    </BookingLink>
  )

/** What has become of a poor rating; tinted while nobody has it. */
function FollowUp({ row: { followUp } }: { row: FeedbackRow }) {
  if (followUp === null) return null
  if (followUp.state === 'open') {
    return (
      <span>
        <Chip tone="warn" icon={TriangleAlert}>
          {followUpLabels.open()}
        </Chip>
      </span>
    )
  }
  return (
    <span className="block leading-4 break-words whitespace-normal" data-whole>
      <bdi>{followUpText(followUp)}</bdi>
    </span>
  )
}

const Actions = ({ row: { id, followUp } }: { row: FeedbackRow }) =>
  followUp && (
    <span className="flex flex-wrap gap-1">
      <FollowUpActions id={id} version={followUp.version} state={followUp.state} />
    </span>
  )

const columns = (): DataColumn<FeedbackRow>[] => [
  {
    id: 'at',
    header: m.reports_feedback_at(),
    width: 146,
    pinned: true,
    sortable: true,
    cell: (row) => <Ltr className="text-ink-strong">{formatDayTime(row.at)}</Ltr>,
  },
  { id: 'contact', header: m.reports_feedback_party(), width: 130, cell: (row) => <Who row={row} /> },
  {
    id: 'tour',
    header: m.monitoring_departure(),
    width: 150,
    cell: (row) => (
      <DepartureLink id={row.departureId} className="link">
        {row.tourName}
      </DepartureLink>
    ),
  },
  {
    id: 'tourRating',
    header: m.reports_feedback_tour(),
    width: 116,
    sortable: true,
    cell: (row) => row.tourRating !== null && <Stars rating={row.tourRating} />,
  },
  {
    id: 'guideRating',
    header: m.reports_feedback_leader(),
    width: 150,
    initiallyHidden: true,
    cell: (row) =>
      row.guideRating !== null &&
      row.guideName !== null && (
        <span className="block leading-4 whitespace-normal" data-whole>
          {m.reports_feedback_guide({ name: row.guideName, rating: formatNumber(row.guideRating) })}
        </span>
      ),
  },
  {
    id: 'comment',
    header: m.reports_feedback_words(),
    width: 210,
    grow: true,
    alwaysShown: true,
    cell: (row) => (
      <bdi className="line-clamp-4 leading-4 break-words whitespace-pre-line" title={row.comment ?? undefined}>
        {row.comment}
      </bdi>
    ),
  },
  { id: 'followUp', header: m.reports_follow_up(), width: 180, cell: (row) => <FollowUp row={row} /> },
  { id: 'actions', header: m.reports_follow_up_actions(), width: 174, cell: (row) => <Actions row={row} /> },
]

/** Everything that guests said of their tours, and what became of poor ratings. */
export function FeedbackPage() {
  const screen = useListScreen({
    screen: 'feedback',
    list: listFeedback,
    exportAs: exportFeedback,
    views: views(),
  })
  const average = screen.answer?.average
  return (
    <Page
      title={m.app_title_report_feedback()}
      context={
        average && average.tourRating !== null
          ? m.reports_feedback_average({
              rating: formatNumber(Math.round(average.tourRating * 10) / 10),
              count: average.answers,
            })
          : undefined
      }
      fill
    >
      <DataTable
        {...screen.table}
        selection={undefined}
        onSelectionChange={undefined}
        label={m.app_title_report_feedback()}
        columns={columns()}
        rowKey={(row: FeedbackRow) => row.id}
        rowLabel={(row: FeedbackRow) => row.contactName ?? m.reports_feedback_unknown()}
        searchPlaceholder={m.reports_feedback_search()}
        filters={filters()}
        renderCard={(row: FeedbackRow) => <FeedbackCard row={row} />}
        countLabel={(count) => m.reports_feedback_count({ count })}
        footerNote={<ViewerZoneNote />}
        empty={
          <Empty title={m.reports_feedback_none()} icon={Star}>
            {m.reports_feedback_none_text()}
          </Empty>
        }
      />
    </Page>
  )
}

const FeedbackCard = ({ row }: { row: FeedbackRow }) => (
  <span className="grid grid-cols-1 gap-1">
    <span className="flex flex-wrap items-center justify-between gap-2">
      <Who row={row} />
      {row.tourRating !== null && <Stars rating={row.tourRating} />}
    </span>
    <span className="text-xs text-ink-2">{[row.tourName, formatDayTime(row.at)].join(' · ')}</span>
    {row.comment !== null && <bdi className="line-clamp-4 break-words whitespace-pre-line">{row.comment}</bdi>}
    <FollowUp row={row} />
    <Actions row={row} />
  </span>
)
