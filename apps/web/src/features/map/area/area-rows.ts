import { displayedStatus, type LateLimits } from '@tour-ops/contract/departures/displayed-status'
import { m } from '../../../paraglide/messages.js'
import { statusLabel } from '../../../ui/chip.tsx'
import { formatDayTime, formatLocalTime, formatPastAge } from '../../../ui/format.ts'
import { nameOf } from '../on-duty.tsx'
import { lookOf } from '../watched-subjects.ts'
import type { InsideArea } from './inside-area.ts'
import { linkStateLabels } from '../../../records/link-state-labels.ts'

/** Somebody in an area, or a departure, as it is shown, printed, copied and saved. */
export interface AreaRow {
  readonly key: string
  readonly kind: string
  readonly name: string
  readonly state: string
  /** Aboard and booked; empty for people. */
  readonly guests: string
  /** Who reported the place, or the stop that was marked. */
  readonly knownBy: string
  /** ISO 8601, since when the place is known. */
  readonly at: string
}

/** @param now Epoch milliseconds. */
export const areaRows = ({ people, departures }: InsideArea, now: number, limits: LateLimits): AreaRow[] => [
  ...people.map((person) => ({
    key: person.subjectId,
    kind: person.subjectKind === 'vehicle' ? m.map_area_vehicle() : m.map_area_person(),
    name: nameOf(person),
    state: linkStateLabels[lookOf(person, now)](),
    guests: '',
    knownBy: m.map_area_by_position({ name: nameOf(person) }),
    at: person.recordedAt,
  })),
  ...departures.map(({ departure, place }) => ({
    key: departure.id,
    kind: m.map_area_departure(),
    name: `${formatLocalTime(departure.startTimeLocal)} ${departure.tourName} (${departure.code})`,
    state: statusLabel(displayedStatus(departure, new Date(now), limits).status),
    guests: m.map_aboard({ aboard: departure.aboard, expected: departure.seatsConfirmed }),
    knownBy: place.isPosition
      ? m.map_area_by_position({ name: nameOf({ name: place.by }) })
      : m.map_area_by_stop({ place: place.by }),
    at: place.at,
  })),
]

/** Heads of its columns, in their order. */
const areaHeads = (): string[] => [
  m.map_area_kind(),
  m.map_area_name(),
  m.map_area_state(),
  m.map_area_guests(),
  m.map_area_known_by(),
  m.map_area_known_at(),
  m.map_area_age(),
]

/** The same as a table of texts, heads first. @param zone Of the moments. */
export const areaTable = (rows: readonly AreaRow[], now: number, zone: string | undefined): string[][] => [
  areaHeads(),
  ...rows.map(({ kind, name, state, guests, knownBy, at }) => [
    kind,
    name,
    state,
    guests,
    knownBy,
    formatDayTime(at, zone),
    formatPastAge(at, now),
  ]),
]
