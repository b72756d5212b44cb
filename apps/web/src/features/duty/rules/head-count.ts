import type { EventDraft } from '../store/phone.ts'
import type { ShownDeparture, ShownEntry, ShownStop } from '../store/shown-day.ts'
import type { Step } from './next-step.ts'

/** Why a departure leaves with another number than is aboard. */
export const countReasons = ['stays', 'left', 'office', 'other'] as const
export type CountReason = (typeof countReasons)[number]

export interface Count {
  readonly counted: number
  readonly expected: number
  /** Words of the reason; empty while there is none. */
  readonly reason: string
}

/** A number that differs needs a reason, or nobody departs. See docs/domain.md, "Head counts". */
export const isBlocked = ({ counted, expected, reason }: Count): boolean => counted !== expected && reason.trim() === ''

/** What a departure does once heads are counted: leaves the stop, sets out, or stays and keeps the count. */
export type AfterCount = 'depart' | 'set-out' | 'stay'

/** @param step The next status, where the caller leads. */
export function afterCountOf({ departure }: ShownDeparture, stop: ShownStop, step: Step | null): AfterCount {
  const others = step?.unmet.filter((guard) => guard !== 'headcount_missing') ?? []
  if (departure.status === 'boarding') {
    return step?.to === 'in_progress' && others.length === 0 && stop.kind === 'start' ? 'set-out' : 'stay'
  }
  return stop.status === 'arrived' && stop.kind !== 'end' ? 'depart' : 'stay'
}

export interface HeadCountEntry extends Count {
  readonly kind: CountReason | null
  /** Ticked as not there. */
  readonly missing: readonly Pick<ShownEntry, 'id' | 'name'>[]
}

/**
 * The events of a count, in the order of doing: first the count, since the office compares it with who is aboard at that moment; then what is
 * known of the people who are not there; then the departure itself.
 */
export function headCountEvents(
  shown: ShownDeparture,
  stop: ShownStop,
  count: HeadCountEntry,
  after: AfterCount,
): EventDraft[] {
  const departureId = shown.id
  const isFit = count.counted === count.expected
  const names = count.missing.map(({ name }) => name).join(', ')
  const reason = isFit ? null : [count.reason.trim(), names && `(${names})`].filter(Boolean).join(' ')
  const to = isFit || shown.departure.status !== 'in_progress' ? null : statusOfMissing(count.kind)
  return [
    { kind: 'headcount', departureId, stopId: stop.id, counted: count.counted, reason: reason?.slice(0, 300) ?? null },
    ...(to === null ? [] : count.missing.map(({ id }) => ({ kind: 'guest', departureId, entryId: id, to }) as const)),
    ...(after === 'depart' || (after === 'set-out' && stop.status === 'arrived')
      ? [{ kind: 'stop', departureId, stopId: stop.id, to: 'departed', reason: null } as const]
      : []),
    ...(after === 'set-out' ? [{ kind: 'status', departureId, to: 'in_progress', reason: null } as const] : []),
  ]
}

/** What the reason says of those who are not there; null where it says nothing. */
export function statusOfMissing(kind: CountReason | null): 'left_early' | 'missing' | null {
  if (kind === 'stays' || kind === 'left') return 'left_early'
  return kind === 'office' ? 'missing' : null
}
