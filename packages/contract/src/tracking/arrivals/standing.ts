import { accuracyOf, type Fix } from './evidence.ts'
import { type DeparturePlan, type Fence, fencesOf, isOnItsSide, isSamePlace, onward, wayMs } from './plan.ts'
import type { Stay } from './stays.ts'
import { metersBetween } from './travel.ts'

/** Who says that something happened. */
export type Witness = 'tap' | 'position'

/** What is known of a stop: moments in milliseconds since 1970, null for what has not happened or nobody saw. */
export interface Visit {
  readonly arrivedAt: number | null
  readonly arrivedBy: Witness | null
  readonly leftAt: number | null
  readonly leftBy: Witness | null
}

/** Who is out of a fence, or in and out again, for less than this has not moved. */
export const holdMs = 60_000
/** To come before a stop that is not yet done takes a longer stay, at most this. */
const longStayMs = 5 * 60_000
/** The way from the edge of a fence to where they stay and back is counted up to here. */
const maxEdgeMs = 2 * 60_000

export const noVisit: Visit = { arrivedAt: null, arrivedBy: null, leftAt: null, leftBy: null }

/** What is known at one moment of the replay, and what follows from it; `Replay` moves it on. */
export class Standing {
  protected readonly startedAt: number | null
  protected readonly fences: readonly Fence[]
  protected readonly visits: Visit[]
  protected readonly skipped: ReadonlySet<number>
  /** An arrival that was undone: not detected again before they were away. */
  protected readonly barred = new Set<number>()
  /** Index of the stop where they are; -1 on the way. */
  protected here = -1
  /** Null where a person marked it and no position has confirmed it yet. */
  protected stay: Stay | null = null
  /** The stop left last, by positions alone: they may turn back, and then they never left. */
  protected back = -1
  /** Stays that are too short yet to be an arrival. */
  protected readonly pending = new Map<number, Stay>()
  protected watched: readonly number[] = []

  constructor({ stops, startedAt }: DeparturePlan, skipped: ReadonlySet<number>) {
    this.startedAt = startedAt
    this.fences = fencesOf(stops)
    this.visits = stops.map(() => noVisit)
    this.skipped = skipped
    this.watchNext()
  }

  protected fence(index: number): Fence {
    return this.fences[index] as Fence
  }

  protected visit(index: number): Visit {
    return this.visits[index] ?? noVisit
  }

  /** Index of the last stop that was reached; pickups do not wait for each other. */
  protected behind(): number {
    return this.visits.findLastIndex((visit, index) => isReached(visit) && this.fence(index).stop.kind !== 'pickup')
  }

  protected isOpen(index: number): boolean {
    return !this.skipped.has(index) && !isReached(this.visit(index))
  }

  /** Where they are, where they may turn back to, and whatever comes next until two stops that have to be visited. */
  protected watchNext(): void {
    const next: number[] = []
    let wanted = 2
    for (let index = this.behind() + 1; index < this.fences.length && wanted > 0; index += 1) {
      if (!this.isOpen(index)) continue
      const { kind, optional } = this.fence(index).stop
      if (kind !== 'pickup' && !optional) wanted -= 1
      if (!this.barred.has(index)) next.push(index)
    }
    const now = this.here === -1 ? this.back : this.here
    this.watched = now === -1 ? next : [now, ...next].toSorted((a, b) => a - b)
  }

  /** The stop that a position belongs to; -1 for none. */
  protected ownerOf(fix: Fix): number {
    let owner = -1
    for (const index of this.watched) {
      if (this.isTooEarly(index, fix)) continue
      const fence = this.fence(index)
      const isIn = index === this.here || this.pending.has(index)
      if (fence.meters(fix) > (isIn ? fence.stop.exitM : fence.stop.enterM)) continue
      if (owner === -1 || isOnItsSide(fix, this.fence(owner), fence) || this.hasComeRound(owner, index, fix))
        owner = index
    }
    return owner
  }

  /** Someone at the start of the tour who has not picked up everybody yet has not arrived there with the guests: it may be the depot. */
  protected isTooEarly(index: number, { at }: Fix): boolean {
    if (this.fence(index).stop.kind !== 'start' || index === this.here) return false
    return this.fences
      .slice(0, index)
      .some(({ stop }, each) => stop.kind === 'pickup' && this.isOpen(each) && stop.plannedArriveAt > at)
  }

  /** At a place that the plan passes twice: whether they came back for its second stop, by the time that has passed. */
  protected hasComeRound(left: number, again: number, { at }: Fix): boolean {
    if (left !== this.back || this.here === left || !isSamePlace(this.fence(left), this.fence(again))) return false
    const planned = this.fence(again).stop.plannedArriveAt - this.fence(left).stop.plannedDepartAt
    return at - (this.visit(left).leftAt ?? at) >= planned / 2
  }

  protected isFarAway(fix: Fix): boolean {
    return this.watched.every((index) => {
      const { stop, meters } = this.fence(index)
      return meters(fix) - accuracyOf(fix) > stop.exitM
    })
  }

  /** Whether the next stop is where they are anyway: the start of the morning at the hotel of the night. */
  protected isSameStand(index: number, next: number): boolean {
    return next < this.fences.length && this.isOpen(next) && isSamePlace(this.fence(index), this.fence(next))
  }

  /** When the plan continues to the next stop at the same place: as planned, or later by as much as they came late. */
  protected handOverAt(index: number): number {
    const { stop } = this.fence(index)
    const next = this.fence(index + 1).stop
    if (next.dayIndex !== stop.dayIndex) return next.plannedArriveAt
    const stayMs = stop.plannedDepartAt - stop.plannedArriveAt - stop.slackMin * 60_000
    return Math.max(next.plannedArriveAt, (this.visit(index).arrivedAt ?? 0) + Math.max(0, stayMs))
  }

  /** The tour has not set out: a guide who goes for a coffee has not left with the guests. */
  protected isBeforeTheWay({ at }: Fix): boolean {
    const { kind, dayIndex, plannedDepartAt } = this.fence(this.here).stop
    return kind === 'start' && dayIndex === this.fence(0).stop.dayIndex && at < (this.startedAt ?? plannedDepartAt)
  }

  /** The last moment within the fence, less the way from where they stayed to its edge. After silence: when they must have left to be where they are. */
  protected leftAt({ last, middle, outside }: Stay): number {
    const next = onward(this.fences, this.here)
    if (outside !== null && outside.at - last.at > holdMs) {
      return Math.max(last.at, outside.at - wayMs(this.fences, metersBetween(last, outside), next))
    }
    return last.at - Math.min(maxEdgeMs, wayMs(this.fences, metersBetween(middle, last), next))
  }

  protected dwellMs(index: number): number {
    const { dwellS, plannedArriveAt, plannedDepartAt } = this.fence(index).stop
    const isSkipping = this.watched.some((each) => each < index && this.isOpen(each) && this.mustBeVisited(each))
    return Math.max(dwellS * 1000, isSkipping ? Math.min(longStayMs, (plannedDepartAt - plannedArriveAt) / 2) : 0)
  }

  private mustBeVisited(index: number): boolean {
    const { kind, optional } = this.fence(index).stop
    return kind !== 'pickup' && kind !== 'start' && !optional
  }

  /** The first moment within the fence, and the way from its edge as long as they were seen there; never before they left elsewhere. */
  protected arrivedAt(index: number, { first }: Stay): number {
    const edgeMs = Math.min(this.dwellMs(index), wayMs(this.fences, this.fence(index).meters(first), index))
    const before = this.here === -1 ? null : this.visit(this.here).leftAt
    return Math.max(first.at + edgeMs, before ?? 0)
  }
}

const isReached = ({ arrivedAt, leftAt }: Visit): boolean => arrivedAt !== null || leftAt !== null
