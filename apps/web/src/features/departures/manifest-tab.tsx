import type { Departure } from '@tour-ops/contract/departures/departures'
import type { Manifest } from '@tour-ops/contract/bookings/manifest'
import { Check, CheckCheck, ClipboardCheck } from 'lucide-react'
import { useRef, useState } from 'react'
import { refusalText } from '../../errors/refusal-text.ts'
import { useAccess } from '../../identity/access.ts'
import { m } from '../../paraglide/messages.js'
import { Button } from '../../ui/button.tsx'
import { ChoiceChip } from '../../ui/chip.tsx'
import { Empty, NoMatch } from '../../ui/empty.tsx'
import { ErrorPanel } from '../../ui/error-panel.tsx'
import { SearchInput } from '../../ui/search-input.tsx'
import { PartsBar } from '../../ui/load-bar.tsx'
import { SkeletonRows } from '../../ui/skeleton.tsx'
import { roleLabel, workingCrew } from '../field-staff/index.ts'
import { ManifestTotalsLine } from './manifest-totals.tsx'
import { ManifestGroupRows } from './manifest-group.tsx'
import { isComplete, manifestFilters, shownGroups, type ManifestFilter } from './manifest-model.ts'
import { useManifestKeys } from './manifest-keys.ts'
import { MoveGuests } from './move-guests.tsx'
import { PhoneLink } from './phone-link.tsx'
import { isUnderWay } from './run-sheet.ts'
import type { CheckIns } from './use-check-in.ts'
import { type Selection, useManifest } from './use-manifest.ts'

export interface ManifestTabProps {
  departure: Departure
  selection: Selection
  checkIns: CheckIns
  onHeadcount: () => void
}

/** Everyone expected, by pickup and party, with check-in. See docs/screens.md, "Records over any screen". */
export function ManifestTab(props: ManifestTabProps) {
  const { data, error, refetch } = useManifest(props.departure.id)
  if (data) return <LoadedManifest {...props} manifest={data} />
  if (error) {
    return (
      <ErrorPanel message={refusalText(error)} requestId={error.details.requestId} onRetry={() => void refetch()} />
    )
  }
  return <SkeletonRows rows={12} />
}

const filterLabels: Record<ManifestFilter, () => string> = {
  all: m.departures_filter_all,
  to_come: m.departures_filter_to_come,
  aboard: m.departures_filter_aboard,
  no_show: m.departures_filter_no_show,
}

function LoadedManifest({
  departure,
  manifest,
  selection,
  checkIns,
  onHeadcount,
}: ManifestTabProps & { manifest: Manifest }) {
  const { can } = useAccess()
  const [filter, setFilter] = useState<ManifestFilter>('all')
  const [words, setWords] = useState('')
  const body = useRef<HTMLDivElement>(null)
  const mayWrite = can('checkin:write') && manifest.checkInOpen
  useManifestKeys({ body, manifest, selection, checkIns, mayWrite })
  const { counts } = manifest
  const countOf: Record<ManifestFilter, number> = {
    all: counts.total,
    to_come: counts.toCome,
    aboard: counts.aboard,
    no_show: counts.noShow,
  }
  const isCancelled = departure.status === 'cancelled'
  const groups = shownGroups(manifest, filter, words)
  if (counts.total === 0 && counts.unnamed === 0) {
    return <Empty title={m.departures_manifest_empty()}>{m.departures_manifest_empty_text()}</Empty>
  }
  return (
    <div ref={body}>
      <div className="flex flex-wrap items-center gap-2 border-b border-line px-4 py-2.5 lg:px-6">
        <SearchInput
          label={m.departures_manifest_search()}
          placeholder={m.departures_manifest_search()}
          className="min-w-[180px] flex-1 sm:max-w-[240px]"
          aria-keyshortcuts="/"
          value={words}
          onChange={setWords}
        />
        {!isCancelled && (
          <div className="flex flex-wrap gap-2 max-sm:hidden" role="group" aria-label={m.departures_manifest_filter()}>
            {manifestFilters.map((key) => (
              <ChoiceChip key={key} pressed={filter === key} count={countOf[key]} onClick={() => setFilter(key)}>
                {filterLabels[key]()}
              </ChoiceChip>
            ))}
          </div>
        )}
      </div>
      <MoveGuests departure={departure} />
      {!isCancelled && (
        <Progress
          departure={departure}
          manifest={manifest}
          pending={checkIns.pending.size}
          onHeadcount={can('checkin:write') && isUnderWay(departure) ? onHeadcount : undefined}
        />
      )}
      <Crew departure={departure} />
      <p className="flex flex-wrap gap-x-4 gap-y-0.5 border-b border-line px-4 py-2 text-ink-2 lg:px-6">
        <ManifestTotalsLine manifest={manifest} />
      </p>
      {groups.length === 0 ? (
        <NoMatch
          onClear={() => {
            setFilter('all')
            setWords('')
          }}
        />
      ) : (
        groups.map((group) => (
          <ManifestGroupRows
            key={`${group.stopId ?? 'none'} ${filter}`}
            group={group}
            isUnfolded={filter !== 'all' || words !== '' || groups.every(isComplete)}
            {...{ departure, selection, checkIns, mayWrite }}
          />
        ))
      )}
    </div>
  )
}

/** Whom to ask about the guests: who is with them, with the number to call. */
function Crew({ departure }: { departure: Departure }) {
  const crew = workingCrew(departure).filter((one) => !one.isSelf)
  if (crew.length === 0) return null
  return (
    <ul
      className="flex flex-wrap gap-x-4 gap-y-0.5 border-b border-line px-4 py-2 lg:px-6"
      aria-label={m.departures_crew()}
    >
      {crew.map(({ assignmentId, name, role, phone }) => (
        <li key={assignmentId} className="flex min-w-0 items-center gap-1.5">
          <span className="min-w-0 truncate">
            {name} <span className="text-ink-2">· {roleLabel(role)}</span>
          </span>
          {phone && <PhoneLink name={name} phone={phone} />}
        </li>
      ))}
    </ul>
  )
}

interface ProgressProps {
  departure: Departure
  manifest: Manifest
  pending: number
  onHeadcount: (() => void) | undefined
}

/** "14 of 18 aboard, 3 to come · 1 no-show" as words and bar, and how much of it the office knows. */
function Progress({ departure, manifest: { counts }, pending, onHeadcount }: ProgressProps) {
  const needsCount = departure.nextStatuses.some((option) => option.unmet.includes('headcount_missing'))
  const known = Math.max(0, counts.aboard - pending)
  const rest = [
    counts.toCome > 0 && m.departures_to_come({ count: counts.toCome }),
    counts.noShow > 0 && m.departures_no_shows({ count: counts.noShow }),
    counts.unnamed > 0 && m.departures_unnamed({ count: counts.unnamed }),
  ].filter(Boolean)
  return (
    <section className="grid gap-2 border-b border-line px-4 py-3 lg:px-6" aria-label={m.departures_progress()}>
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <span className="flex min-w-0 flex-1 flex-wrap items-baseline gap-x-3" role="status">
          <b className="text-base text-ink-strong">
            {m.departures_aboard_of({ aboard: counts.aboard, total: counts.total })}
          </b>
          <span className="text-ink-2">{rest.join(' · ')}</span>
        </span>
        {onHeadcount && (
          <Button size="sm" onClick={onHeadcount}>
            <ClipboardCheck size={15} className={needsCount ? 'text-warn' : 'text-ink-2'} aria-hidden />
            {m.departures_headcount()}
          </Button>
        )}
      </div>
      <PartsBar
        parts={[
          { label: m.departures_part_aboard(), value: counts.aboard, tone: 'done' },
          { label: m.departures_part_to_come(), value: counts.toCome, tone: 'open' },
          { label: m.departures_part_no_show(), value: counts.noShow, tone: 'missing' },
        ]}
      />
      {counts.aboard > 0 && (
        <p className="flex flex-wrap gap-x-4 text-xs text-ink-2">
          <span className="inline-flex items-center gap-1.5">
            <CheckCheck size={15} className="text-ok" aria-hidden />
            {m.departures_at_office({ count: known })}
          </span>
          {pending > 0 && (
            <span className="inline-flex items-center gap-1.5">
              <Check size={15} className="text-ok" aria-hidden />
              {m.departures_being_sent({ count: pending })}
            </span>
          )}
          {departure.lastHeadcount && (
            <span>
              {m.departures_last_count({
                counted: departure.lastHeadcount.counted,
                expected: departure.lastHeadcount.expected,
                place: departure.lastHeadcount.stopName,
              })}
            </span>
          )}
        </p>
      )}
    </section>
  )
}
