import type { DutySession } from '@tour-ops/contract/tracking/duty'
import { localDateOf } from '../../ui/format.ts'

/** Somebody of today, or a vehicle, whose position is not taken: on a break, or after the duty. */
export interface AwaySubject {
  readonly id: string
  readonly name: string
  readonly why: 'break' | 'off_duty'
  readonly since: string
}

/** Whether somebody's duty lasts, a vehicle's too, and is not on a break. */
export const isAnybodyOnDuty = (sessions: readonly DutySession[]): boolean =>
  sessions.some(({ status, breakStartedAt }) => status === 'open' && breakStartedAt === null)

/**
 * Everyone whose latest duty is on a break or ended today. Where they are is not said: see docs/decisions/0148.
 *
 * @param sessions In any order; several of one subject count as the latest.
 * @param now Epoch milliseconds.
 * @param zone Of the office, whose day is today.
 */
export function awayOf(sessions: readonly DutySession[], now: number, zone: string): AwaySubject[] {
  const latest = new Map<string, DutySession>()
  for (const session of sessions) {
    const id = (session.staff ?? session.vehicle)?.id ?? ''
    const known = latest.get(id)
    if (!known || known.startedAt < session.startedAt) latest.set(id, session)
  }
  const today = localDateOf(now, zone)
  return [...latest.values()]
    .flatMap(({ staff, vehicle, status, breakStartedAt, endedAt }): AwaySubject[] => {
      const subject = staff ?? vehicle
      if (!subject) return []
      if (status === 'open') return breakStartedAt ? [{ ...subject, why: 'break', since: breakStartedAt }] : []
      return endedAt && localDateOf(endedAt, zone) === today ? [{ ...subject, why: 'off_duty', since: endedAt }] : []
    })
    .toSorted((a, b) => a.name.localeCompare(b.name))
}
