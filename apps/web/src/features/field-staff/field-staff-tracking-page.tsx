import { shownStates } from '@tour-ops/contract/tracking/expected-silence'
import { listTracked, trackedKinds, type TrackedSubject } from '@tour-ops/contract/tracking/tracked-subjects'
import { maxTracksAtOnce } from '@tour-ops/contract/tracking/tracks'
import { useNavigate } from '@tanstack/react-router'
import { ArrowLeft, MapIcon } from 'lucide-react'
import { useMemo } from 'react'
import { linkStateLabels } from '../../records/link-state-labels.ts'
import { type ListTableProps, useListScreen } from '../../app/use-list-screen.tsx'
import { useAccess } from '../../identity/access.ts'
import { m } from '../../paraglide/messages.js'
import { Button } from '../../ui/button.tsx'
import { useNow } from '../../ui/clock.ts'
import { localDateOf } from '../../ui/format.ts'
import { loadLater } from '../../ui/load-later.tsx'
import { Page } from '../../ui/page.tsx'
import { DataTable } from '../../ui/table/data-table.tsx'
import type { TableFilter } from '../../ui/table/table-types.ts'
import { toast } from '../../ui/toast.tsx'
import { useIsDesktop } from '../../ui/use-media.ts'
import { useUrlState } from '../../addresses/url-state.ts'
import { useSeenSubjects } from '../tracking/index.ts'
import { kindLabels } from './staff-labels.ts'
import { keyOf, keysIn, keysText, type TrackKey } from './tracking/chosen-tracks.ts'
import { type Seen, trackedColumns, TrackedState } from './tracking/tracked-columns.tsx'

const TracksPane = loadLater(() => import('./tracking/tracks-pane.tsx').then((module) => module.TracksPane))
const NobodyOnDuty = loadLater(() => import('./tracking/nobody-on-duty.tsx').then((module) => module.NobodyOnDuty))

/** Ages are checked again this often. */
const clockMs = 5_000

/** "Who is out there, and where were they?" See docs/screens.md, "Field staff". */
export function FieldStaffTrackingPage() {
  const now = useNow(clockMs)
  const today = localDateOf(now)
  const { people } = useSeenSubjects()
  const [{ tracks, day = today, at, graph = 'speed', pane }, setUrl] = useUrlState('/_dashboard/field-staff/tracking')
  const keys = useMemo(() => keysIn(tracks), [tracks])
  const isDesktop = useIsDesktop()
  const seen = useMemo(
    () => ({ byId: new Map(people.map((person) => [person.subjectId, person])), now }),
    [people, now],
  )
  const choose = (next: readonly TrackKey[]) => {
    if (next.length > maxTracksAtOnce) return toast(m.tracking_most({ count: maxTracksAtOnce }))
    setUrl({ tracks: keysText(next), at: undefined })
  }
  const { table } = useListScreen({ screen: 'tracking', list: listTracked })
  // The list does not wait for the code of the map, unless the address asks for tracks.
  const isMapDue = keys.length > 0 || table.rows !== undefined || Boolean(table.error)
  const isPaneOnly = !isDesktop && pane === 'map'
  const back = (
    <Button variant="ghost" icon={ArrowLeft} onClick={() => setUrl({ pane: undefined })}>
      {m.tracking_to_list()}
    </Button>
  )
  const toMap = (
    <Button icon={MapIcon} onClick={() => setUrl({ pane: 'map' }, { push: true })}>
      {m.tracking_to_map()}
    </Button>
  )
  return (
    <Page
      fill
      title={m.app_title_staff_tracking()}
      context={m.field_staff_tracking_context()}
      actions={isDesktop ? undefined : isPaneOnly ? back : toMap}
    >
      <div className="flex min-h-0 flex-1 gap-3">
        {!isPaneOnly && (
          <div className="flex min-h-0 min-w-0 flex-1 flex-col lg:max-w-[46%]">
            <TrackedList
              table={table}
              seen={seen}
              keys={keys}
              onKeys={choose}
              onOpen={(key) => {
                choose([key])
                if (!isDesktop) setUrl({ tracks: keysText([key]), at: undefined, pane: 'map' }, { push: true })
              }}
            />
          </div>
        )}
        {(isPaneOnly || (isDesktop && isMapDue)) && (
          <TracksPane
            key={day}
            keys={keys}
            onKeys={choose}
            day={day}
            today={today}
            onDay={(next) => setUrl({ day: next === today ? undefined : next, at: undefined })}
            measure={graph}
            onMeasure={(next) => setUrl({ graph: next === 'speed' ? undefined : next })}
            begin={at === undefined ? null : Number(at) * 1000}
            // the second that is shown, as a clock shows it
            onRest={(rest) => setUrl({ at: rest === null ? undefined : String(Math.floor(rest / 1000)) })}
            people={people}
            now={now}
          />
        )}
      </div>
    </Page>
  )
}

interface TrackedListProps {
  table: ListTableProps<TrackedSubject>
  seen: Seen
  keys: readonly TrackKey[]
  onKeys: (keys: readonly TrackKey[]) => void
  /** One alone. */
  onOpen: (key: TrackKey) => void
}

/** People and vehicles with their signal. Who may see track history chooses here whose; for others a row leads to the record. */
function TrackedList({ table, seen, keys, onKeys, onOpen }: TrackedListProps) {
  const mayLook = useAccess().can('tracking:history')
  const openRecord = useOpenRecord()
  const { selection: _selection, onSelectionChange: _onSelectionChange, ...rest } = table
  const filters: TableFilter[] = [
    {
      id: 'state',
      label: m.field_staff_duty(),
      kind: 'choice',
      options: shownStates.map((value) => ({
        value,
        label: linkStateLabels[value](),
      })),
    },
    {
      id: 'kind',
      label: m.field_staff_kinds(),
      kind: 'choice',
      options: trackedKinds.map((value) => ({
        value,
        label: value === 'vehicle' ? m.tracking_kind_vehicle() : kindLabels[value](),
      })),
    },
  ]
  const chosen = new Set<string>(keys)
  return (
    <DataTable
      {...rest}
      label={m.app_title_staff_tracking()}
      columns={trackedColumns(seen)}
      rowKey={({ subject }) => keyOf(subject)}
      rowLabel={({ subject }) => subject.name}
      searchPlaceholder={m.tracking_search()}
      filters={filters}
      {...(mayLook && {
        selection: chosen,
        onSelectionChange: (next: ReadonlySet<string>) =>
          onKeys([
            ...keys.filter((key) => next.has(key)),
            ...keysIn([...next].filter((key) => !chosen.has(key)).join()),
          ]),
      })}
      openKey={keys.length === 1 ? keys[0] : undefined}
      onOpen={({ subject }) => (mayLook ? onOpen(keyOf(subject)) : openRecord(subject))}
      renderCard={(row) => (
        <span className="flex items-center justify-between gap-3">
          <b className="min-w-0 font-medium text-ink-strong">{row.subject.name}</b>
          <TrackedState row={row} seen={seen} />
        </span>
      )}
      countLabel={(count) => m.tracking_count({ count })}
      empty={<NobodyOnDuty />}
    />
  )
}

function useOpenRecord(): (subject: TrackedSubject['subject']) => void {
  const navigate = useNavigate()
  return ({ kind, id }) =>
    void navigate(
      kind === 'staff'
        ? { to: '/field-staff/details/$id', params: { id } }
        : { to: '/vehicles/details/$id', params: { id } },
    )
}
