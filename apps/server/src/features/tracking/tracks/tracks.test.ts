import { beginDutyFor } from '@tour-ops/contract/tracking/duty'
import { listTracked } from '@tour-ops/contract/tracking/tracked-subjects'
import { exportTracks, getTracks } from '@tour-ops/contract/tracking/tracks'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { insertGuide } from '../../../../testing/tracking.ts'
import {
  atMinute as at,
  dutySinceEight,
  type SentFix,
  storeFixes,
  type Tracked,
} from '../../../../testing/tracked-duty.ts'
import { addDeparture, assignGuide, publishedTour } from '../../../../testing/operations.ts'
import { samplePositionAt } from '../../../../testing/sample-rows.ts'
import { verbsOf } from '../../../../testing/verbs.ts'
import { testDatabase, type TestCaller, type TestWorld } from '../../../../testing/world.ts'
import { movableClock } from '../../../platform/clock.ts'
import { trackingVerbs } from '../verbs.ts'
import { trackFixes } from './tracks-store.ts'

const verbOf = verbsOf(trackingVerbs)
const day = { from: samplePositionAt.toISOString(), to: at(12 * 60).toISOString() }
const clock = movableClock(at(0))

let world: TestWorld
let office: TestCaller
beforeAll(async () => {
  world = await testDatabase()
  office = await world.as('operations_manager', { clock })
})
afterAll(() => world.close())

const onDuty = () => dutySinceEight({ world, office, clock })
const send = (who: Tracked, fixes: readonly SentFix[]) => storeFixes(office, who, fixes)

const looksOf = async (caller: TestCaller, action: string, id: string): Promise<Record<string, unknown>[]> => {
  const { rows } = await office.transaction((tx) =>
    sql<{ diff: Record<string, unknown> }>`select diff from audit_entries
      where action = ${action} and entity_id = ${id} and actor_id = ${caller.userId} order by at`.execute(tx),
  )
  return rows.map(({ diff }) => diff)
}

describe('a track', () => {
  test('is the line of a day without what cannot be, with its gaps and stays', async () => {
    const ada = await onDuty()
    await send(ada, [
      [0, 64],
      [1, 64.01],
      [2, 66, false],
      [3, 64.02],
      [30, 64.1],
      [32, 64.1],
      [34, 64.1],
      [35, 64.11],
    ])
    const { tracks } = await office.call(verbOf(getTracks), { staffId: [ada.staffId], ...day })
    expect(tracks).toMatchObject([
      {
        subject: { kind: 'staff', id: ada.staffId, name: 'Ada Byron' },
        fixes: 7,
        implausible: 1,
        gaps: [{ from: at(3).getTime(), to: at(30).getTime(), reason: 'no_signal' }],
        stays: [{ from: at(30).getTime(), to: at(34).getTime(), place: null }],
      },
    ])
    expect(tracks[0]?.points.map(({ lat }) => lat)).not.toContain(66)
    expect(tracks[0]?.points[0]).toEqual({
      at: at(0).getTime(),
      lat: 64,
      lng: -21,
      speedMps: 10,
      altitudeM: 50,
      batteryPct: 81,
    })
    expect(tracks[0]?.meters).toBeGreaterThan(11_000)
  })

  test('ends with the time that is requested, which is at most two days', async () => {
    const ada = await onDuty()
    await send(ada, [
      [0, 64],
      [60, 64.1],
    ])
    const before = { from: day.from, to: at(30).toISOString() }
    const { tracks } = await office.call(verbOf(getTracks), { staffId: [ada.staffId], ...before })
    expect(tracks[0]?.points.map(({ lat }) => lat)).toEqual([64])
    const long = { from: day.from, to: new Date(samplePositionAt.getTime() + 49 * 3_600_000).toISOString() }
    await expect(office.call(verbOf(getTracks), { staffId: [ada.staffId], ...long })).rejects.toMatchObject({
      details: { fieldIssues: { to: [{ code: 'two_days_at_once' }] } },
    })
    await expect(office.call(verbOf(getTracks), day)).rejects.toMatchObject({
      details: { fieldIssues: { staffId: [{ code: 'one_of_two' }] } },
    })
  })

  test('is for those with the permission, and a guide sees only the own one', async () => {
    const [ada, bo] = [await onDuty(), await onDuty()]
    await send(ada, [
      [0, 64],
      [5, 64.1],
    ])
    await send(bo, [[0, 65]])
    const mine = await ada.caller.call(verbOf(getTracks), { staffId: [ada.staffId], ...day })
    expect(mine.tracks[0]?.points).toHaveLength(2)
    await expect(ada.caller.call(verbOf(getTracks), { staffId: [bo.staffId], ...day })).rejects.toMatchObject({
      code: 'not-found',
    })
    for (const role of ['dispatcher', 'viewer'] as const) {
      const small = await world.as(role, { orgId: office.orgId, clock })
      for (const call of [getTracks, exportTracks])
        await expect(
          small.call(verbOf<typeof call>(call), { staffId: [ada.staffId], format: 'gpx', ...day }),
        ).rejects.toMatchObject({ code: 'permission-denied' })
    }
    const stranger = await world.as('admin', { clock })
    await expect(stranger.call(verbOf(getTracks), { staffId: [ada.staffId], ...day })).rejects.toMatchObject({
      code: 'not-found',
    })
  })

  test('that somebody opens is in the audit log, once an hour for the same day, and at one’s own not at all', async () => {
    const ada = await onDuty()
    await send(ada, [[0, 64]])
    const look = (from: string) => office.call(verbOf(getTracks), { staffId: [ada.staffId], from, to: day.to })
    await look(day.from)
    await look(day.from)
    expect(await looksOf(office, 'tracks-get', ada.staffId)).toMatchObject([
      { fields: ['whereabouts'], from: day.from },
    ])
    await look(at(0).toISOString())
    expect(await looksOf(office, 'tracks-get', ada.staffId)).toHaveLength(2)
    await ada.caller.call(verbOf(getTracks), { staffId: [ada.staffId], ...day })
    expect(await looksOf(ada.caller, 'tracks-get', ada.staffId)).toEqual([])
  })

  test('is found by duty and time in the partitions of its days alone', async () => {
    const ada = await onDuty()
    const asked = { staffId: [ada.staffId], vehicleId: [], from: at(0), to: at(60) }
    const plan = await office.transaction(async (tx) => {
      await sql`set local enable_seqscan = off`.execute(tx)
      const { rows } = await sql<{ 'QUERY PLAN': string }>`
        explain (costs off) ${trackFixes(office.orgId, [ada.sessionId], asked, 5)}`.execute(tx)
      return rows.map((row) => row['QUERY PLAN']).join('\n')
    })
    const name = `positions_${samplePositionAt.toISOString().slice(0, 10).replaceAll('-', '')}`
    expect(plan).toMatch(/Index Cond: .*duty_session_id = ANY .*recorded_at >=.*recorded_at </)
    expect([...new Set(plan.match(/positions_\d{8}\b/g))]).toEqual([name])
  })
})

test('an export is the whole track in the format that was requested, and in the audit log each time', async () => {
  const ada = await onDuty()
  await send(ada, [
    [0, 64],
    [1, 64.01],
    [2, 64.02],
  ])
  const asked = { staffId: [ada.staffId], format: 'gpx' as const, ...day }
  const file = await office.call(verbOf(exportTracks), asked)
  expect(file).toMatchObject({ points: 3, mediaType: 'application/gpx+xml' })
  expect(file.fileName).toMatch(/^tracks-\d{4}-\d\d-\d\d\.gpx$/)
  expect(file.content.match(/<trkpt /g)).toHaveLength(3)
  await office.call(verbOf(exportTracks), asked)
  expect(await looksOf(office, 'tracks-download', ada.staffId)).toMatchObject([{ format: 'gpx' }, { format: 'gpx' }])
})

describe('the list', () => {
  test('distinguishes who is live, stale, offline, without a position, without a device and off duty', async () => {
    const [live, silent] = [await onDuty(), await onDuty()]
    const bare = await insertGuide(office)
    await office.call(verbOf(beginDutyFor), { staffId: bare })
    const off = await insertGuide(office)
    await send(live, [[0, 64]])
    const stateOf = async (id: string, minutes: number) => {
      clock.set(at(minutes))
      const { rows } = await office.call(verbOf(listTracked), { q: 'byron', size: 500 })
      return rows.find(({ subject }) => subject.id === id)?.state
    }
    expect([await stateOf(live.staffId, 1), await stateOf(live.staffId, 5), await stateOf(live.staffId, 15)]).toEqual([
      'live',
      'stale',
      'offline',
    ])
    expect([await stateOf(silent.staffId, 1), await stateOf(bare, 1), await stateOf(off, 1)]).toEqual([
      'no_fix_yet',
      'no_device',
      'off_duty',
    ])
    const { rows } = await office.call(verbOf(listTracked), { size: 500 })
    const ids = rows.map(({ subject }) => subject.id)
    expect([ids.includes(live.staffId), ids.includes(off)]).toEqual([true, false])
    const { rows: found } = await office.call(verbOf(listTracked), { filters: { state: ['no_device'] } })
    expect(found.map(({ subject }) => subject.id)).toEqual([bare])
  })

  test('says which departure they are on and what comes next; a guide finds only themselves', async () => {
    clock.set(at(0))
    const { tourId } = await publishedTour(office)
    const departureId = await addDeparture(office, tourId, { localDate: samplePositionAt.toISOString().slice(0, 10) })
    const lead = await assignGuide(office, departureId)
    await office.call(verbOf(beginDutyFor), { staffId: lead, departureId })
    const { rows } = await office.call(verbOf(listTracked), { filters: { departureId: [departureId] } })
    expect(rows).toMatchObject([
      { subject: { id: lead }, departure: { id: departureId, nextStop: { name: 'City Hall', number: 1, of: 4 } } },
    ])
    const guide = await world.as('guide', { orgId: office.orgId, staffId: lead, clock })
    const { rows: mine } = await guide.call(verbOf(listTracked), { q: '' })
    expect(mine.map(({ subject }) => subject.id)).toEqual([lead])
  })
})
