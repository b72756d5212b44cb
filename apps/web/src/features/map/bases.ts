import type { MapDeparture } from '@tour-ops/contract/map/map'
import { formatZone } from '../../ui/format.ts'

/** Where departures of the day are together: those of one time zone, which is what the bases of an operator differ in. */
export interface Base<D> {
  /** IANA name. */
  readonly zone: string
  readonly name: string
  readonly departures: readonly D[]
}

/** The bases that have something today, by name. */
export const basesOf = <D extends Pick<MapDeparture, 'timeZone'>>(departures: readonly D[]): Base<D>[] =>
  [...Map.groupBy(departures, ({ timeZone }) => timeZone)]
    .map(([zone, there]) => ({ zone, name: formatZone(zone), departures: there }))
    .toSorted((a, b) => a.name.localeCompare(b.name))

/** What the map opens on: the departure that the address names, else its base, else everything of the day. */
export function openedOn<D extends Pick<MapDeparture, 'timeZone'>>(
  departures: readonly D[],
  selected: D | undefined,
  zone: string | undefined,
): readonly D[] {
  if (selected) return [selected]
  const there = departures.filter(({ timeZone }) => timeZone === zone)
  return there.length > 0 ? there : departures
}
