import type { MapDeparture, MapIncident } from '@tour-ops/contract/map/map'
import { type ReactNode, useEffect, useEffectEvent, useRef, useState } from 'react'
import { DepartureStatus } from '../../records/departure-status.tsx'
import { m } from '../../paraglide/messages.js'
import { Button } from '../../ui/button.tsx'
import { StatusChip } from '../../ui/chip.tsx'
import { SearchInput } from '../../ui/search-input.tsx'
import { Ltr } from '../../ui/ltr.tsx'
import { SkeletonRows } from '../../ui/skeleton.tsx'
import { ZoneNote } from '../../ui/zone-note.tsx'
import { type DayGroup, dayGroups, groupOf, containsEach, matches, toneOf } from './day-groups.ts'
import type { Mark } from './marks.ts'
import type { WatchedSubject } from './watched-subjects.ts'
import { loadLater } from '../../ui/load-later.tsx'
import { useLateLimits } from '../../app/late-limits.ts'
import { formatLocalTime } from '../../ui/format.ts'

// Comes when it is asked for, by name or whole.
const OnDuty = loadLater(() => import('./on-duty.tsx').then((module) => module.OnDuty))

const NobodySeen = loadLater(() => import('./on-duty.tsx').then((module) => module.NobodySeen))

const NoDepartures = loadLater(() => import('./no-departures.tsx').then((module) => module.NoDepartures))

const NoMatch = loadLater(() => import('./no-departures.tsx').then((module) => module.NoMatch))

const OpenIncidents = loadLater(async () => (await import('./open-incidents.tsx')).OpenIncidents)

const groupLabels: Record<DayGroup, () => string> = {
  attention: m.map_group_attention,
  on_tour: m.map_group_on_tour,
  starting: m.map_group_starting,
  later: m.map_group_later,
  done: m.map_group_done,
}

export interface DayPanelProps {
  departures: readonly MapDeparture[] | undefined
  /** People and vehicles on duty that the map shows. */
  people: readonly WatchedSubject[]
  followedId: string | undefined
  onFollow: (subjectId: string) => void
  /** When they are there, epoch milliseconds: now, or a moment that is replayed. */
  seenAt: number
  now: number
  q: string
  onQ: (q: string) => void
  /** Shows only what was last known to be there. */
  place: Mark | undefined
  /** Of the office, for those who see everyone's position. */
  zone: string | undefined
  /** The map shows nobody, and that is known. */
  isNobodySeen: boolean
  /** Lists open incidents before the departures. */
  seesIncidents: boolean
  onIncident: (incident: MapIncident) => void
  onAnywhere: () => void
  /** The departure that was shown before: the keyboard continues there. */
  focusId: string | undefined
  onSelect: (id: string) => void
}

/** The day as lists: who needs somebody, who is on tour, who starts soon. The same that the map shows. */
export function DayPanel(props: DayPanelProps) {
  const {
    departures,
    people,
    followedId,
    onFollow,
    seenAt,
    now,
    q,
    onQ,
    place,
    zone,
    isNobodySeen,
    seesIncidents,
    onIncident,
    onAnywhere,
    focusId,
    onSelect,
  } = props
  const seen = people.length
  const [isListed, setListed] = useState(false)
  const found = place || (q === '' && !isListed) ? [] : people.filter(({ name }) => containsEach(name, q))
  const list = useRef<HTMLDivElement>(null)
  const focusLeft = useEffectEvent(() => {
    if (focusId) list.current?.querySelector<HTMLElement>(`[data-departure="${focusId}"]`)?.focus()
  })
  useEffect(() => focusLeft(), [])
  const here = departures?.filter((departure) => !place || place.departureIds.includes(departure.id))
  const shown = here?.filter((departure) => matches(departure, q))
  const limits = useLateLimits()
  const isPeopleAsked = !place && (q !== '' || isListed) && (found.length > 0 || zone !== undefined)
  const groups = Map.groupBy(shown ?? [], (departure) => groupOf(departure, now, limits))
  const noMatch = <NoMatch onClear={() => onQ('')} />
  return (
    <>
      <div className="shrink-0 border-b border-line px-4 pb-3 lg:pt-4">
        <div className="mb-2.5 flex items-baseline gap-2">
          <h1 className="text-base font-semibold">{m.app_title_map()}</h1>
          {departures && <span className="num text-ink-2">{m.map_count({ count: departures.length })}</span>}
          {seen > 0 && (
            <Button size="sm" variant="ghost" aria-expanded={isListed} onClick={() => setListed(!isListed)}>
              <span className="num">{m.map_seen({ count: seen })}</span>
            </Button>
          )}
        </div>
        <SearchInput label={m.map_find()} placeholder={m.map_find()} value={q} onChange={onQ} />
        {place && (
          <p className="mt-2.5 flex flex-wrap items-center gap-x-2">
            <span>{m.map_at_place({ place: place.placeName })}</span>
            <Button size="sm" variant="ghost" onClick={onAnywhere}>
              {m.map_anywhere()}
            </Button>
          </p>
        )}
      </div>
      <div ref={list} className="min-h-0 flex-1 overflow-y-auto">
        {isNobodySeen && zone && !place && q === '' && <NobodySeen Group={PanelGroup} {...{ now, zone }} />}
        {seesIncidents && !place && q === '' && <OpenIncidents Group={PanelGroup} onOpen={onIncident} />}
        {shown === undefined ? (
          <SkeletonRows rows={8} />
        ) : shown.length > 0 || isPeopleAsked ? (
          <>
            {isPeopleAsked && (
              <OnDuty
                Group={PanelGroup}
                people={found}
                nothing={shown.length === 0 && q !== '' && noMatch}
                now={seenAt}
                {...{ q, zone, followedId, onFollow }}
              />
            )}
            {dayGroups.map((group) => {
              const rows = groups.get(group)
              if (!rows) return null
              return <Group key={group} title={groupLabels[group]()} {...{ rows, now, onSelect }} />
            })}
          </>
        ) : q === '' ? (
          <NoDepartures />
        ) : (
          noMatch
        )}
      </div>
    </>
  )
}

/** A list of the panel below its name and how many it has. */
export const PanelGroup = ({ title, count, children }: { title: string; count: number; children: ReactNode }) => (
  <section aria-label={title}>
    <h2 className="sticky top-0 z-1 flex gap-2 border-b border-line bg-surface-2 px-4 py-1.5 text-xs font-medium text-ink-2">
      {title} <span className="num">{count}</span>
    </h2>
    <ul>{children}</ul>
  </section>
)

interface GroupProps {
  title: string
  rows: readonly MapDeparture[]
  now: number
  onSelect: (id: string) => void
}

function Group({ title, rows, now, onSelect }: GroupProps) {
  return (
    <PanelGroup title={title} count={rows.length}>
      {rows.map((row) => (
        <li key={row.id} className="border-b border-line">
          <button
            type="button"
            className="flex w-full gap-3 px-4 py-2.5 hover:bg-surface-2"
            data-departure={row.id}
            onClick={() => onSelect(row.id)}
          >
            <span className="grid min-w-11 shrink-0 content-start">
              <Ltr className="text-base font-semibold text-ink-strong">{formatLocalTime(row.startTimeLocal)}</Ltr>
              <ZoneNote moment={row.startsAt} zone={row.timeZone} />
            </span>
            <span className="min-w-0 flex-1">
              <span className="block font-medium text-ink-strong">{row.tourName}</span>
              <span className="block text-ink-2">{crewOf(row)}</span>
            </span>
            <span className="flex shrink-0 flex-col items-end gap-0.5">
              <MapStatus departure={row} now={now} />
              <span className="num text-xs text-ink-2">
                {m.map_aboard({ aboard: row.aboard, expected: row.seatsConfirmed })}
              </span>
            </span>
          </button>
        </li>
      ))}
    </PanelGroup>
  )
}

/** The status; "No guide" where that is what needs somebody. */
export function MapStatus({ departure, now }: { departure: MapDeparture; now: number }) {
  return toneOf(departure, now, useLateLimits()) === 'gap' ? (
    <StatusChip status="unassigned" />
  ) : (
    <DepartureStatus departure={departure} now={now} />
  )
}

/** Guide and vehicle in one line. */
export const crewOf = ({ leadGuide, vehicle }: MapDeparture): string =>
  [leadGuide?.name ?? m.map_nobody(), vehicle?.name].filter(Boolean).join(' · ')
