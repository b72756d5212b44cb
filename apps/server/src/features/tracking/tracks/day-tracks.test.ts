import { tracksOfDay } from '@tour-ops/contract/tracking/day-tracks'
import { endDutyFor, listDuty, setDutyBreak } from '@tour-ops/contract/tracking/duty'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import {
  atMinute as at,
  dutySinceEight,
  type SentFix,
  storeFixes,
  type Tracked,
} from '../../../../testing/tracked-duty.ts'
import { verbsOf } from '../../../../testing/verbs.ts'
import { testDatabase, type TestCaller, type TestWorld } from '../../../../testing/world.ts'
import { movableClock } from '../../../platform/clock.ts'
import { trackingVerbs } from '../verbs.ts'

const verbOf = verbsOf(trackingVerbs)
const clock = movableClock(at(0))

let world: TestWorld
let office: TestCaller
beforeAll(async () => {
  world = await testDatabase()
})
// everybody of an organization is in the answer
beforeEach(async () => {
  clock.set(at(0))
  office = await world.as('operations_manager', { clock })
})
afterAll(() => world.close())

const onDuty = () => dutySinceEight({ world, office, clock })
const send = (who: Tracked, fixes: readonly SentFix[]) => storeFixes(office, who, fixes)

/** What the office is told so many minutes after eight. */
async function dayAt(minutes: number, caller = office) {
  clock.set(at(minutes))
  return caller.call(verbOf(tracksOfDay), {})
}

describe('the day of everybody', () => {
  test('has who sent a position since midnight of the office, until now', async () => {
    const [ada, bo] = [await onDuty(), await onDuty()]
    await onDuty()
    await send(ada, [
      [0, 64],
      [1, 64.1],
    ])
    await send(bo, [[2, 65]])
    const day = await dayAt(3)
    expect(day).toMatchObject({ to: at(3).getTime(), leftOut: 0, isRough: false })
    expect(day.from).toBeLessThanOrEqual(at(0).getTime())
    expect(day.tracks.map(({ subject }) => subject.id).toSorted()).toEqual([ada.staffId, bo.staffId].toSorted())
    expect(day.tracks.find(({ subject }) => subject.id === ada.staffId)?.points[0]).toEqual({
      at: at(0).getTime(),
      lat: 64,
      lng: -21,
    })
  })

  test('ends each duty with where they were last known: at once after the last position, silent later', async () => {
    const ada = await onDuty()
    await send(ada, [[0, 64]])
    const [fresh] = (await dayAt(1)).tracks
    expect(fresh?.points.map((point) => point.at)).toEqual([at(0).getTime(), at(1).getTime()])
    expect(fresh?.gaps).toEqual([])
    const [old] = (await dayAt(30)).tracks
    expect(old?.gaps).toEqual([{ from: at(0).getTime(), to: at(30).getTime(), reason: 'no_signal' }])
    const [open] = (await office.call(verbOf(listDuty), { filters: { staffId: [ada.staffId] } })).rows
    await office.call(verbOf(endDutyFor), { id: ada.sessionId, version: open?.version ?? 0 })
    const [ended] = (await dayAt(300)).tracks
    expect(ended?.points.at(-1)?.at).toBe(at(30).getTime())
  })

  test('shows nothing of a break, also while it lasts', async () => {
    const ada = await onDuty()
    await send(ada, [[0, 64]])
    clock.set(at(1))
    await ada.caller.call(verbOf(setDutyBreak), { onBreak: true })
    const [track] = (await dayAt(60)).tracks
    expect(track?.points.at(-1)?.at).toBe(at(1).getTime())
    expect(track?.gaps).toEqual([])
  })

  test('begins at midnight of the office, in the middle of a duty of the night', async () => {
    const ada = await onDuty()
    await send(ada, [
      [0, 64],
      [70, 64.5],
    ])
    // where the day began at nine
    await office.transaction((tx) =>
      sql`update org_settings set time_zone = ${'Etc/GMT+9'} where org_id = ${office.orgId}`.execute(tx),
    )
    const day = await dayAt(71)
    expect(day.from).toBe(at(60).getTime())
    expect(day.tracks[0]?.points.map((point) => point.lat)).toEqual([64.5, 64.5])
  })
})

describe('the day of everybody is told', () => {
  test('to nobody without track history, and to a guide of nobody else', async () => {
    const [ada, bo] = [await onDuty(), await onDuty()]
    for (const who of [ada, bo]) await send(who, [[0, 64]])
    const { tracks } = await dayAt(1, ada.caller)
    expect(tracks.map(({ subject }) => subject.id)).toEqual([ada.staffId])
    for (const role of ['dispatcher', 'viewer'] as const)
      await expect(dayAt(1, await world.as(role, { orgId: office.orgId, clock }))).rejects.toMatchObject({
        code: 'permission-denied',
      })
    expect((await dayAt(1, await world.as('admin', { clock }))).tracks).toEqual([])
  })

  test('with a look in the audit log at each of whom something was seen, once an hour, and at oneself none', async () => {
    const [ada, silent] = [await onDuty(), await onDuty()]
    await send(ada, [[0, 64]])
    for (const minutes of [1, 2]) {
      await dayAt(minutes)
      await dayAt(minutes, ada.caller)
    }
    const { rows } = await office.transaction((tx) =>
      sql<{
        entityId: string
        actorId: string
      }>`select entity_id as "entityId", actor_id as "actorId" from audit_entries
        where org_id = ${office.orgId} and action = 'tracks-get' and entity_id = any (${[ada.staffId, silent.staffId]})`.execute(
        tx,
      ),
    )
    expect(rows).toEqual([{ entityId: ada.staffId, actorId: office.userId }])
  })
})
