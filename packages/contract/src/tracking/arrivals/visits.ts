import { accuracyOf, type Fix } from './evidence.ts'
import { type DeparturePlan, type Fence, fencesOf, isOnItsSide, isSamePlace, onward, type Tap, wayMs } from './plan.ts'
import { beginStay, extendStay, type Stay } from './stays.ts'
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
const holdMs = 60_000
/** Less exact positions decide nothing, except that somebody is far away. See docs/domain.md, "Arrivals". */
const decisiveAccuracyM = 50
/** Who is faster than this (30 km/h) passes by. A boat may be. */
const passingMps = 8.3
/** Who stands still and then is silent for so long has come: many phones only report when they move. */
const quietMs = 3 * 60_000
const standingMps = 1.5
/** To come before a stop that is not yet done takes a longer stay, at most this. */
const longStayMs = 5 * 60_000
/** The way from the edge of a fence to where they stay and back is counted up to here. */
const maxEdgeMs = 2 * 60_000

const none: Visit = { arrivedAt: null, arrivedBy: null, leftAt: null, leftBy: null }

/**
 * Reads from positions and taps, in the order in which they happened, when a departure came to each of its stops and left it.
 *
 * A stop has at most one arrival and one departure. Only the next two stops that have to be visited are watched (and pickups and optional
 * ones on the way there), so passing by a later stop does not reorder the day. See docs/domain.md, "Arrivals".
 *
 * @param fixes As `trustedFixes` gives them.
 * @param now Milliseconds.
 */
export function visitsOf(
  plan: DeparturePlan,
  fixes: readonly Fix[],
  taps: readonly Tap[],
  now: number,
): readonly Visit[] {
  const replay = new Replay(plan, taps)
  for (const fix of fixes) replay.take(fix)
  return replay.end(now)
}

class Replay {
  private readonly startedAt: number | null
  private readonly fences: readonly Fence[]
  private readonly visits: Visit[]
  private readonly taps: { readonly index: number; readonly tap: Tap }[]
  private readonly skipped: ReadonlySet<number>
  /** Whose arrival was taken back: not before they were away. */
  private readonly barred = new Set<number>()
  /** Index of the stop where they are; -1 on the way. */
  private here = -1
  /** Null where a person said so and no position has yet. */
  private stay: Stay | null = null
  /** The stop left last, by positions alone: they may turn back, and then they never left. */
  private back = -1
  /** Stays that are too short yet to be an arrival. */
  private readonly pending = new Map<number, Stay>()
  private watched: readonly number[] = []

  constructor({ stops, startedAt }: DeparturePlan, taps: readonly Tap[]) {
    this.startedAt = startedAt
    this.fences = fencesOf(stops)
    this.visits = stops.map(() => none)
    const indexes = new Map(stops.map(({ id }, index) => [id, index]))
    const known = taps.flatMap((tap) => {
      const index = indexes.get(tap.stopId)
      return index === undefined ? [] : [{ index, tap }]
    })
    this.skipped = new Set(known.filter(({ tap }) => tap.kind === 'skipped').map(({ index }) => index))
    // of one moment: in the order of the run, arrivals before departures
    this.taps = known
      .filter(({ tap }) => tap.kind !== 'skipped')
      .toSorted((a, b) => a.tap.at - b.tap.at || a.index - b.index || a.tap.kind.localeCompare(b.tap.kind, 'en'))
    this.watchNext()
  }

  take(fix: Fix): void {
    this.hear(fix.at)
    const owner = this.ownerOf(fix)
    if (accuracyOf(fix) > decisiveAccuracyM && (owner !== -1 || !this.isFarAway(fix))) return
    for (const index of this.barred) this.unbar(index, fix)
    for (const [index, stay] of this.pending) if (index !== owner) this.endPending(index, stay, fix)
    if (owner !== -1 && owner === this.here) this.remain(fix)
    else {
      if (this.here !== -1) this.moveAway(fix)
      if (owner !== -1 && owner !== this.here) this.approach(owner, fix)
    }
  }

  end(now: number): readonly Visit[] {
    this.hear(now)
    for (const [index, stay] of this.pending) {
      const isQuiet = stay.outside === null && (stay.last.speedMps ?? Number.POSITIVE_INFINITY) < standingMps
      if (isQuiet && now - stay.first.at >= this.dwellMs(index) && now - stay.last.at >= quietMs)
        this.arrive(index, stay)
    }
    return this.visits.map(inOrder)
  }

  private fence(index: number): Fence {
    return this.fences[index] as Fence
  }

  private visit(index: number): Visit {
    return this.visits[index] ?? none
  }

  /** Index of the last stop that was reached; pickups do not wait for each other. */
  private behind(): number {
    return this.visits.findLastIndex((visit, index) => isReached(visit) && this.fence(index).stop.kind !== 'pickup')
  }

  private isOpen(index: number): boolean {
    return !this.skipped.has(index) && !isReached(this.visit(index))
  }

  /** Where they are, where they may turn back to, and whatever comes next until two stops that have to be visited. */
  private watchNext(): void {
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
  private ownerOf(fix: Fix): number {
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

  /** Whoever is where the tour starts before they have picked up everybody has not come there with the guests: it may be the depot. */
  private isTooEarly(index: number, { at }: Fix): boolean {
    if (this.fence(index).stop.kind !== 'start' || index === this.here) return false
    return this.fences
      .slice(0, index)
      .some(({ stop }, each) => stop.kind === 'pickup' && this.isOpen(each) && stop.plannedArriveAt > at)
  }

  /** At a place that the plan passes twice: whether they came back for its second stop, by the time that has passed. */
  private hasComeRound(left: number, again: number, { at }: Fix): boolean {
    if (left !== this.back || this.here === left || !isSamePlace(this.fence(left), this.fence(again))) return false
    const planned = this.fence(again).stop.plannedArriveAt - this.fence(left).stop.plannedDepartAt
    return at - (this.visit(left).leftAt ?? at) >= planned / 2
  }

  private isFarAway(fix: Fix): boolean {
    return this.watched.every((index) => {
      const { stop, meters } = this.fence(index)
      return meters(fix) - accuracyOf(fix) > stop.exitM
    })
  }

  private unbar(index: number, fix: Fix): void {
    const { stop, meters } = this.fence(index)
    if (meters(fix) <= stop.exitM) return
    this.barred.delete(index)
    this.watchNext()
  }

  private remain(fix: Fix): void {
    if (this.stay) extendStay(this.stay, fix)
    else this.stay = beginStay(fix)
    this.pending.clear()
    const next = this.here + 1
    if (!this.isSameStand(this.here, next) || fix.at < this.handOverAt(this.here)) return
    this.handOver(this.here, this.handOverAt(this.here))
    this.here = next
    this.watchNext()
  }

  /** Whether the next stop is where they are anyway: the start of the morning at the hotel of the night. */
  private isSameStand(index: number, next: number): boolean {
    return next < this.fences.length && this.isOpen(next) && isSamePlace(this.fence(index), this.fence(next))
  }

  /** When the plan goes on to the next stop at the same place: as planned, or later by as much as they came late. */
  private handOverAt(index: number): number {
    const { stop } = this.fence(index)
    const next = this.fence(index + 1).stop
    if (next.dayIndex !== stop.dayIndex) return next.plannedArriveAt
    const stayMs = stop.plannedDepartAt - stop.plannedArriveAt - stop.slackMin * 60_000
    return Math.max(next.plannedArriveAt, (this.visit(index).arrivedAt ?? 0) + Math.max(0, stayMs))
  }

  private handOver(index: number, at: number): void {
    const moment = Math.max(at, this.visit(index).arrivedAt ?? at)
    this.visits[index] = { ...this.visit(index), leftAt: moment, leftBy: 'position' }
    this.visits[index + 1] = { ...none, arrivedAt: moment, arrivedBy: 'position' }
  }

  private moveAway(fix: Fix): void {
    const { stay } = this
    // a person said that they came, and no position has shown them there: nothing can be said of when they left
    if (stay === null || this.here === this.fences.length - 1) return
    stay.outside ??= fix
    if (fix.at - stay.outside.at < holdMs || this.isBeforeTheWay(fix)) return
    this.leave(stay)
    this.back = this.here
    this.here = -1
    this.stay = null
    this.watchNext()
  }

  /** The tour has not set out: a guide who goes for a coffee has not left with the guests. */
  private isBeforeTheWay({ at }: Fix): boolean {
    const { kind, dayIndex, plannedDepartAt } = this.fence(this.here).stop
    return kind === 'start' && dayIndex === this.fence(0).stop.dayIndex && at < (this.startedAt ?? plannedDepartAt)
  }

  /** Writes when they left the stop where they are; at a place that is two stops in a row, the one that the time fits. */
  private leave(stay: Stay): void {
    const at = this.leftAt(stay)
    const next = this.here + 1
    if (this.isSameStand(this.here, next)) {
      const { plannedDepartAt } = this.fence(this.here).stop
      if (Math.abs(at - this.fence(next).stop.plannedDepartAt) < Math.abs(at - plannedDepartAt)) {
        this.handOver(this.here, Math.min(at, this.handOverAt(this.here)))
        this.here = next
      }
    }
    const { arrivedAt } = this.visit(this.here)
    this.visits[this.here] = { ...this.visit(this.here), leftAt: Math.max(at, arrivedAt ?? at), leftBy: 'position' }
  }

  /** The last moment within the fence, less the way from where they stayed to its edge. After silence: when they must have left to be where they are. */
  private leftAt({ last, middle, outside }: Stay): number {
    const next = onward(this.fences, this.here)
    if (outside !== null && outside.at - last.at > holdMs) {
      return Math.max(last.at, outside.at - wayMs(this.fences, metersBetween(last, outside), next))
    }
    return last.at - Math.min(maxEdgeMs, wayMs(this.fences, metersBetween(middle, last), next))
  }

  private approach(index: number, fix: Fix): void {
    const { mode } = this.fence(index).stop
    if (fix.speedMps !== null && fix.speedMps > passingMps && mode !== 'boat') return
    const stay = this.pending.get(index) ?? beginStay(fix)
    extendStay(stay, fix)
    this.pending.set(index, stay)
    if (fix.at - stay.first.at >= this.dwellMs(index)) this.arrive(index, stay)
  }

  private dwellMs(index: number): number {
    const { dwellS, plannedArriveAt, plannedDepartAt } = this.fence(index).stop
    const isSkipping = this.watched.some((each) => each < index && this.isOpen(each) && this.mustBeVisited(each))
    return Math.max(dwellS * 1000, isSkipping ? Math.min(longStayMs, (plannedDepartAt - plannedArriveAt) / 2) : 0)
  }

  private mustBeVisited(index: number): boolean {
    const { kind, optional } = this.fence(index).stop
    return kind !== 'pickup' && kind !== 'start' && !optional
  }

  private arrive(index: number, stay: Stay): void {
    const turnedBack = index === this.back && this.here === -1
    if (this.here !== -1) this.leaveBefore(stay.first.at)
    if (turnedBack) this.visits[index] = { ...this.visit(index), leftAt: null, leftBy: null }
    else this.visits[index] = { ...none, arrivedAt: this.arrivedAt(index, stay), arrivedBy: 'position' }
    this.stand(index, stay)
  }

  /** Of a stop where no position has shown them nothing can be said. */
  private leaveBefore(at: number): void {
    if (this.stay === null) return
    this.leave(this.stay)
    const { arrivedAt, leftAt } = this.visit(this.here)
    const moment = Math.max(arrivedAt ?? at, Math.min(leftAt ?? at, at))
    this.visits[this.here] = { ...this.visit(this.here), leftAt: moment, leftBy: 'position' }
  }

  /** The first moment within the fence, and the way from its edge as long as they were seen there; never before they left elsewhere. */
  private arrivedAt(index: number, { first }: Stay): number {
    const edgeMs = Math.min(this.dwellMs(index), wayMs(this.fences, this.fence(index).meters(first), index))
    const before = this.here === -1 ? null : this.visit(this.here).leftAt
    return Math.max(first.at + edgeMs, before ?? 0)
  }

  private stand(index: number, stay: Stay | null): void {
    this.here = index
    this.stay = stay
    this.back = -1
    this.pending.clear()
    this.watchNext()
  }

  /** A short stay ends when they are away for a minute; it was an arrival after all where silence hides a longer one. */
  private endPending(index: number, stay: Stay, fix: Fix): void {
    const isFirst = stay.outside === null
    stay.outside ??= fix
    const silence = fix.at - stay.last.at
    if (isFirst && silence > holdMs) {
      const stayed = silence - wayMs(this.fences, metersBetween(stay.last, fix), onward(this.fences, index))
      const least = Math.max(this.dwellMs(index) - (stay.last.at - stay.first.at), silence / 2)
      if (stayed >= least) {
        this.arrive(index, stay)
        return
      }
    }
    if (fix.at - stay.outside.at >= holdMs || silence > holdMs) this.pending.delete(index)
  }

  /** What people said up to a moment. */
  private hear(until: number): void {
    for (;;) {
      const said = this.taps[0]
      if (said === undefined || said.tap.at > until) return
      this.taps.shift()
      if (said.tap.kind === 'arrived') this.hearArrived(said.index, said.tap.at)
      else if (said.tap.kind === 'departed') this.hearDeparted(said.index, said.tap.at)
      else this.hearWithdrawn(said.index)
    }
  }

  private hearArrived(index: number, at: number): void {
    const known = this.visit(index)
    const isPast = index < this.behind() || (this.here !== -1 && index < this.here)
    const leftAt = isPast && known.leftAt !== null ? Math.max(known.leftAt, at) : null
    const stay = this.here === index ? this.stay : (this.pending.get(index) ?? null)
    if (!isPast && this.here !== -1 && this.here !== index) this.leaveBefore(at)
    this.visits[index] = { arrivedAt: at, arrivedBy: 'tap', leftAt, leftBy: leftAt === null ? null : known.leftBy }
    if (!isPast) this.stand(index, stay)
  }

  private hearDeparted(index: number, at: number): void {
    if (this.here !== -1 && this.here < index) this.leaveBefore(at)
    this.visits[index] = { ...this.visit(index), leftAt: at, leftBy: 'tap' }
    if (this.here <= index) this.stand(-1, null)
  }

  private hearWithdrawn(index: number): void {
    this.visits[index] = none
    this.barred.add(index)
    if (this.here === index || this.here === -1) this.stand(-1, null)
    else this.watchNext()
  }
}

/** What a person said of leaving may be earlier than what positions said of coming. */
const inOrder = (visit: Visit): Visit =>
  visit.arrivedAt !== null && visit.leftAt !== null && visit.arrivedAt > visit.leftAt && visit.arrivedBy === 'position'
    ? { ...visit, arrivedAt: visit.leftAt }
    : visit

const isReached = ({ arrivedAt, leftAt }: Visit): boolean => arrivedAt !== null || leftAt !== null
