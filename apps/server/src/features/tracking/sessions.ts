import type { DropReason } from '@tour-ops/contract/tracking/duty-fixes'

/** A time of duty, as needed to decide which positions are stored. */
export interface Session {
  readonly id: string
  readonly staffId: string | null
  readonly vehicleId: string | null
  readonly startedAt: Date
  readonly endedAt: Date | null
  /** Since when the person agrees. */
  readonly trackedFrom: Date | null
  readonly breakStartedAt: Date | null
  readonly breaks: readonly { readonly from: Date; readonly to: Date }[]
}

/** Clocks of phones are not ours. The database has the same grace: `keep_position_in_session`. */
const graceMs = 5 * 60_000

/** The session that a position belongs to, or why it belongs to none. The rule is the database's (I9), which refuses what gets past here. */
export function sessionFor(sessions: readonly Session[], at: Date): Session | DropReason {
  const near = sessions.filter((session) => isWithin(at, session.startedAt, session.endedAt, graceMs))
  // Two sessions may be minutes apart: the one that holds the moment itself comes first, then the later one.
  const [session] = near.toSorted(
    (a, b) =>
      Number(isWithin(at, b.startedAt, b.endedAt)) - Number(isWithin(at, a.startedAt, a.endedAt)) ||
      +b.startedAt - +a.startedAt,
  )
  if (!session) return 'outside_session'
  if (!session.trackedFrom || at.getTime() < session.trackedFrom.getTime() - graceMs) return 'no_consent'
  return isBreak(session, at) ? 'on_break' : session
}

function isWithin(at: Date, from: Date, to: Date | null, grace = 0): boolean {
  const ms = at.getTime()
  return ms >= from.getTime() - grace && (to === null || ms <= to.getTime() + grace)
}

const isBreak = ({ breakStartedAt, breaks }: Session, at: Date): boolean =>
  (breakStartedAt !== null && at >= breakStartedAt) || breaks.some(({ from, to }) => at >= from && at < to)
