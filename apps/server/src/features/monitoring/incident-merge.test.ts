import { mergeIncident } from '@tour-ops/contract/monitoring/incident-merge'
import { addIncidentTask } from '@tour-ops/contract/monitoring/incident-tasks'
import { monitoringBoard } from '@tour-ops/contract/monitoring/alerts'
import {
  getIncident,
  listIncidents,
  noteIncident,
  reportIncident,
  setIncidentStatus,
} from '@tour-ops/contract/monitoring/incidents'
import { askRollCall, recordRollCallAnswer } from '@tour-ops/contract/monitoring/roll-calls'
import { createTraveler } from '@tour-ops/contract/travelers/travelers'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { newId } from '../../platform/ids.ts'
import { addDeparture, book, publishedTour } from '../../../testing/operations.ts'
import { verbsOf } from '../../../testing/verbs.ts'
import { type TestCaller, testDatabase, type TestWorld } from '../../../testing/world.ts'
import { travelersVerbs } from '../travelers/verbs.ts'
import { monitoringVerbs } from './verbs.ts'

let world: TestWorld
beforeAll(async () => {
  world = await testDatabase()
})
afterAll(() => world.close())

const verbOf = verbsOf([...monitoringVerbs, ...travelersVerbs])

const report = (caller: TestCaller, title: string, more: object = {}) =>
  caller.call(verbOf(reportIncident), { category: 'medical', severity: 2, title, ...more })
const roomOf = (caller: TestCaller, id: string) => caller.call(verbOf(getIncident), { id })

async function two() {
  const caller = await world.as('operations_manager')
  return { caller, one: await report(caller, 'Guest unwell'), other: await report(caller, 'Guest collapsed') }
}

async function toStatus(caller: TestCaller, incident: { id: string; version: number }, last: string) {
  let saved = { id: incident.id, version: incident.version }
  for (const to of ['triaged', 'active', 'stabilised', 'resolved'] as const) {
    saved = await caller.call(verbOf(setIncidentStatus), { ...saved, to })
    if (to === last) break
  }
  return saved
}

test('two incidents become one: people, tasks and alerts go over, both logs are read there, and each names the other', async () => {
  const caller = await world.as('operations_manager')
  const people = await Promise.all(
    ['Werner', 'Ina'].map((firstName) => caller.call(verbOf(createTraveler), { firstName, lastName: 'Haas' })),
  )
  const [werner = '', ina = ''] = people.map(({ id }) => id)
  const one = await report(caller, 'Guest unwell', { affectedTravelerIds: [werner, ina], note: 'Fainted' })
  const other = await report(caller, 'Guest collapsed', { affectedTravelerIds: [werner] })
  await caller.call(verbOf(addIncidentTask), { incidentId: one.id, text: 'Call the family' })
  const alertId = newId()
  await caller.transaction((tx) =>
    sql`insert into alerts (org_id, id, kind, severity, subject_type, subject_id, title, dedupe_key, incident_id)
      values (${caller.orgId}, ${alertId}, 'sos', 'critical', 'departure', ${newId()}, 'SOS', ${alertId}, ${one.id})`.execute(
      tx,
    ),
  )
  const merged = await caller.call(verbOf(mergeIncident), { id: one.id, version: one.version, intoId: other.id })
  expect(await roomOf(caller, one.id)).toMatchObject({
    version: merged.version,
    status: 'merged',
    mergedInto: { id: other.id, number: other.number },
    nextStatuses: [],
    affected: 0,
    tasks: [],
  })
  const room = await roomOf(caller, other.id)
  expect(room).toMatchObject({
    status: 'reported',
    mergedInto: null,
    merged: [{ id: one.id, number: one.number }],
    affected: 2,
    tasks: [{ text: 'Call the family' }],
  })
  expect(room.timeline.filter(({ incident }) => incident?.id === one.id).map(({ kind, text }) => [kind, text])).toEqual(
    expect.arrayContaining([
      ['note', 'Fainted'],
      ['merged', other.number],
    ]),
  )
  const { alerts, openIncidents } = await caller.call(verbOf(monitoringBoard), {})
  expect(alerts.find(({ id }) => id === alertId)?.incident).toEqual({ id: other.id, number: other.number })
  expect(openIncidents).toBe(1)
  // a third one later has the logs of both
  const third = await report(caller, 'Ambulance')
  await caller.call(verbOf(mergeIncident), { ...pick(room), intoId: third.id })
  expect((await roomOf(caller, third.id)).timeline.some(({ text }) => text === 'Fainted')).toBe(true)
})

const pick = ({ id, version }: { id: string; version: number }) => ({ id, version })

test('a merged incident does not change any more, by calls or by statements', async () => {
  const { caller, one, other } = await two()
  const merged = await caller.call(verbOf(mergeIncident), { ...pick(one), intoId: other.id })
  const refused = { code: 'aborted', details: { reason: 'incident_merged' } }
  await expect(caller.call(verbOf(setIncidentStatus), { ...merged, to: 'active' })).rejects.toMatchObject(refused)
  await expect(caller.call(verbOf(noteIncident), { id: one.id, text: 'More' })).rejects.toMatchObject(refused)
  await expect(caller.call(verbOf(addIncidentTask), { incidentId: one.id, text: 'x' })).rejects.toMatchObject(refused)
  const statements = [
    sql`update incidents set title = 'Other' where id = ${one.id}`,
    sql`update incidents set status = 'active', merged_into_id = null where id = ${one.id}`,
    sql`insert into incident_entries (org_id, id, incident_id, kind, text) values (${caller.orgId}, ${newId()}, ${one.id}, 'note', 'x')`,
    sql`insert into incident_tasks (org_id, id, incident_id, text) values (${caller.orgId}, ${newId()}, ${one.id}, 'x')`,
    sql`insert into roll_calls (org_id, id, incident_id) values (${caller.orgId}, ${newId()}, ${one.id})`,
  ]
  for (const statement of statements) {
    await expect(caller.transaction((tx) => statement.execute(tx))).rejects.toMatchObject(refused)
  }
})

test('only open incidents are merged, into another open one of the organization, by those who manage them', async () => {
  const { caller, one, other } = await two()
  const into = (intoId: string, target = one) => caller.call(verbOf(mergeIncident), { ...pick(target), intoId })
  const field = (code: string) => ({ code: 'invalid-argument', details: { fieldIssues: { intoId: [{ code }] } } })
  await expect(into(one.id)).rejects.toMatchObject(field('incident_itself'))
  const over = await report(caller, 'Over')
  const closed = await toStatus(caller, over, 'resolved')
  await expect(into(over.id)).rejects.toMatchObject(field('incident_not_open'))
  await expect(into(one.id, { ...over, ...closed })).rejects.toMatchObject({ details: { reason: 'incident_over' } })
  const stranger = await world.as('dispatcher')
  const foreign = await report(stranger, 'Foreign')
  await expect(into(foreign.id)).rejects.toMatchObject({ code: 'not-found' })
  const viewer = await world.as('viewer', { orgId: caller.orgId })
  await expect(viewer.call(verbOf(mergeIncident), { ...pick(one), intoId: other.id })).rejects.toMatchObject({
    code: 'permission-denied',
  })
  await into(other.id)
  // no way back, hence no circle; and nothing is merged into what is merged
  await expect(into(one.id, other)).rejects.toMatchObject(field('incident_not_open'))
  for (const target of [over.id, one.id]) {
    await expect(
      caller.transaction((tx) =>
        sql`update incidents set status = 'merged', merged_into_id = ${target} where id = ${other.id}`.execute(tx),
      ),
    ).rejects.toMatchObject(field('incident_not_open'))
  }
})

test('of two incidents that are merged into each other at the same moment one goes', async () => {
  const { caller, one, other } = await two()
  const second = await world.as('dispatcher', { orgId: caller.orgId })
  const answers = await Promise.allSettled([
    caller.call(verbOf(mergeIncident), { ...pick(one), intoId: other.id }),
    second.call(verbOf(mergeIncident), { ...pick(other), intoId: one.id }),
  ])
  expect(answers.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
  const { rows } = await caller.call(verbOf(listIncidents), {})
  expect(rows.map(({ status }) => status).toSorted()).toEqual(['merged', 'reported'])
})

test('statements that merge two into each other at the same moment leave one open as well', async () => {
  const { caller, one, other } = await two()
  const second = await world.as('dispatcher', { orgId: caller.orgId })
  const statement = (by: TestCaller, id: string, into: string) =>
    by.transaction((tx) =>
      sql`update incidents set status = 'merged', merged_into_id = ${into} where id = ${id}`.execute(tx),
    )
  const answers = await Promise.allSettled([statement(caller, one.id, other.id), statement(second, other.id, one.id)])
  expect(answers.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
})

test('a roll call goes over to an incident of the same departure that has none, and is closed otherwise', async () => {
  const caller = await world.as('operations_manager')
  const { tourId } = await publishedTour(caller)
  const departureId = await addDeparture(caller, tourId)
  await book(caller, departureId, 1)
  const asked = await report(caller, 'Storm', { departureId })
  const same = await report(caller, 'Storm on the ridge', { departureId })
  const elsewhere = await report(caller, 'Road closed')
  await caller.call(verbOf(askRollCall), { incidentId: asked.id })
  await caller.call(verbOf(mergeIncident), { ...pick(asked), intoId: same.id })
  const { rollCall } = await roomOf(caller, same.id)
  expect(rollCall?.people).toHaveLength(1)
  expect((await roomOf(caller, asked.id)).rollCall).toBeNull()
  await caller.call(verbOf(mergeIncident), { ...pick(same), intoId: elsewhere.id })
  expect((await roomOf(caller, elsewhere.id)).rollCall).toBeNull()
  const [person] = rollCall?.people ?? []
  await expect(
    caller.call(verbOf(recordRollCallAnswer), { id: person?.id ?? '', version: person?.version ?? 1, answer: 'safe' }),
  ).rejects.toMatchObject({ details: { reason: 'incident_merged' } })
})
