import { whereaboutsOf } from '@tour-ops/contract/departures/stop-progress'
import { isRunning } from '@tour-ops/contract/state-machines'
import { metersBetween } from '@tour-ops/contract/tracking/arrivals/travel'
import { formatTime } from '../../../ui/format.ts'
import type { ShownDeparture, ShownStop } from '../store/shown-day.ts'

/** Where a departure is among its stops, as its run sheet shows them. */
export interface Way {
  /** Over and folded away, in order: left, skipped, or behind by having set out. */
  readonly done: readonly ShownStop[]
  /** Where the guests are; undefined on the way and before the start. */
  readonly here: ShownStop | undefined
  /** The next stop; undefined after the last. */
  readonly next: ShownStop | undefined
  /** Behind the one that the run sheet leads with. */
  readonly ahead: readonly ShownStop[]
}

/** The stop that the run sheet leads with: where they are, else the next one. */
export const stopInFront = ({ here, next }: Way): ShownStop | undefined => here ?? next

export function wayOf(shown: ShownDeparture): Way {
  const { stops } = shown.departure
  const { behind, here, next } = whereaboutsOf(stops, shown.departure.actualStartAt)
  const front = here >= 0 ? here : next
  return {
    done: stops.filter((stop, index) => index !== here && (index <= behind || stop.status === 'skipped')),
    here: stops[here],
    next: stops[next],
    ahead: stops.filter((stop, index) => index > Math.max(front, behind) && stop.status !== 'skipped'),
  }
}

/** Where heads can be counted now: where they are, and where they board before they set out; nowhere on the way. */
export function countableStop(shown: ShownDeparture): ShownStop | undefined {
  const { here, next } = wayOf(shown)
  return here ?? (shown.departure.status === 'boarding' ? next : undefined)
}

/** A time of a stop as screens show it. */
export interface StopTime {
  readonly at: string
  /** The plan, where its minute is another one: it is struck through. */
  readonly struck: string | null
  readonly kind: 'actual' | 'estimate' | 'plan'
}

const withPlan = (kind: StopTime['kind'], at: string, plan: string): StopTime => ({
  kind,
  at,
  // A plan that reads the same as the text next to it is not struck through.
  struck: formatTime(at, 'UTC') === formatTime(plan, 'UTC') ? null : plan,
})

/** When they come, or came. */
export function arrivalOf({ actualArriveAt, etaAt, plannedArriveAt }: ShownStop): StopTime {
  if (actualArriveAt !== null) return withPlan('actual', actualArriveAt, plannedArriveAt)
  if (etaAt !== null) return withPlan('estimate', etaAt, plannedArriveAt)
  return withPlan('plan', plannedArriveAt, plannedArriveAt)
}

/** When they leave, or left. */
export function leavingOf({ actualDepartAt, leavesAt, plannedDepartAt }: ShownStop): StopTime {
  if (actualDepartAt !== null) return withPlan('actual', actualDepartAt, plannedDepartAt)
  if (leavesAt !== null) return withPlan('estimate', leavesAt, plannedDepartAt)
  return withPlan('plan', plannedDepartAt, plannedDepartAt)
}

/** Whole minutes late, negative is early; null where nothing is known. */
export function lateMinOf(stop: ShownStop): number | null {
  const time = stop.status === 'departed' && stop.actualDepartAt !== null ? leavingOf(stop) : arrivalOf(stop)
  if (stop.status === 'skipped' || time.kind === 'plan') return null
  const plan = stop.status === 'departed' && stop.actualDepartAt !== null ? stop.plannedDepartAt : stop.plannedArriveAt
  return Math.round((Date.parse(time.at) - Date.parse(plan)) / 60_000)
}

/** What a phone may mark at a stop: from boarding to the end, and the next one of its state. */
export function marksOf(shown: ShownDeparture, stop: ShownStop): readonly ('arrived' | 'departed' | 'skipped')[] {
  if (!shown.can.mark || !isRunning(shown.departure)) return []
  if (stop.status === 'planned' || stop.status === 'approaching') return ['arrived', 'skipped']
  // Nobody leaves the last stop.
  return stop.status === 'arrived' && stop.kind !== 'end' ? ['departed'] : []
}

/** Meters in a straight line from where the phone is to a stop that they have not reached; null where either is not known. */
export function metersToStop(
  { lat, lng, status }: ShownStop,
  place: { readonly lat: number; readonly lng: number } | null,
): number | null {
  if (place === null || lat === null || lng === null) return null
  return status === 'planned' || status === 'approaching' ? metersBetween(place, { lat, lng }) : null
}

/** Where a map application finds the stop; null without a position. */
export const mapLinkOf = ({ lat, lng }: Pick<ShownStop, 'lat' | 'lng'>): string | null =>
  lat === null || lng === null ? null : `https://www.google.com/maps/dir/?api=1&destination=${lat}%2C${lng}`
