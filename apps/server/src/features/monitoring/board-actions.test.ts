import { markStop } from '@tour-ops/contract/departures/run-sheet'
import { getDeparture } from '@tour-ops/contract/departures/departures'
import { type AlertRow, getAlert, monitoringBoard, snoozeAlert } from '@tour-ops/contract/monitoring/alerts'
import { acknowledgeShiftNote, writeShiftNote } from '@tour-ops/contract/monitoring/shift-notes'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { newId } from '../../platform/ids.ts'
import { addDeparture, assignGuide, coreVerbOf, officeWithTour, setStatus } from '../../../testing/operations.ts'
import { verbsOf } from '../../../testing/verbs.ts'
import { type TestCaller, testDatabase, type TestWorld } from '../../../testing/world.ts'
import { noticeLinks, notices } from '../../../testing/inbox.ts'
import { alertEscalation } from './escalate-alerts.ts'
import { evaluateAlerts } from './evaluate-alerts.ts'
import { monitoringVerbs } from './verbs.ts'

let world: TestWorld
beforeAll(async () => {
  world = await testDatabase()
})
afterAll(() => world.close())

const verbOf = verbsOf(monitoringVerbs)
const at = (time: string) => new Date(`2030-07-14T${time}:00Z`)

/** An office at 08:30 with a critical alert of a departure that starts at 09:00. */
async function office() {
  const { caller, clock, tourId } = await officeWithTour(world, at('08:30'))
  const departureId = await addDeparture(caller, tourId)
  await assignGuide(caller, departureId)
  const id = newId()
  const place = JSON.stringify({ lat: 64.26, lng: -21.1, at: at('08:29') })
  await caller.transaction((tx) =>
    sql`insert into alerts (org_id, id, kind, severity, subject_type, subject_id, departure_id, title, place, dedupe_key)
      values (${caller.orgId}, ${id}, 'sos', 'critical', 'departure', ${id}, ${departureId}, 'Help wanted', ${place}, ${id})`.execute(
      tx,
    ),
  )
  const colleague = (role: 'dispatcher' | 'viewer' | 'admin') => world.as(role, { orgId: caller.orgId, clock })
  return { caller, clock, departureId, id, colleague }
}

const statusOf = async (caller: TestCaller, id: string) => (await caller.call(verbOf(getAlert), { id })).status

test('an alert that is snoozed until a stop is reopened when the departure reaches it, and not before', async () => {
  const { caller, clock, departureId, id } = await office()
  const { stops } = await caller.call(coreVerbOf(getDeparture), { id: departureId })
  const [pickup, start] = stops
  if (!pickup || !start) throw new Error('The tour has a pickup and a start.')
  await caller.call(verbOf(snoozeAlert), { id, version: 1, until: '2030-07-15T08:00:00Z', stopId: start.id })
  expect(await caller.call(verbOf(getAlert), { id })).toMatchObject({
    status: 'snoozed',
    snoozedStop: { id: start.id, name: 'BSÍ terminal' },
  })
  await setStatus(caller, departureId, { to: 'boarding' })
  clock.set(at('08:31'))
  await caller.call(coreVerbOf(markStop), { id: pickup.id, version: pickup.version, to: 'arrived' })
  await caller.transaction((tx) => evaluateAlerts(tx, caller.orgId))
  expect(await statusOf(caller, id)).toBe('snoozed')
  clock.set(at('08:50'))
  await caller.call(coreVerbOf(markStop), { id: start.id, version: start.version, to: 'arrived' })
  await caller.transaction((tx) => evaluateAlerts(tx, caller.orgId))
  expect(await caller.call(verbOf(getAlert), { id })).toMatchObject({
    status: 'open',
    snoozedUntil: null,
    snoozedStop: null,
  })
})

test('an alert sleeps only until stops of its own departure that are ahead', async () => {
  const { caller, clock, departureId, id } = await office()
  const { stops } = await caller.call(coreVerbOf(getDeparture), { id: departureId })
  const other = await office()
  const [elsewhere] = (await other.caller.call(coreVerbOf(getDeparture), { id: other.departureId })).stops
  const snooze = (stopId: string) =>
    caller.call(verbOf(snoozeAlert), { id, version: 1, until: '2030-07-15T08:00:00Z', stopId })
  await expect(snooze(elsewhere?.id ?? '')).rejects.toMatchObject({ code: 'not-found' })
  await setStatus(caller, departureId, { to: 'boarding' })
  clock.set(at('08:31'))
  const [pickup] = stops
  if (!pickup) throw new Error('The tour has a pickup.')
  await caller.call(coreVerbOf(markStop), { id: pickup.id, version: pickup.version, to: 'arrived' })
  await expect(snooze(pickup.id)).rejects.toMatchObject({ code: 'invalid-argument' })
})

test('a critical alert that nobody acknowledges goes to the next level after the times of the settings, and its people are notified once', async () => {
  const { caller, clock, id, colleague } = await office()
  const admin = await colleague('admin')
  const sweep = alertEscalation({ ...world.services, clock })
  const escalate = async (time: string) => {
    clock.set(at(time))
    await caller.transaction((tx) => sweep.run(tx, caller.orgId))
    return (await caller.call(verbOf(getAlert), { id })).escalationLevel
  }
  expect(await escalate('08:39')).toBe(0)
  expect(await escalate('08:40')).toBe(1)
  expect(await escalate('08:45')).toBe(1)
  expect(await noticeLinks(world, caller)).toEqual([`/tools/monitoring?alert=${id}`])
  expect(await noticeLinks(world, admin)).toEqual([])
  expect(await escalate('09:00')).toBe(2)
  expect(await noticeLinks(world, admin)).toEqual([`/tools/monitoring?alert=${id}`])
  expect(await noticeLinks(world, caller)).toHaveLength(1)
  const { timeline } = await caller.call(verbOf(getAlert), { id })
  expect(timeline.map(({ what, level }) => [what, level])).toEqual([
    ['escalated', 2],
    ['escalated', 1],
    ['opened', null],
  ])
})

/** More calls for help of the office's departure, each a minute later than the one before. */
const moreAlerts = (caller: TestCaller, departureId: string, count: number): Promise<unknown> =>
  caller.transaction((tx) =>
    sql`insert into alerts (org_id, id, kind, severity, subject_type, subject_id, departure_id, title, dedupe_key, opened_at)
      select ${caller.orgId}, uuidv7(), 'sos', 'critical', 'departure', ${departureId}, ${departureId}, 'Call ' || n, 'call ' || n,
        ${at('08:30')}::timestamptz + make_interval(mins => n) from generate_series(1, ${count}::int) n`.execute(tx),
  )

test.each([
  ['en', '3 critical alerts wait, the oldest for 12 min'],
  ['de', '3 kritische Alarme warten, der älteste seit 12 min'],
  ['es', '3 alertas críticas esperan, la más antigua desde hace 12 min'],
])('alerts that escalate together are one notice, with a link to the board (%s)', async (language, title) => {
  const { caller, clock, departureId } = await office()
  await moreAlerts(caller, departureId, 2)
  await caller.transaction((tx) =>
    sql`insert into own_preferences (org_id, user_id, preferences) values (${caller.orgId}, ${caller.userId}, ${JSON.stringify({ language })})`.execute(
      tx,
    ),
  )
  clock.set(at('08:42'))
  await caller.transaction((tx) => alertEscalation({ ...world.services, clock }).run(tx, caller.orgId))
  expect(await notices(world, caller)).toEqual([
    {
      title,
      body: 'Golden Circle: Help wanted; Golden Circle: Call 1; Golden Circle: Call 2',
      link: '/tools/monitoring',
    },
  ])
})

test('a notice names five alerts and has the number of the others; one that rises two levels at once is in it once', async () => {
  const { caller, clock, departureId, colleague } = await office()
  const admin = await colleague('admin')
  await moreAlerts(caller, departureId, 7)
  await caller.transaction((tx) =>
    sql`update org_settings set tour_rules = '{"escalateTo": "admin", "escalateAgainTo": "admin"}' where org_id = ${caller.orgId}`.execute(
      tx,
    ),
  )
  clock.set(at('09:05'))
  await caller.transaction((tx) => alertEscalation({ ...world.services, clock }).run(tx, caller.orgId))
  const [notice, ...others] = await notices(world, admin)
  expect(others).toEqual([])
  expect(notice?.title).toBe('8 critical alerts wait, the oldest for 35 min')
  expect(notice?.body).toMatch(/Help wanted; .*Call 1; .*Call 2; .*Call 3; .*Call 4; and 3 more$/)
  expect(await notices(world, caller)).toEqual([])
})

test('nothing escalates where the settings say never', async () => {
  const { caller, clock, id } = await office()
  await caller.transaction((tx) =>
    sql`update org_settings set tour_rules = '{"escalateAfterMin": 0}' where org_id = ${caller.orgId}`.execute(tx),
  )
  clock.set(at('12:00'))
  await caller.transaction((tx) => alertEscalation({ ...world.services, clock }).run(tx, caller.orgId))
  expect((await caller.call(verbOf(getAlert), { id })).escalationLevel).toBe(0)
})

test('the note of a shift is on the board until somebody has read it, and for half a day after', async () => {
  const { caller, clock, colleague } = await office()
  const noteOf = async (reader: TestCaller) => (await reader.call(verbOf(monitoringBoard), {})).shiftNote
  expect(await noteOf(caller)).toBeNull()
  await caller.call(verbOf(writeShiftNote), { text: 'Coach AA-07 is in the workshop.' })
  const note = await caller.call(verbOf(writeShiftNote), { text: 'Coach AA-07 is back.' })
  const next = await colleague('dispatcher')
  expect(await noteOf(next)).toMatchObject({ ...note, text: 'Coach AA-07 is back.', acknowledgedAt: null })
  await next.call(verbOf(acknowledgeShiftNote), note)
  await expect(next.call(verbOf(acknowledgeShiftNote), note)).rejects.toMatchObject({ code: 'aborted' })
  expect((await noteOf(caller))?.acknowledgedAt).toBe('2030-07-14T08:30:00.000Z')
  clock.set(at('20:31'))
  expect(await noteOf(caller)).toBeNull()
  const viewer = await colleague('viewer')
  await expect(viewer.call(verbOf(writeShiftNote), { text: 'Me too' })).rejects.toMatchObject({
    code: 'permission-denied',
  })
})

test('where an alert was seen is sent with the stops around it to those who see where people have been; of an open call for help, to all who see where they are', async () => {
  const { caller, id, colleague } = await office()
  const kindIs = (kind: AlertRow['kind']) =>
    caller.transaction((tx) => sql`update alerts set kind = ${kind} where id = ${id}`.execute(tx))
  await kindIs('overspeed')
  const { place } = await caller.call(verbOf(getAlert), { id })
  expect(place).toMatchObject({ lat: 64.26, lng: -21.1, at: '2030-07-14T08:29:00.000Z', routes: [] })
  expect(place?.stops.map(({ name }) => name)).toEqual(['City Hall', 'BSÍ terminal', 'Geysir', 'BSÍ terminal'])
  const viewer = await colleague('viewer')
  expect((await viewer.call(verbOf(getAlert), { id })).place).toBeNull()
  await kindIs('sos')
  expect((await viewer.call(verbOf(getAlert), { id })).place).toMatchObject({ lat: 64.26, lng: -21.1 })
})
