import type { TourContent, TourStop } from '@tour-ops/contract/tours/tour-content'
import { m } from '../../paraglide/messages.js'
import { formatMoney } from '../../ui/format.ts'
import { formatLocalTime } from '../../ui/format.ts'
import { clockAt } from './itinerary/clock-time.ts'
import { unitLabels } from '../../records/unit-labels.ts'

export interface ChangeNames {
  nameOf: (placeId: string) => string
  /** Clock time that the tour usually starts at: times of stops are shown by it. */
  start: string
  dayCount: number
}

/** What differs between two contents: stops by name, times and prices before and after, the rest as text. */
export function changesOf(before: TourContent, after: TourContent, names: ChangeNames): string[] {
  return [
    ...stopChanges(before.stops, after.stops, names),
    ...(isSame(before.days, after.days) ? [] : [m.tours_change_days()]),
    ...priceChanges(before.units, after.units),
    ...(isSame(before.texts, after.texts) ? [] : [m.tours_change_texts()]),
  ]
}

const isSame = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b)

const changed = (field: string, before: string, after: string): string =>
  m.tours_changed_field({ field, before, after })

/** A place may be stopped at more than once: its first stop is compared with its first, its second with its second. */
function byPlace(stops: readonly TourStop[]): Map<string, TourStop> {
  const seen = new Map<string, number>()
  return new Map(
    stops.map((stop) => {
      const nth = (seen.get(stop.placeId) ?? 0) + 1
      seen.set(stop.placeId, nth)
      return [`${stop.placeId} ${nth}`, stop]
    }),
  )
}

function stopChanges(before: readonly TourStop[], after: readonly TourStop[], names: ChangeNames): string[] {
  const [was, is] = [byPlace(before), byPlace(after)]
  const line = (stop: TourStop) => `${names.nameOf(stop.placeId)} ${timesOf(stop, names)}`
  const added = [...is].flatMap(([key, stop]) => (was.has(key) ? [] : [line(stop)]))
  const removed = [...was].flatMap(([key, stop]) => (is.has(key) ? [] : [line(stop)]))
  const kept = [...is].flatMap(([key, stop]) => {
    const old = was.get(key)
    return old ? stopChange(old, stop, names) : []
  })
  const orderOf = (one: Map<string, TourStop>, other: Map<string, TourStop>) =>
    [...one.keys()].filter((key) => other.has(key))
  return [
    ...(added.length > 0 ? [m.tours_change_added({ places: added.join(', ') })] : []),
    ...(removed.length > 0 ? [m.tours_change_removed({ places: removed.join(', ') })] : []),
    ...kept,
    ...(isSame(orderOf(was, is), orderOf(is, was)) ? [] : [m.tours_change_order()]),
  ]
}

/** `12:15–13:30`, with its day on a tour of several. */
function timesOf({ dayIndex, offsetMin, dwellMin }: TourStop, { start, dayCount }: ChangeNames): string {
  const at = (offset: number) => formatLocalTime(clockAt(start, offset))
  const [from, to] = [at(offsetMin), at(offsetMin + dwellMin)]
  const times = dwellMin > 0 ? `${from}–${to}` : from
  return dayCount > 1 ? `${m.tours_day_n({ number: dayIndex })} ${times}` : times
}

/** The place of a stop in the list is reported once for all, as their order. */
const detailsOf = ({ offsetMin: _offset, dwellMin: _dwell, dayIndex: _day, order: _order, ...rest }: TourStop) => rest

function stopChange(before: TourStop, after: TourStop, names: ChangeNames): string[] {
  const name = names.nameOf(after.placeId)
  const [was, is] = [timesOf(before, names), timesOf(after, names)]
  return [
    ...(was === is ? [] : [changed(name, was, is)]),
    ...(isSame(detailsOf(before), detailsOf(after)) ? [] : [m.tours_change_stop_details({ place: name })]),
  ]
}

function priceChanges(before: TourContent['units'], after: TourContent['units']): string[] {
  const lines = after.flatMap((unit) => {
    const old = before.find((one) => one.unitType === unit.unitType)
    const [was, is] = [old && formatMoney(old.priceMinor, old.currency), formatMoney(unit.priceMinor, unit.currency)]
    return was !== undefined && was !== is ? [changed(unitLabels[unit.unitType](), was, is)] : []
  })
  if (lines.length > 0) return lines
  return isSame(before, after) ? [] : [m.tours_change_prices()]
}
