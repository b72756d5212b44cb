import { beginDutyFor, endDutyFor, listDuty, setTrackingConsent } from '@tour-ops/contract/tracking/duty'
import { drivenWays } from '@tour-ops/contract/tracking/driven'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { addDevicePaired, insertGuide } from '../../../../testing/tracking.ts'
import { addDeparture, assignGuide, publishedTour, setStatus } from '../../../../testing/operations.ts'
import { samplePositionAt } from '../../../../testing/sample-rows.ts'
import { verbsOf } from '../../../../testing/verbs.ts'
import { testDatabase, type TestCaller, type TestWorld } from '../../../../testing/world.ts'
import { movableClock } from '../../../platform/clock.ts'
import { trackingVerbs } from '../verbs.ts'

const verbOf = verbsOf(trackingVerbs)
const driven = verbOf(drivenWays)
/** Today, for which there is a partition. */
const at = (minutes: number): Date => new Date(samplePositionAt.getTime() + (8 * 60 + minutes) * 60_000)
const clock = movableClock(at(0))

let world: TestWorld
let office: TestCaller
let dispatcher: TestCaller
beforeAll(async () => {
  world = await testDatabase()
  office = await world.as('operations_manager', { clock })
  dispatcher = await world.as('dispatcher', { orgId: office.orgId, clock })
})
afterAll(() => world.close())

interface OnTour {
  readonly departureId: string
  readonly staffId: string
  readonly guide: TestCaller
  readonly send: (sessionId: string, fixes: readonly (readonly [minutes: number, lat: number])[]) => Promise<void>
  readonly begin: (departureId: string | null) => Promise<string>
  readonly end: (sessionId: string) => Promise<void>
}

/** A departure that boards, with a guide who has agreed to be seen and has a phone. */
async function onTour(isBoarding = true): Promise<OnTour> {
  clock.set(at(0))
  const { tourId } = await publishedTour(office)
  const departureId = await addDeparture(office, tourId, {
    localDate: samplePositionAt.toISOString().slice(0, 10),
    startTimeLocal: '08:10',
  })
  const staffId = await insertGuide(office)
  const guide = await world.as('guide', { orgId: office.orgId, staffId, clock })
  await guide.call(verbOf(setTrackingConsent), { agrees: true })
  const { id: deviceId } = await addDevicePaired({ world, office, clock }, { staffId })
  await assignGuide(office, departureId)
  if (isBoarding) await setStatus(office, departureId, { to: 'boarding' })
  return {
    departureId,
    staffId,
    guide,
    begin: async (on) => (await office.call(verbOf(beginDutyFor), { staffId, departureId: on })).id,
    end: async (id) => {
      const { rows } = await office.call(verbOf(listDuty), { filters: { staffId: [staffId], status: ['open'] } })
      await office.call(verbOf(endDutyFor), { id, version: rows[0]?.version ?? 0 })
    },
    send: (sessionId, fixes) =>
      office.transaction(async (tx) => {
        for (const [minutes, lat] of fixes)
          await sql`insert into positions (org_id, device_id, duty_session_id, recorded_at, lat, lng)
            values (${office.orgId}, ${deviceId}, ${sessionId}, ${at(minutes)}, ${lat}, -21)`.execute(tx)
      }),
  }
}

test('dispatchers see the route since the present duty on a departure under way began, and nothing of duties before', async () => {
  const { departureId, staffId, begin, end, send } = await onTour()
  const before = await begin(departureId)
  await send(before, [[1, 60]])
  clock.set(at(10))
  await end(before)
  const present = await begin(departureId)
  await send(present, [
    [11, 64],
    [12, 64.01],
    [40, 64.1],
  ])
  clock.set(at(41))
  const { ways } = await dispatcher.call(driven, { departureId })
  expect(ways).toEqual([
    {
      subject: { kind: 'staff', id: staffId, name: 'Ada Byron' },
      points: [
        { at: at(11).getTime(), lat: 64, lng: -21 },
        { at: at(12).getTime(), lat: 64.01, lng: -21 },
        { at: at(40).getTime(), lat: 64.1, lng: -21 },
      ],
      gaps: [{ from: at(12).getTime(), to: at(40).getTime(), reason: 'no_signal' }],
    },
  ])
  clock.set(at(42))
  await end(present)
  expect(await dispatcher.call(driven, { departureId })).toEqual({ ways: [] })
})

test('nobody is followed on a departure that is not out, on duty without it, or without their consent', async () => {
  const agreed = await onTour()
  const session = await agreed.begin(agreed.departureId)
  await agreed.send(session, [[5, 64]])
  clock.set(at(6))
  expect((await dispatcher.call(driven, { departureId: agreed.departureId })).ways).toHaveLength(1)
  await agreed.guide.call(verbOf(setTrackingConsent), { agrees: false })
  expect(await dispatcher.call(driven, { departureId: agreed.departureId })).toEqual({ ways: [] })

  const apart = await onTour()
  await apart.send(await apart.begin(null), [[7, 64]])
  clock.set(at(8))
  expect(await dispatcher.call(driven, { departureId: apart.departureId })).toEqual({ ways: [] })

  const early = await onTour(false)
  await early.send(await early.begin(early.departureId), [[7, 64]])
  clock.set(at(8))
  expect(await dispatcher.call(driven, { departureId: early.departureId })).toEqual({ ways: [] })
})

test('it is for those who dispatch, within their organization, and it leaves no trace in the audit log', async () => {
  const { departureId, staffId, guide, begin, send } = await onTour()
  await send(await begin(departureId), [[5, 64]])
  clock.set(at(6))
  await dispatcher.call(driven, { departureId })
  const { rows } = await office.transaction((tx) =>
    sql`select from audit_entries where org_id = ${office.orgId} and entity_id = ${staffId} and action = ${drivenWays.name}`.execute(
      tx,
    ),
  )
  expect(rows).toEqual([])
  const viewer = await world.as('viewer', { orgId: office.orgId, clock })
  for (const caller of [viewer, guide])
    await expect(caller.call(driven, { departureId })).rejects.toMatchObject({ code: 'permission-denied' })
  const stranger = await world.as('dispatcher', { clock })
  await expect(stranger.call(driven, { departureId })).rejects.toMatchObject({ code: 'not-found' })
})
