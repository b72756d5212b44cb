import { useQuery } from '@tanstack/react-query'
import {
  listWebhookDeliveries,
  listWebhooks,
  type WebhookDelivery,
  webhookDeliveryStatuses,
  webhookEvents,
  webhookTest,
} from '@tour-ops/contract/webhooks/webhooks'
import { useUrlState } from '../../addresses/url-state.ts'
import { useListScreen } from '../../app/use-list-screen.tsx'
import { callQuery } from '../../backend/queries.ts'
import { m } from '../../paraglide/messages.js'
import { Empty } from '../../ui/empty.tsx'
import type { SelectOption } from '../../ui/field.tsx'
import { formatDayTime, formatNumber } from '../../ui/format.ts'
import { loadLater } from '../../ui/load-later.tsx'
import { Ltr } from '../../ui/ltr.tsx'
import { Page } from '../../ui/page.tsx'
import { DataTable } from '../../ui/table/data-table.tsx'
import type { DataColumn, SavedView, TableFilter } from '../../ui/table/table-types.ts'
import { ViewerZoneNote } from '../../ui/zone-note.tsx'
import { answerLabel, DeliveryStatus, deliveryStatusLabel, eventLabel } from './webhook-labels.tsx'
import { WebhookList } from './webhook-list.tsx'

const DeliveryDrawer = loadLater(() => import('./delivery-drawer.tsx').then((loaded) => loaded.DeliveryDrawer))

const views = (): SavedView[] => [
  { id: 'all', name: m.webhooks_view_all(), state: {} },
  { id: 'failed', name: m.webhooks_status_failed(), state: { filters: { status: ['failed'] } } },
  { id: 'queued', name: m.webhooks_status_queued(), state: { filters: { status: ['queued'] } } },
]

const filters = (endpoints: readonly SelectOption[]): TableFilter[] => [
  {
    id: 'status',
    label: m.webhooks_status(),
    kind: 'choice',
    options: webhookDeliveryStatuses.map((value) => ({ value, label: deliveryStatusLabel(value) })),
  },
  { id: 'endpointId', label: m.webhooks_endpoint(), kind: 'choice', options: endpoints },
  {
    id: 'kind',
    label: m.webhooks_event(),
    kind: 'choice',
    options: ([...webhookEvents, webhookTest] as const).map((value) => ({ value, label: eventLabel(value) })),
  },
]

const columns = (): DataColumn<WebhookDelivery>[] => [
  {
    id: 'createdAt',
    header: m.webhooks_happened(),
    width: 150,
    sortable: true,
    cell: ({ createdAt }) => <Ltr className="text-ink-2">{formatDayTime(createdAt)}</Ltr>,
  },
  { id: 'status', header: m.webhooks_status(), width: 150, cell: (row) => <DeliveryStatus row={row} /> },
  {
    id: 'kind',
    header: m.webhooks_event(),
    width: 190,
    alwaysShown: true,
    cell: ({ kind }) => <span className="font-medium text-ink-strong">{eventLabel(kind)}</span>,
  },
  {
    id: 'url',
    header: m.webhooks_endpoint(),
    width: 240,
    grow: true,
    cell: ({ url }) => <Ltr className="truncate text-ink-2">{url}</Ltr>,
  },
  { id: 'answer', header: m.webhooks_answer(), width: 200, cell: (row) => answerLabel(row) },
  {
    id: 'duration',
    header: m.webhooks_duration(),
    width: 100,
    cell: ({ durationMs }) =>
      durationMs !== null && (
        <span className="num">{m.webhooks_milliseconds({ number: formatNumber(durationMs) })}</span>
      ),
  },
]

/** "Does our bookkeeping hear of what happens here?" Endpoints, and what was sent to them. See docs/screens.md, "Settings". */
export function WebhooksPage() {
  const [{ delivery }, setUrl] = useUrlState('/_dashboard/settings/webhooks')
  const { table } = useListScreen({ screen: 'webhooks', list: listWebhookDeliveries, defaults: { view: 'all' } })
  const endpoints = useQuery(callQuery(listWebhooks, {})).data?.rows ?? []
  const rows = table.rows ?? []
  const open = rows.find(({ id }) => id === delivery)
  const step = (by: 1 | -1) => {
    const next = rows[rows.findIndex(({ id }) => id === delivery) + by]
    if (next) setUrl({ delivery: next.id })
  }
  return (
    <Page title={m.app_title_settings_webhooks()}>
      <div className="grid gap-5">
        <WebhookList />
        <section aria-labelledby="webhooks-log" className="min-w-0">
          <h2 id="webhooks-log" className="mb-2 text-base font-semibold">
            {m.webhooks_log()}
          </h2>
          <DataTable
            {...table}
            views={[...views(), ...(table.views ?? [])]}
            selection={undefined}
            onSelectionChange={undefined}
            label={m.webhooks_log()}
            columns={columns()}
            rowKey={({ id }) => id}
            rowLabel={({ kind }) => eventLabel(kind)}
            searchPlaceholder={m.webhooks_search()}
            filters={filters(endpoints.map(({ id, url }) => ({ value: id, label: url })))}
            onOpen={({ id }) => setUrl({ delivery: id })}
            openKey={open?.id ?? null}
            renderCard={(row) => <DeliveryCard row={row} />}
            countLabel={(count) => m.webhooks_count({ count })}
            footerNote={<ViewerZoneNote />}
            empty={<Empty title={m.webhooks_log_empty()}>{m.webhooks_log_empty_text()}</Empty>}
          />
        </section>
      </div>
      {open && <DeliveryDrawer row={open} onClose={() => setUrl({ delivery: undefined })} onStep={step} />}
    </Page>
  )
}

const DeliveryCard = ({ row }: { row: WebhookDelivery }) => (
  <span className="block leading-5">
    <span className="flex items-center justify-between gap-2">
      <span className="truncate font-medium text-ink-strong">{eventLabel(row.kind)}</span>
      <DeliveryStatus row={row} />
    </span>
    <Ltr className="block truncate text-ink">{row.url}</Ltr>
    <span className="num block text-xs text-ink-2">
      {[formatDayTime(row.createdAt), answerLabel(row)].filter(Boolean).join(' · ')}
    </span>
  </span>
)
