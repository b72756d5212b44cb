import {
  acknowledgeAlert,
  getAlert,
  listAlerts,
  reopenAlert,
  resolveAlert,
  snoozeAlert,
} from '@tour-ops/contract/monitoring/alerts'
import {
  getIncident,
  listIncidents,
  noteIncident,
  reportIncident,
  setIncidentStatus,
} from '@tour-ops/contract/monitoring/incidents'
import { exportMonitoring, monitoringList } from '@tour-ops/contract/monitoring/monitoring-list'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { movableClock } from '../../platform/clock.ts'
import { newId } from '../../platform/ids.ts'
import {
  addDeparture,
  assignGuide,
  book,
  estimate,
  officeWithTour,
  publishedTour,
} from '../../../testing/operations.ts'
import { verbsOf } from '../../../testing/verbs.ts'
import { type TestCaller, testDatabase, type TestWorld } from '../../../testing/world.ts'
import { monitoringVerbs } from './verbs.ts'

let world: TestWorld
beforeAll(async () => {
  world = await testDatabase()
})
afterAll(() => world.close())

const verbOf = verbsOf(monitoringVerbs)
const now = new Date('2030-07-14T08:30:00Z')
const inHours = (hours: number) => new Date(now.getTime() + hours * 3_600_000).toISOString()
const dispatcher = () => world.as('dispatcher', { clock: movableClock(now) })

async function addAlert(caller: TestCaller, departureId: string | null = null): Promise<string> {
  const id = newId()
  await caller.transaction((tx) =>
    sql`insert into alerts (org_id, id, kind, severity, subject_type, subject_id, departure_id, title, dedupe_key)
      values (${caller.orgId}, ${id}, 'sos', 'critical', 'departure', ${id}, ${departureId}, 'Help wanted', ${id})`.execute(
      tx,
    ),
  )
  return id
}

test('an alert is taken, put aside, brought back and closed, and its timeline says by whom', async () => {
  const caller = await dispatcher()
  const id = await addAlert(caller)
  const taken = await caller.call(verbOf(acknowledgeAlert), { id, version: 1 })
  const snoozed = await caller.call(verbOf(snoozeAlert), { ...taken, until: inHours(1) })
  const back = await caller.call(verbOf(reopenAlert), snoozed)
  const closed = await caller.call(verbOf(resolveAlert), { ...back, reason: 'Found at the café' })
  const alert = await caller.call(verbOf(getAlert), { id })
  expect(alert).toMatchObject({
    version: closed.version,
    status: 'resolved',
    resolution: 'manual',
    resolutionNote: 'Found at the café',
    resolvedByName: 'Test dispatcher',
  })
  expect(alert.timeline.map(({ what }) => what)).toEqual(['resolved', 'reopened', 'snoozed', 'acknowledged', 'opened'])
})

test('of two people who acknowledge the same alert one sees that somebody was faster', async () => {
  const caller = await dispatcher()
  const id = await addAlert(caller)
  await caller.call(verbOf(acknowledgeAlert), { id, version: 1 })
  const second = await world.as('dispatcher', { orgId: caller.orgId })
  await expect(second.call(verbOf(acknowledgeAlert), { id, version: 1 })).rejects.toMatchObject({
    code: 'aborted',
    details: { reason: 'version_conflict', current: 2 },
  })
})

test('a snooze ends in the future and within a day, and a snoozed alert can be taken or closed', async () => {
  const caller = await dispatcher()
  const id = await addAlert(caller)
  for (const until of [inHours(-1), inHours(25)]) {
    await expect(caller.call(verbOf(snoozeAlert), { id, version: 1, until })).rejects.toMatchObject({
      code: 'invalid-argument',
    })
  }
  const snoozed = await caller.call(verbOf(snoozeAlert), { id, version: 1, until: inHours(24) })
  const taken = await caller.call(verbOf(acknowledgeAlert), snoozed)
  const again = await caller.call(verbOf(snoozeAlert), { ...taken, until: inHours(2) })
  await caller.call(verbOf(resolveAlert), { ...again, resolution: 'false_alarm', reason: 'Test call' })
  const { rows } = await caller.call(verbOf(listAlerts), { filters: { resolvedOn: '2030-07-14' } })
  expect(rows).toMatchObject([{ id, resolution: 'false_alarm' }])
})

test('a viewer reads alerts and may not acknowledge them; a designer sees none', async () => {
  const caller = await dispatcher()
  const id = await addAlert(caller)
  const viewer = await world.as('viewer', { orgId: caller.orgId })
  expect((await viewer.call(verbOf(listAlerts), {})).total).toBe(1)
  await expect(viewer.call(verbOf(acknowledgeAlert), { id, version: 1 })).rejects.toMatchObject({
    code: 'permission-denied',
  })
  const designer = await world.as('tour_designer', { orgId: caller.orgId })
  await expect(designer.call(verbOf(listAlerts), {})).rejects.toMatchObject({ code: 'permission-denied' })
})

test('incidents are numbered by year, take their alert along, and go through their states with a log', async () => {
  const caller = await dispatcher()
  const { tourId } = await publishedTour(await world.as('admin', { orgId: caller.orgId }))
  const departureId = await addDeparture(await world.as('admin', { orgId: caller.orgId }), tourId, {
    localDate: '2030-07-14',
  })
  const alertId = await addAlert(caller, departureId)
  const report = { category: 'medical', severity: 2, title: 'Guest unwell', note: 'Lies down', departureId } as const
  const first = await caller.call(verbOf(reportIncident), { ...report, alertId })
  const second = await caller.call(verbOf(reportIncident), { ...report, title: 'Another' })
  expect([first.number, second.number]).toEqual(['INC-2030-0001', 'INC-2030-0002'])
  expect(await caller.call(verbOf(getAlert), { id: alertId })).toMatchObject({
    status: 'acknowledged',
    incident: { id: first.id, number: 'INC-2030-0001' },
    owner: { userId: caller.userId },
  })
  const triaged = await caller.call(verbOf(setIncidentStatus), {
    id: first.id,
    version: 1,
    to: 'triaged',
    note: 'Ambulance is called',
  })
  await expect(caller.call(verbOf(setIncidentStatus), { ...triaged, to: 'reviewed' })).rejects.toMatchObject({
    code: 'aborted',
    details: { reason: 'illegal_transition' },
  })
  await caller.call(verbOf(noteIncident), { id: first.id, kind: 'call', text: 'Crew arrives at 14:10' })
  const incident = await caller.call(verbOf(getIncident), { id: first.id })
  expect(incident).toMatchObject({ status: 'triaged', nextStatuses: ['active'], departure: { id: departureId } })
  expect(incident.timeline.map(({ kind, text }) => `${kind}: ${text}`)).toEqual([
    'call: Crew arrives at 14:10',
    'note: Ambulance is called',
    'status: triaged',
    'note: Lies down',
    'status: reported',
  ])
  const { rows } = await caller.call(verbOf(listIncidents), { filters: { severity: [2], status: ['triaged'] } })
  expect(rows.map(({ number }) => number)).toEqual(['INC-2030-0001'])
})

test('a guide reports what happens on a departure of their own and nowhere else; a viewer reports nothing', async () => {
  const admin = await world.as('admin')
  const { tourId } = await publishedTour(admin)
  const [mine, other] = [
    await addDeparture(admin, tourId),
    await addDeparture(admin, tourId, { localDate: '2030-07-15' }),
  ]
  const staffId = await assignGuide(admin, mine)
  const guide = await world.as('guide', { orgId: admin.orgId, staffId })
  const report = { category: 'lost_item', severity: 4, title: 'A phone is lost' } as const
  expect(await guide.call(verbOf(reportIncident), { ...report, departureId: mine })).toMatchObject({ version: 1 })
  await expect(guide.call(verbOf(reportIncident), { ...report, departureId: other })).rejects.toMatchObject({
    code: 'not-found',
  })
  await expect(guide.call(verbOf(reportIncident), report)).rejects.toMatchObject({ code: 'invalid-argument' })
  const viewer = await world.as('viewer', { orgId: admin.orgId })
  await expect(viewer.call(verbOf(reportIncident), { ...report, departureId: mine })).rejects.toMatchObject({
    code: 'permission-denied',
  })
})

test('the list watches what runs or starts within a day, with counts of its states', async () => {
  const caller = await world.as('operations_manager', { clock: movableClock(now) })
  const { tourId } = await publishedTour(caller)
  const soon = await addDeparture(caller, tourId, { localDate: '2030-07-14' })
  await addDeparture(caller, tourId, { localDate: '2030-07-16' })
  await book(caller, soon, 5)
  const answer = await caller.call(verbOf(monitoringList), {})
  expect(answer).toMatchObject({
    total: 1,
    counts: { all: 1, onTime: 0, late: 0, noSignal: 0, notReady: 1 },
    nextStart: { startsAt: '2030-07-16T09:00:00.000Z', timeZone: 'Atlantic/Reykjavik' },
  })
  expect(answer.rows).toMatchObject([
    {
      id: soon,
      expected: 5,
      aboard: 0,
      leadGuide: null,
      guideState: null,
      lastHeadcount: null,
      next: { name: 'City Hall' },
    },
  ])
  await assignGuide(caller, soon)
  const led = await caller.call(verbOf(monitoringList), { filters: { state: ['not_ready'] } })
  expect(led.total).toBe(0)
  const { rows: led2 } = await caller.call(verbOf(monitoringList), { q: 'golden' })
  expect(led2[0]).toMatchObject({ leadGuide: { name: 'Björn Ólafsson' }, guideState: 'no_device' })
  const file = await caller.call(verbOf(exportMonitoring), { columns: ['tour', 'expected'] })
  expect(file.csv.trim().split('\r\n')).toEqual(['tour,expected', 'Golden Circle,5'])
})

test('who should have left and has not counts as late, and the filter lists it', async () => {
  const { caller, clock, tourId } = await officeWithTour(world, now)
  const id = await addDeparture(caller, tourId)
  clock.set(new Date('2030-07-14T09:31:00Z'))
  await estimate(caller, clock.now())
  const answer = await caller.call(verbOf(monitoringList), { filters: { state: ['late'] } })
  expect(answer.counts).toMatchObject({ late: 1, onTime: 0 })
  expect(answer.rows).toMatchObject([{ id, status: 'scheduled', delaySeconds: 31 * 60 }])
})

test.each([
  ['without a word about it what is recorded stays', {}, 'Old tires'],
  ['an empty word removes it', { rootCause: ' ' }, null],
])('what was behind an incident is recorded with its review; %s', async (_what, said, recorded) => {
  const caller = await dispatcher()
  const { id, version } = await caller.call(verbOf(reportIncident), {
    category: 'vehicle',
    severity: 3,
    title: 'Flat tire',
  })
  let saved = { id, version }
  for (const to of ['triaged', 'active', 'stabilised'] as const) {
    saved = await caller.call(verbOf(setIncidentStatus), { ...saved, to })
  }
  saved = await caller.call(verbOf(setIncidentStatus), { ...saved, to: 'resolved', rootCause: 'Old tires' })
  await caller.call(verbOf(setIncidentStatus), { ...saved, to: 'reviewed', ...said })
  expect(await caller.call(verbOf(getIncident), { id })).toMatchObject({ status: 'reviewed', rootCause: recorded })
})
