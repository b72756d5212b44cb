import { accuracyOf, type Fix } from './evidence.ts'
import { type DeparturePlan, onward, type Tap, wayMs } from './plan.ts'
import { holdMs, noVisit, Standing, type Visit } from './standing.ts'
import { beginStay, extendStay, type Stay } from './stays.ts'
import { metersBetween } from './travel.ts'

/** Less exact positions decide nothing, except that somebody is far away. See docs/domain.md, "Arrivals". */
const decisiveAccuracyM = 50
/** Who is faster than this (30 km/h) passes by. A boat may be. */
const passingMps = 8.3
/** Someone who stops and then sends nothing for this long has arrived: many phones only report when they move. */
const quietMs = 3 * 60_000
const standingMps = 1.5

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

class Replay extends Standing {
  private readonly taps: { readonly index: number; readonly tap: Tap }[]

  constructor(plan: DeparturePlan, taps: readonly Tap[]) {
    const indexes = new Map(plan.stops.map(({ id }, index) => [id, index]))
    const known = taps.flatMap((tap) => {
      const index = indexes.get(tap.stopId)
      return index === undefined ? [] : [{ index, tap }]
    })
    super(plan, new Set(known.filter(({ tap }) => tap.kind === 'skipped').map(({ index }) => index)))
    // of one moment: in the order of the run, arrivals before departures
    this.taps = known
      .filter(({ tap }) => tap.kind !== 'skipped')
      .toSorted((a, b) => a.tap.at - b.tap.at || a.index - b.index || a.tap.kind.localeCompare(b.tap.kind, 'en'))
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

  private handOver(index: number, at: number): void {
    const moment = Math.max(at, this.visit(index).arrivedAt ?? at)
    this.visits[index] = { ...this.visit(index), leftAt: moment, leftBy: 'position' }
    this.visits[index + 1] = { ...noVisit, arrivedAt: moment, arrivedBy: 'position' }
  }

  private moveAway(fix: Fix): void {
    const { stay } = this
    // a person marked the arrival, and no position has shown them there: the departure is unknown
    if (stay === null || this.here === this.fences.length - 1) return
    stay.outside ??= fix
    if (fix.at - stay.outside.at < holdMs || this.isBeforeTheWay(fix)) return
    this.leave(stay)
    this.back = this.here
    this.here = -1
    this.stay = null
    this.watchNext()
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

  private approach(index: number, fix: Fix): void {
    const { mode } = this.fence(index).stop
    if (fix.speedMps !== null && fix.speedMps > passingMps && mode !== 'boat') return
    const stay = this.pending.get(index) ?? beginStay(fix)
    extendStay(stay, fix)
    this.pending.set(index, stay)
    if (fix.at - stay.first.at >= this.dwellMs(index)) this.arrive(index, stay)
  }

  private arrive(index: number, stay: Stay): void {
    const turnedBack = index === this.back && this.here === -1
    if (this.here !== -1) this.leaveBefore(stay.first.at)
    if (turnedBack) this.visits[index] = { ...this.visit(index), leftAt: null, leftBy: null }
    else this.visits[index] = { ...noVisit, arrivedAt: this.arrivedAt(index, stay), arrivedBy: 'position' }
    this.stand(index, stay)
  }

  /** Of a stop where no position has shown them nothing is known. */
  private leaveBefore(at: number): void {
    if (this.stay === null) return
    this.leave(this.stay)
    const { arrivedAt, leftAt } = this.visit(this.here)
    const moment = Math.max(arrivedAt ?? at, Math.min(leftAt ?? at, at))
    this.visits[this.here] = { ...this.visit(this.here), leftAt: moment, leftBy: 'position' }
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

  /** What people marked up to a moment. */
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
    this.visits[index] = noVisit
    this.barred.add(index)
    if (this.here === index || this.here === -1) this.stand(-1, null)
    else this.watchNext()
  }
}

/** A person's mark of leaving may be earlier than the arrival by positions. */
const inOrder = (visit: Visit): Visit =>
  visit.arrivedAt !== null && visit.leftAt !== null && visit.arrivedAt > visit.leftAt && visit.arrivedBy === 'position'
    ? { ...visit, arrivedAt: visit.leftAt }
    : visit
