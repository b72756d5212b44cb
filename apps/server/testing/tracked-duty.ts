import { beginDutyFor, setTrackingConsent } from '@tour-ops/contract/tracking/duty'
import { sql } from 'kysely'
import { trackingVerbs } from '../src/features/tracking/verbs.ts'
import type { movableClock } from '../src/platform/clock.ts'
import { samplePositionAt } from './sample-rows.ts'
import { addDevicePaired, insertGuide } from './tracking.ts'
import { verbsOf } from './verbs.ts'
import type { TestCaller, TestWorld } from './world.ts'

const verbOf = verbsOf(trackingVerbs)

/** Minutes after eight today, for which there is a partition. */
export const atMinute = (minutes: number): Date => new Date(samplePositionAt.getTime() + (8 * 60 + minutes) * 60_000)

/** Somebody on duty with a phone. */
export interface Tracked {
  readonly staffId: string
  readonly caller: TestCaller
  readonly deviceId: string
  readonly sessionId: string
}

interface Office {
  readonly world: TestWorld
  readonly office: TestCaller
  readonly clock: ReturnType<typeof movableClock>
}

/** Somebody who agrees to be seen, on duty since eight. */
export async function dutySinceEight(
  { world, office, clock }: Office,
  departureId: string | null = null,
): Promise<Tracked> {
  clock.set(atMinute(0))
  const staffId = await insertGuide(office)
  const caller = await world.as('guide', { orgId: office.orgId, staffId, clock })
  await caller.call(verbOf(setTrackingConsent), { agrees: true })
  const { id: deviceId } = await addDevicePaired({ world, office, clock }, { staffId })
  const { id: sessionId } = await office.call(verbOf(beginDutyFor), { staffId, departureId })
  return { staffId, caller, deviceId, sessionId }
}

/** Minutes after eight, degrees of latitude, and whether anybody can have been there. */
export type SentFix = readonly [minutes: number, lat: number, valid?: boolean]

/** Stores positions, the last of them as the latest one. */
export async function storeFixes(
  office: TestCaller,
  { deviceId, sessionId, staffId }: Tracked,
  fixes: readonly SentFix[],
): Promise<void> {
  await office.transaction(async (tx) => {
    for (const [minutes, lat, valid = true] of fixes)
      await sql`insert into positions (org_id, device_id, duty_session_id, recorded_at, lat, lng, speed_mps, altitude_m, battery_pct, valid)
        values (${office.orgId}, ${deviceId}, ${sessionId}, ${atMinute(minutes)}, ${lat}, -21, 10, 50, 81, ${valid})`.execute(
        tx,
      )
    const last = fixes.at(-1)
    if (last)
      await sql`insert into latest_positions (org_id, staff_id, device_id, duty_session_id, recorded_at, lat, lng, battery_pct)
        values (${office.orgId}, ${staffId}, ${deviceId}, ${sessionId}, ${atMinute(last[0])}, ${last[1]}, -21, 40)`.execute(
        tx,
      )
  })
}
