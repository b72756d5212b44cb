import { useQueries } from '@tanstack/react-query'
import { getDeparture } from '@tour-ops/contract/departures/departures'
import { channelKinds, listOutbox, retryDelivery, type OutboxRow } from '@tour-ops/contract/notifications/notifications'
import { stopGuestMessage } from '@tour-ops/contract/notifications/guest-messages'
import { statusesOf } from '@tour-ops/contract/state-machines'
import { RotateCw, Undo2 } from 'lucide-react'
import type { ReactNode } from 'react'
import { useUrlState } from '../../addresses/url-state.ts'
import { useListScreen } from '../../app/use-list-screen.tsx'
import { refusalText } from '../../errors/refusal-text.ts'
import { callQuery, useCall } from '../../backend/queries.ts'
import { useAccess } from '../../identity/access.ts'
import { m } from '../../paraglide/messages.js'
import { Banner } from '../../ui/banner.tsx'
import { Button } from '../../ui/button.tsx'
import { Definition, DefinitionList } from '../../ui/definition-list.tsx'
import { Drawer } from '../../ui/drawer.tsx'
import { Empty } from '../../ui/empty.tsx'
import type { SelectOption } from '../../ui/field.tsx'
import { formatDayTime, formatList, formatTime } from '../../ui/format.ts'
import { ViewerZoneNote } from '../../ui/zone-note.tsx'
import { Ltr } from '../../ui/ltr.tsx'
import { Page } from '../../ui/page.tsx'
import { DataTable } from '../../ui/table/data-table.tsx'
import type { DataColumn, SavedView, TableFilter } from '../../ui/table/table-types.ts'
import { toast } from '../../ui/toast.tsx'
import { LinkedText } from '../../records/linked-text.tsx'
import { OutboxPace } from './outbox-pace.tsx'
import {
  channelLabel,
  DeliveryStatus,
  deliveryStatusLabel,
  kindLabel,
  sourceLabel,
  suppressedLabel,
} from './outbox-labels.tsx'

const views = (failed: number | undefined, queued: number | undefined): SavedView[] => [
  { id: 'all', name: m.notifications_outbox_view_all(), state: {} },
  {
    id: 'failed',
    name: m.notifications_outbox_view_failed(),
    count: failed,
    state: { filters: { status: ['failed'] } },
  },
  {
    id: 'queued',
    name: m.notifications_outbox_view_queued(),
    count: queued,
    state: { filters: { status: ['queued'] } },
  },
]

/** Of one departure only where a link says so: its code is then next to the other filters. */
const filters = (departures: readonly SelectOption[]): TableFilter[] => [
  ...(departures.length > 0
    ? [{ id: 'departureId', label: m.notifications_outbox_departure(), kind: 'choice' as const, options: departures }]
    : []),
  {
    id: 'status',
    label: m.notifications_outbox_status(),
    kind: 'choice',
    options: statusesOf('deliveries').map((status) => ({ value: status, label: deliveryStatusLabel(status) })),
  },
  {
    id: 'channel',
    label: m.notifications_outbox_channel(),
    kind: 'choice',
    options: channelKinds.map((channel) => ({ value: channel, label: channelLabel(channel) })),
  },
  {
    id: 'source',
    label: m.notifications_outbox_source(),
    kind: 'choice',
    options: (['organization', 'identity'] as const).map((source) => ({ value: source, label: sourceLabel(source) })),
  },
]

const columns = (): DataColumn<OutboxRow>[] => [
  {
    id: 'createdAt',
    header: m.notifications_outbox_when(),
    width: 150,
    sortable: true,
    cell: ({ createdAt }) => <Ltr className="text-ink-2">{formatDayTime(createdAt)}</Ltr>,
  },
  {
    id: 'status',
    header: m.notifications_outbox_status(),
    width: 190,
    sortable: true,
    cell: (row) => <DeliveryStatus row={row} />,
  },
  {
    id: 'to',
    header: m.notifications_outbox_to(),
    width: 220,
    sortable: true,
    alwaysShown: true,
    cell: ({ to }) => <Ltr className="font-medium text-ink-strong">{to}</Ltr>,
  },
  {
    id: 'subject',
    header: m.notifications_outbox_subject(),
    width: 260,
    grow: true,
    cell: (row) => <bdi>{subjectOf(row)}</bdi>,
  },
  {
    id: 'kind',
    header: m.notifications_outbox_kind(),
    width: 170,
    sortable: true,
    cell: ({ kind }) => <span className="text-ink-2">{kindLabel(kind)}</span>,
  },
  {
    id: 'channel',
    header: m.notifications_outbox_channel(),
    width: 100,
    cell: ({ channel }) => <span className="text-ink-2">{channelLabel(channel)}</span>,
  },
  {
    id: 'error',
    header: m.notifications_outbox_error(),
    width: 220,
    initiallyHidden: true,
    cell: ({ error }) => <span className="text-bad">{error}</span>,
  },
]

const subjectOf = ({ subject, body, kind }: OutboxRow): string => subject ?? body?.split('\n')[0] ?? kindLabel(kind)

/** "What did we send, and did it arrive?" The log of everything that left, or would have. See docs/screens.md, "Notifications". @param tabs What else the page shows. */
export function Outbox({ tabs }: { tabs: ReactNode }) {
  const [{ email }, setUrl] = useUrlState('/_dashboard/tools/notifications')
  const { table, answer } = useListScreen({ screen: 'outbox', list: listOutbox, defaults: { view: 'all' } })
  const figures = answer?.figures
  const departures = useAskedDepartures(table.state.filters['departureId'] ?? [])
  const rows = table.rows ?? []
  const open = rows.find(({ id }) => id === email)
  const step = (by: 1 | -1) => {
    const next = rows[rows.findIndex(({ id }) => id === email) + by]
    if (next) setUrl({ email: next.id })
  }
  return (
    <Page
      fill
      title={m.app_title_notifications()}
      context={
        <span className="flex flex-wrap items-center gap-x-4 gap-y-1">
          {tabs}
          {figures && m.notifications_outbox_context({ sent: figures.sent24h, failed: figures.failed })}
          <OutboxPace />
          {figures && figures.optedOut > 0 && m.notifications_outbox_opted_out({ count: figures.optedOut })}
        </span>
      }
    >
      {answer?.delivery === 'outbox' && (
        <div className="mb-3">
          <Banner tone="info">{m.notifications_outbox_no_mail_server()}</Banner>
        </div>
      )}
      {answer?.outages.map(({ channel, error, waiting }) => (
        <div key={channel} className="mb-3">
          <Banner
            tone="warn"
            role="status"
            title={
              channel === 'email'
                ? m.notifications_outbox_server_down()
                : m.notifications_outbox_provider_down({ channel: channelLabel(channel) })
            }
          >
            {channel === 'email'
              ? m.notifications_outbox_server_down_text({ count: waiting })
              : m.notifications_outbox_provider_down_text({ count: waiting })}{' '}
            <bdi className="text-ink-2">{error}</bdi>
          </Banner>
        </div>
      ))}
      <DataTable
        {...table}
        views={[...views(figures?.failed, figures?.queued), ...(table.views ?? [])]}
        selection={undefined}
        onSelectionChange={undefined}
        label={m.app_title_notifications()}
        columns={columns()}
        rowKey={({ id }) => id}
        rowLabel={({ to }) => to}
        searchPlaceholder={m.notifications_outbox_search()}
        filters={filters(departures)}
        onOpen={({ id }) => setUrl({ email: id })}
        openKey={open?.id ?? null}
        renderCard={(row) => <OutboxCard row={row} />}
        countLabel={(count) => m.notifications_outbox_count({ count })}
        footerNote={<ViewerZoneNote />}
        empty={<Empty title={m.notifications_outbox_empty_title()}>{m.notifications_outbox_empty_text()}</Empty>}
      />
      {open && <Email row={open} onClose={() => setUrl({ email: undefined })} onStep={step} />}
    </Page>
  )
}

/** Departures whose messages a link asked for, by their codes. */
function useAskedDepartures(ids: readonly string[]): SelectOption[] {
  const answers = useQueries({ queries: ids.map((id) => callQuery(getDeparture, { id })) })
  return ids.map((value, index) => ({ value, label: answers[index]?.data?.code ?? '…' }))
}

const OutboxCard = ({ row }: { row: OutboxRow }) => (
  <span className="block leading-5">
    <span className="flex items-center justify-between gap-2">
      <Ltr className="truncate font-medium text-ink-strong">{row.to}</Ltr>
      <DeliveryStatus row={row} />
    </span>
    <span className="block truncate text-ink">{subjectOf(row)}</span>
    <span className="num block text-xs text-ink-2">
      {formatDayTime(row.createdAt)} · {channelLabel(row.channel)}
    </span>
  </span>
)

/** When it leaves; what waits for the end of quiet hours, by the clock there as well. */
const Due = ({ at, zone }: { at: string; zone: string | null }) => (
  <>
    {formatDayTime(at)}
    {zone !== null && (
      <span className="block text-ink-2">{m.notifications_outbox_quiet_why({ time: formatTime(at, zone) })}</span>
    )}
  </>
)

/** Of which departures the guests were whom a message was written to. */
function MeantGuests({ meant: { departures, count, onlyAboard } }: { meant: NonNullable<OutboxRow['meant']> }) {
  const named = departures.map(({ code }) => code)
  // of very many, the first are named
  const codes = formatList(named.length < count ? [...named, '…'] : named)
  return onlyAboard
    ? m.notifications_outbox_meant_aboard({ count, codes })
    : m.notifications_outbox_meant_guests({ count, codes })
}

interface EmailProps {
  row: OutboxRow
  onClose: () => void
  onStep: (by: 1 | -1) => void
}

function Email({ row, onClose, onStep }: EmailProps) {
  const maySend = useAccess().can('notifications:send')
  const retry = useCall(retryDelivery, {
    onSuccess: () => toast(m.notifications_outbox_queued_again()),
  })
  const stop = useCall(stopGuestMessage, {
    onSuccess: ({ stopped }) => toast(m.notifications_write_stopped({ count: stopped })),
  })
  const refused = retry.error ?? stop.error
  const { messageId } = row
  const mayRetry = maySend && row.status === 'failed' && row.source === 'organization'
  return (
    <Drawer
      label={subjectOf(row)}
      onClose={onClose}
      onStep={onStep}
      head={
        <b className="truncate text-lg font-semibold text-ink-strong">
          <bdi>{subjectOf(row)}</bdi>
        </b>
      }
      subhead={
        <div className="flex items-center gap-2 pb-3 text-ink-2">
          <DeliveryStatus row={row} />
          <Ltr className="truncate">{row.to}</Ltr>
        </div>
      }
      footer={
        mayRetry ? (
          <Button
            variant="primary"
            icon={RotateCw}
            pending={retry.isPending}
            onClick={() => retry.mutate({ id: row.id })}
          >
            {m.notifications_outbox_retry()}
          </Button>
        ) : maySend && messageId !== null ? (
          <Button icon={Undo2} pending={stop.isPending} onClick={() => stop.mutate({ id: messageId })}>
            {m.notifications_outbox_take_back()}
          </Button>
        ) : undefined
      }
    >
      {(row.error ?? refused) && (
        <div className="px-4 pt-3 lg:px-6">
          <Banner tone="bad" title={m.notifications_outbox_error()}>
            {refused ? refusalText(refused) : row.error}
          </Banner>
        </div>
      )}
      <div className="px-4 py-4 text-base leading-6 break-words whitespace-pre-line text-ink-strong lg:px-6">
        {row.body === null ? (
          <span className="text-ink-2">{m.notifications_outbox_no_text()}</span>
        ) : (
          <LinkedText text={row.body} />
        )}
      </div>
      <DefinitionList>
        <Definition label={m.notifications_outbox_kind()}>{kindLabel(row.kind)}</Definition>
        <Definition label={m.notifications_outbox_channel()}>{channelLabel(row.channel)}</Definition>
        {row.meant && (
          <Definition label={m.notifications_outbox_meant()}>
            <MeantGuests meant={row.meant} />
          </Definition>
        )}
        <Definition label={m.notifications_outbox_source()}>{sourceLabel(row.source)}</Definition>
        <Definition label={m.notifications_outbox_suppressed()}>
          {row.suppressedReason && suppressedLabel(row.suppressedReason)}
        </Definition>
        <Definition label={m.notifications_outbox_attempts()}>
          <span className="num">{row.attempts}</span>
        </Definition>
        <Definition label={m.notifications_outbox_written()}>{formatDayTime(row.createdAt)}</Definition>
        <Definition label={m.notifications_outbox_due()}>
          {row.dueAt && <Due at={row.dueAt} zone={row.quietZone} />}
        </Definition>
        <Definition label={m.notifications_outbox_sent()}>{row.sentAt && formatDayTime(row.sentAt)}</Definition>
        <Definition label={m.notifications_outbox_delivered()}>
          {row.deliveredAt && formatDayTime(row.deliveredAt)}
        </Definition>
      </DefinitionList>
    </Drawer>
  )
}
