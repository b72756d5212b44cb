import { addDevice, listDevices, pairDevice, redeemPairing, revokeDevice } from '@tour-ops/contract/tracking/devices'
import {
  beginDuty,
  beginDutyFor,
  endDuty,
  endDutyFor,
  listDuty,
  ownDuty,
  setDutyBreak,
  setTrackingConsent,
  trackingConsentVersion,
} from '@tour-ops/contract/tracking/duty'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { addDevicePaired, insertGuide } from '../../../testing/tracking.ts'
import { addDeparture, assignGuide, book, publishedTour, setStatus } from '../../../testing/operations.ts'
import { verbsOf } from '../../../testing/verbs.ts'
import { requestMeta, testDatabase, type TestCaller, type TestWorld } from '../../../testing/world.ts'
import { movableClock } from '../../platform/clock.ts'
import { beginDutyOfNewDays, endForgottenDuty } from '../../platform/operations/duty.ts'
import { execute } from '../../platform/verb.ts'
import { trackingVerbs } from './verbs.ts'

const verbOf = verbsOf(trackingVerbs)
const start = new Date('2031-06-02T08:30:00Z')
const minutes = (count: number): Date => new Date(start.getTime() + count * 60_000)

let world: TestWorld
let office: TestCaller
const clock = movableClock(start)
beforeAll(async () => {
  world = await testDatabase()
  office = await world.as('dispatcher', { clock })
})
afterAll(() => world.close())

const redeem = (code: string) =>
  execute({ ...world.services, clock }, requestMeta(), null, verbOf(redeemPairing), { code })

async function guide(): Promise<TestCaller & { staffId: string }> {
  const staffId = await insertGuide(office)
  return { ...(await world.as('guide', { orgId: office.orgId, staffId, clock })), staffId }
}

describe('pairing', () => {
  test('a code is good for one phone, however it is typed, and for a quarter of an hour', async () => {
    const { staffId } = await guide()
    const { id } = await office.call(verbOf(addDevice), { label: 'Pixel', staffId })
    const { code } = await office.call(verbOf(pairDevice), { id })
    const typed = `${code.slice(0, 5).toLowerCase()}-${code.slice(5)}`
    const paired = await redeem(typed)
    expect(paired).toMatchObject({ deviceLabel: 'Pixel', subjectName: 'Ada Byron', organizationName: office.orgId })
    expect(paired.url).toBe(`${world.services.config.publicUrl}/track/${paired.token}`)
    await expect(redeem(code)).rejects.toMatchObject({ details: { reason: 'pairing_code_over' } })

    const { code: late } = await office.call(verbOf(pairDevice), { id })
    clock.set(minutes(16))
    await expect(redeem(late)).rejects.toMatchObject({ details: { reason: 'pairing_code_over' } })
    clock.set(start)
  })

  test('neither token nor code are in the database or its log', async () => {
    const { staffId } = await guide()
    const { id } = await office.call(verbOf(addDevice), { label: 'Secret', staffId })
    const { code } = await office.call(verbOf(pairDevice), { id })
    const { token } = await redeem(code)
    const { rows } = await office.transaction((tx) =>
      sql<{
        text: string
      }>`select (select string_agg(a::text, '') from audit_entries a where a.entity_id = ${id}::text) ||
        (select d::text from devices d where d.id = ${id}) as text`.execute(tx),
    )
    const text = rows[0]?.text ?? ''
    expect(text).toContain('Secret')
    for (const secret of [token, code, Buffer.from(code).toString('hex')]) expect(text).not.toContain(secret)
    const { rows: logged } = await office.transaction((tx) =>
      sql<{
        diff: string
      }>`select diff::text as diff from audit_entries where entity_id = ${id}::text and diff ? 'pairing_hash'`.execute(
        tx,
      ),
    )
    expect(logged.map(({ diff }) => diff).filter((diff) => /\\\\x[0-9a-f]{64}/.test(diff))).toEqual([])
  })

  test('a list says whether a phone is paired, and guides find their own', async () => {
    const [ada, bo] = [await guide(), await guide()]
    const { id } = await addDevicePaired({ world, office, clock }, { staffId: ada.staffId })
    await office.call(verbOf(addDevice), { label: 'Other', staffId: bo.staffId })
    const rows = (caller: TestCaller) => caller.call(verbOf(listDevices), {}).then((answer) => answer.rows)
    expect(await rows(ada)).toMatchObject([{ id, pairing: 'paired', staff: { id: ada.staffId } }])
    expect(await rows(bo)).toMatchObject([{ label: 'Other', pairing: 'none' }])
    const { rows: found } = await office.call(verbOf(listDevices), { filters: { staffId: [ada.staffId] } })
    expect(found.map((device) => device.id)).toEqual([id])
  })

  test('a revoked device is gone from the list, and its codes and token with it', async () => {
    const { staffId } = await guide()
    const { id } = await addDevicePaired({ world, office, clock }, { staffId })
    const { code, version } = await office.call(verbOf(pairDevice), { id })
    await office.call(verbOf(revokeDevice), { id, version })
    await expect(redeem(code)).rejects.toMatchObject({ details: { reason: 'pairing_code_over' } })
    const { rows } = await office.call(verbOf(listDevices), { filters: { staffId: [staffId] } })
    expect(rows).toEqual([])
    await expect(office.call(verbOf(pairDevice), { id })).rejects.toMatchObject({ code: 'not-found' })
  })

  test('a device belongs to a person or a vehicle', async () => {
    await expect(office.call(verbOf(addDevice), { label: 'Nobody’s' })).rejects.toMatchObject({
      details: { fieldIssues: { staffId: [{ code: 'one_of_two' }] } },
    })
  })
})

describe('duty', () => {
  test('a guide begins it, takes a break and ends it; hours are without the break', async () => {
    const ada = await guide()
    await ada.call(verbOf(beginDuty), {})
    await expect(ada.call(verbOf(beginDuty), {})).rejects.toMatchObject({ details: { reason: 'on_duty_already' } })
    clock.set(minutes(60))
    await ada.call(verbOf(setDutyBreak), { onBreak: true })
    clock.set(minutes(90))
    await ada.call(verbOf(setDutyBreak), { onBreak: false })
    clock.set(minutes(120))
    await ada.call(verbOf(endDuty), {})
    await expect(ada.call(verbOf(endDuty), {})).rejects.toMatchObject({ details: { reason: 'not_on_duty' } })
    const { rows } = await office.call(verbOf(listDuty), { filters: { staffId: [ada.staffId] } })
    expect(rows).toMatchObject([
      { status: 'closed', endedBy: 'person', source: 'app', breakSeconds: 1800, dutySeconds: 5400 },
    ])
    clock.set(start)
  })

  test('a break that nobody ends, ends with the duty', async () => {
    const ada = await guide()
    const { id } = await ada.call(verbOf(beginDuty), {})
    clock.set(minutes(30))
    const { version } = await ada.call(verbOf(setDutyBreak), { onBreak: true })
    clock.set(minutes(60))
    await office.call(verbOf(endDutyFor), { id, version })
    const { rows } = await ada.call(verbOf(listDuty), {})
    expect(rows).toMatchObject([{ endedBy: 'dispatcher', breakSeconds: 1800, dutySeconds: 1800, breakStartedAt: null }])
    clock.set(start)
  })

  test('consent is recorded with its version, counts for the duty under way, and can be withdrawn', async () => {
    const ada = await guide()
    await ada.call(verbOf(beginDuty), {})
    expect(await ada.call(verbOf(ownDuty), {})).toMatchObject({ session: { consentVersion: null }, consent: null })
    clock.set(minutes(10))
    await ada.call(verbOf(setTrackingConsent), { agrees: true })
    expect(await ada.call(verbOf(ownDuty), {})).toMatchObject({
      session: { consentVersion: trackingConsentVersion },
      consent: { version: trackingConsentVersion, at: minutes(10).toISOString() },
    })
    await ada.call(verbOf(setTrackingConsent), { agrees: false })
    expect(await ada.call(verbOf(ownDuty), {})).toMatchObject({ session: { consentVersion: null }, consent: null })
    clock.set(start)
  })

  test('guides see their own duty and reach no one else’s', async () => {
    const [ada, bo] = [await guide(), await guide()]
    const { id } = await ada.call(verbOf(beginDuty), {})
    expect((await bo.call(verbOf(listDuty), {})).rows).toEqual([])
    expect((await ada.call(verbOf(listDuty), {})).rows.map((row) => row.id)).toEqual([id])
    await expect(bo.call(verbOf(endDutyFor), { id, version: 1 })).rejects.toMatchObject({ code: 'permission-denied' })
    const viewer = await world.as('viewer', { orgId: office.orgId, clock })
    await expect(viewer.call(verbOf(beginDuty), {})).rejects.toMatchObject({ details: { reason: 'no_staff_record' } })
  })

  test('the office begins duty of a person and of a vehicle, each once', async () => {
    const { staffId } = await guide()
    await office.call(verbOf(beginDutyFor), { staffId })
    await expect(office.call(verbOf(beginDutyFor), { staffId })).rejects.toMatchObject({ code: 'aborted' })
    await expect(office.call(verbOf(beginDutyFor), {})).rejects.toMatchObject({ code: 'invalid-argument' })
  })

  test('ends by itself after fourteen hours', async () => {
    const ada = await guide()
    await ada.call(verbOf(beginDuty), {})
    clock.set(minutes(14 * 60 - 1))
    expect(await office.transaction((tx) => endForgottenDuty(tx, office.orgId))).toBe(0)
    clock.set(minutes(20 * 60))
    expect(await office.transaction((tx) => endForgottenDuty(tx, office.orgId))).toBeGreaterThan(0)
    const { rows } = await ada.call(verbOf(listDuty), {})
    expect(rows).toMatchObject([{ endedBy: 'limit', endedAt: minutes(14 * 60).toISOString() }])
    clock.set(start)
  })

  test('boarding begins it for the crew, and the end of the departure ends it', async () => {
    clock.set(new Date('2031-05-19T09:00:00Z'))
    const manager = await world.as('operations_manager', { orgId: office.orgId, clock })
    const { tourId } = await publishedTour(manager, { minPax: 0 })
    const departureId = await addDeparture(manager, tourId, { localDate: '2031-06-02' })
    const staffId = await assignGuide(manager, departureId)
    await book(manager, departureId, 1)
    clock.set(start)
    await office.transaction((tx) =>
      sql`update field_staff set tracking_consent_version = ${trackingConsentVersion}, tracking_consent_at = app_now() where id = ${staffId}`.execute(
        tx,
      ),
    )
    await setStatus(manager, departureId, { to: 'boarding' })
    const duty = () => office.call(verbOf(listDuty), { filters: { departureId: [departureId] } })
    expect((await duty()).rows).toMatchObject([
      { staff: { id: staffId }, source: 'auto', status: 'open', consentVersion: trackingConsentVersion },
    ])
    await setStatus(manager, departureId, { to: 'cancelled', cancelReason: 'weather', reason: 'Storm' })
    expect((await duty()).rows).toMatchObject([{ status: 'closed', endedBy: 'departure' }])
  })

  test('a further day of a tour begins it again in the morning, once', async () => {
    clock.set(new Date('2031-06-20T09:00:00Z'))
    const manager = await world.as('operations_manager', { orgId: office.orgId, clock })
    const { tourId } = await publishedTour(manager, { minPax: 0 })
    const departureId = await addDeparture(manager, tourId, { localDate: '2031-07-02' })
    await assignGuide(manager, departureId)
    await book(manager, departureId, 1)
    await office.transaction((tx) =>
      sql`update departure_stops set day_index = 2, planned_arrive_at = '2031-07-03T08:00:00Z', planned_depart_at = '2031-07-03T08:10:00Z'
        where departure_id = ${departureId} and kind = 'end'`.execute(tx),
    )
    clock.set(new Date('2031-07-02T08:30:00Z'))
    await setStatus(manager, departureId, { to: 'boarding' })
    const morning = () => office.transaction((tx) => beginDutyOfNewDays(tx, office.orgId))
    const open = async () =>
      (await office.call(verbOf(listDuty), { filters: { departureId: [departureId], status: ['open'] } })).rows
    clock.set(new Date('2031-07-03T01:00:00Z'))
    await office.transaction((tx) => endForgottenDuty(tx, office.orgId))
    expect(await morning()).toBe(0)
    expect(await open()).toEqual([])
    clock.set(new Date('2031-07-03T07:31:00Z'))
    expect(await morning()).toBe(1)
    const [session] = await open()
    expect(session).toMatchObject({ source: 'auto', startedAt: '2031-07-03T07:31:00.000Z' })
    // a person may end it for themselves
    await office.call(verbOf(endDutyFor), { id: session?.id ?? '', version: session?.version ?? 0 })
    expect(await morning()).toBe(0)
    expect(await open()).toEqual([])
    clock.set(start)
  })
})
