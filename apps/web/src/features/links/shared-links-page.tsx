import {
  creatableLinkKinds,
  exportLinks,
  linkKinds,
  type LinkRow,
  listLinks,
  shownLinkStatuses,
} from '@tour-ops/contract/links/links'
import { Link2, Plus } from 'lucide-react'
import { useState } from 'react'
import { useNow } from '../../ui/clock.ts'
import { useUrlState } from '../../addresses/url-state.ts'
import { useListScreen } from '../../app/use-list-screen.tsx'
import { useAccess } from '../../identity/access.ts'
import { m } from '../../paraglide/messages.js'
import { reportOfAddress } from '../../records/report-words.ts'
import { Button } from '../../ui/button.tsx'
import { statusLabel } from '../../ui/chip.tsx'
import { Empty } from '../../ui/empty.tsx'
import { Page } from '../../ui/page.tsx'
import { ViewerZoneNote } from '../../ui/zone-note.tsx'
import { DataTable } from '../../ui/table/data-table.tsx'
import type { SavedView, TableFilter } from '../../ui/table/table-types.ts'
import { CreateLinkDialog } from './create-link-dialog.tsx'
import { LinkDialogs } from './link-dialogs.tsx'
import { LinkCard, linkColumns } from './link-columns.tsx'
import { linkKindLabels, linkStatusLabels } from './link-labels.ts'
import { BulkLinkActions } from './bulk-link-actions.tsx'
import { BulkResultDialog, type BulkResult } from './bulk-result-dialog.tsx'
import { type LinkQuestion, useLinkActions } from './use-link-actions.ts'

/** "In 3 h" is repainted this often. */
const clockMs = 30_000

const filters = (): TableFilter[] => [
  {
    id: 'status',
    label: m.monitoring_status(),
    kind: 'choice',
    options: shownLinkStatuses.map((value) => ({
      value,
      label: value === 'cancelled' ? statusLabel('cancelled') : linkStatusLabels[value](),
    })),
  },
  {
    id: 'kind',
    label: m.links_kind(),
    kind: 'choice',
    options: linkKinds.map((value) => ({ value, label: linkKindLabels[value]() })),
  },
  { id: 'expiring', label: m.links_expiring(), kind: 'yesNo' },
  { id: 'neverOpened', label: m.links_never_opened(), kind: 'yesNo' },
]

const yesNo = (values: string[] | undefined) => (values === undefined ? {} : { value: values[0] === 'true' })

/** Every link in use, who opens it, and how it ends. See docs/screens.md, "Shared links". */
export function SharedLinksPage() {
  const { can } = useAccess()
  const mayManage = can('links:manage')
  const maySend = can('notifications:send')
  const now = useNow(clockMs)
  const [address, setAddress] = useUrlState('/_dashboard/tools/shared-links')
  const [question, setQuestion] = useState<LinkQuestion | null>(null)
  const [result, setResult] = useState<BulkResult | null>(null)
  const actions = useLinkActions(setQuestion)
  const screen = useListScreen({
    screen: 'shared-links',
    list: listLinks,
    exportAs: exportLinks,
    filtersOf: ({ expiring, neverOpened, ...chosen }) => ({
      ...chosen,
      ...('value' in yesNo(expiring) && { expiring: yesNo(expiring).value }),
      ...('value' in yesNo(neverOpened) && { neverOpened: yesNo(neverOpened).value }),
    }),
  })
  const counts = screen.answer?.counts
  const views: SavedView[] = [
    { id: 'all', name: m.monitoring_view_all(), state: {} },
    { id: 'active', name: m.links_active(), count: counts?.active, state: { filters: { status: ['active'] } } },
    {
      id: 'expiring',
      name: m.links_expiring(),
      count: counts?.expiring,
      state: { filters: { expiring: ['true'] } },
    },
    {
      id: 'never',
      name: m.links_never_opened(),
      count: counts?.neverOpened,
      state: { filters: { neverOpened: ['true'] } },
    },
  ]
  const hasSelection = (screen.table.selection?.size ?? 0) > 0
  const create = mayManage && (
    <Button
      icon={Plus}
      variant={hasSelection ? 'secondary' : 'primary'}
      onClick={() => setAddress({ create: 'open' }, { push: true })}
    >
      {m.links_new()}
    </Button>
  )
  return (
    <Page
      title={m.app_title_shared_links()}
      context={counts && m.links_links_context({ count: counts.active, views: counts.viewsOfWeek })}
      actions={create || undefined}
      fill
    >
      <DataTable
        {...screen.table}
        views={[...views, ...(screen.table.views ?? [])]}
        selection={mayManage ? screen.table.selection : undefined}
        onSelectionChange={mayManage ? screen.table.onSelectionChange : undefined}
        selectionActions={(ids) => <BulkLinkActions ids={ids} onDone={screen.clearSelection} onResult={setResult} />}
        label={m.app_title_shared_links()}
        columns={linkColumns({ now, mayManage, maySend, actions, ask: setQuestion })}
        rowKey={(row: LinkRow) => row.id}
        rowLabel={(row: LinkRow) => row.label}
        searchPlaceholder={m.links_search_links()}
        filters={filters()}
        onOpen={(row: LinkRow) => setQuestion({ kind: 'accesses', link: row })}
        renderCard={(row: LinkRow) => <LinkCard row={row} now={now} />}
        countLabel={(count) => m.links_count({ count })}
        footerNote={
          <>
            {m.links_links_note()} <ViewerZoneNote />
          </>
        }
        empty={
          <Empty title={m.links_no_links()} icon={Link2} actions={create || undefined}>
            {m.links_no_links_text()}
          </Empty>
        }
      />
      {address.create && mayManage && (
        <CreateLinkDialog
          kind={creatableLinkKinds.find((kind) => kind === address.kind)}
          subjectId={address.for}
          supplierId={address.supplier}
          report={reportOfAddress(address.report)}
          onClose={() =>
            setAddress({ create: undefined, kind: undefined, for: undefined, supplier: undefined, report: undefined })
          }
        />
      )}
      {result && <BulkResultDialog result={result} onClose={() => setResult(null)} />}
      <LinkDialogs
        question={question}
        actions={actions}
        mayManage={mayManage}
        maySend={maySend}
        now={now}
        onAsk={setQuestion}
      />
    </Page>
  )
}
