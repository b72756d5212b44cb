import {
  addIncidentTask,
  changeIncidentTask,
  completeIncidentTask,
  removeIncidentTask,
  reopenIncidentTask,
} from '@tour-ops/contract/monitoring/incident-tasks'
import { getIncident, listIncidents, reportIncident, setIncidentStatus } from '@tour-ops/contract/monitoring/incidents'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { movableClock } from '../../platform/clock.ts'
import { newId } from '../../platform/ids.ts'
import { verbsOf } from '../../../testing/verbs.ts'
import { type TestCaller, testDatabase, type TestWorld } from '../../../testing/world.ts'
import { monitoringVerbs } from './verbs.ts'

let world: TestWorld
beforeAll(async () => {
  world = await testDatabase()
})
afterAll(() => world.close())

const verbOf = verbsOf(monitoringVerbs)
const clock = movableClock(new Date('2030-07-14T08:30:00Z'))
const at = (time: string) => `2030-07-14T${time}:00.000Z`

async function openIncident() {
  const caller = await world.as('dispatcher', { clock })
  const { id } = await caller.call(verbOf(reportIncident), { category: 'medical', severity: 2, title: 'Guest unwell' })
  return { caller, incidentId: id }
}

const roomOf = (caller: TestCaller, id: string) => caller.call(verbOf(getIncident), { id })

test('a task says what, who and until when; it is done by somebody at a time, and the log says so', async () => {
  const { caller, incidentId } = await openIncident()
  const colleague = await world.as('viewer', { orgId: caller.orgId })
  const added = await caller.call(verbOf(addIncidentTask), {
    incidentId,
    text: '  Call the family ',
    assigneeId: colleague.userId,
    dueAt: at('09:00'),
  })
  await caller.call(verbOf(addIncidentTask), { incidentId, text: 'Insurance form' })
  expect((await roomOf(caller, incidentId)).tasks).toMatchObject([
    {
      id: added.id,
      text: 'Call the family',
      assignee: { userId: colleague.userId, name: 'Test viewer' },
      dueAt: at('09:00'),
      doneAt: null,
      doneByName: null,
    },
    { text: 'Insurance form', assignee: null, dueAt: null },
  ])
  expect((await caller.call(verbOf(listIncidents), {})).rows).toMatchObject([{ openTasks: 2, taskDueAt: at('09:00') }])

  const done = await caller.call(verbOf(completeIncidentTask), added)
  const room = await roomOf(caller, incidentId)
  expect(room).toMatchObject({ openTasks: 1, taskDueAt: null })
  expect(room.tasks[0]).toMatchObject({ doneAt: at('08:30'), doneByName: 'Test dispatcher', version: done.version })
  expect(room.timeline[0]).toMatchObject({
    kind: 'task_done',
    text: 'Call the family',
    authorName: 'Test dispatcher',
  })

  await caller.call(verbOf(reopenIncidentTask), done)
  const again = await roomOf(caller, incidentId)
  expect(again.tasks[0]).toMatchObject({ doneAt: null, doneByName: null })
  expect(again.timeline.map(({ kind }) => kind).toSorted()).toEqual(['status', 'task_done', 'task_reopened'])
})

test('an open task is changed and removed, as often as nobody else was faster', async () => {
  const { caller, incidentId } = await openIncident()
  const added = await caller.call(verbOf(addIncidentTask), { incidentId, text: 'Van', dueAt: at('09:00') })
  const changed = await caller.call(verbOf(changeIncidentTask), {
    ...added,
    text: 'Reserve van to the airport',
    assigneeId: caller.userId,
  })
  expect((await roomOf(caller, incidentId)).tasks).toMatchObject([
    { text: 'Reserve van to the airport', assignee: { userId: caller.userId }, dueAt: null },
  ])
  for (const callable of [completeIncidentTask, removeIncidentTask]) {
    await expect(caller.call(verbOf(callable), added)).rejects.toMatchObject({
      code: 'aborted',
      details: { reason: 'version_conflict', current: changed.version },
    })
  }
  await caller.call(verbOf(removeIncidentTask), changed)
  const { tasks, timeline } = await roomOf(caller, incidentId)
  expect(tasks).toEqual([])
  // one line, of the removal that was not refused
  expect(timeline.filter(({ kind }) => kind === 'task_removed')).toMatchObject([
    { text: 'Reserve van to the airport', authorName: 'Test dispatcher' },
  ])
  await expect(caller.call(verbOf(completeIncidentTask), changed)).rejects.toMatchObject({ code: 'not-found' })
})

test('of two people who do the same task one is told who has done it', async () => {
  const { caller, incidentId } = await openIncident()
  const added = await caller.call(verbOf(addIncidentTask), { incidentId, text: 'Call the family' })
  const manager = await world.as('operations_manager', { orgId: caller.orgId })
  const answers = await Promise.allSettled([
    caller.call(verbOf(completeIncidentTask), added),
    manager.call(verbOf(completeIncidentTask), added),
  ])
  const room = await roomOf(caller, incidentId)
  const first = room.tasks[0]?.doneByName
  expect(['Test dispatcher', 'Test operations_manager']).toContain(first)
  expect(answers.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  expect(answers.find(({ status }) => status === 'rejected')).toMatchObject({
    reason: { code: 'aborted', details: { reason: 'task_done_already', name: first } },
  })
  expect(room.timeline.filter(({ kind }) => kind === 'task_done')).toHaveLength(1)
  // what is done is neither rewritten nor removed
  await expect(caller.call(verbOf(changeIncidentTask), { ...added, text: 'Other' })).rejects.toMatchObject({
    details: { reason: 'task_done_already' },
  })
  await expect(caller.call(verbOf(removeIncidentTask), added)).rejects.toMatchObject({
    details: { reason: 'task_done_already' },
  })
})

test('with open tasks an incident is resolved only with a note, and the tasks stay open', async () => {
  const { caller, incidentId } = await openIncident()
  await caller.call(verbOf(addIncidentTask), { incidentId, text: 'Insurance form' })
  let saved = { id: incidentId, version: 1 }
  for (const to of ['triaged', 'active', 'stabilised'] as const) {
    saved = await caller.call(verbOf(setIncidentStatus), { ...saved, to })
  }
  await expect(caller.call(verbOf(setIncidentStatus), { ...saved, to: 'resolved' })).rejects.toMatchObject({
    code: 'aborted',
    details: { reason: 'incident_tasks_open', count: 1 },
  })
  await caller.call(verbOf(setIncidentStatus), { ...saved, to: 'resolved', note: 'Íris sends the form tomorrow.' })
  expect(await roomOf(caller, incidentId)).toMatchObject({ status: 'resolved', openTasks: 1 })
})

test('a task goes to an active member who may read incidents', async () => {
  const { caller, incidentId } = await openIncident()
  const guide = await world.as('guide', { orgId: caller.orgId })
  const stranger = await world.as('dispatcher')
  for (const assigneeId of [guide.userId, stranger.userId]) {
    await expect(
      caller.call(verbOf(addIncidentTask), { incidentId, text: 'Call the family', assigneeId }),
    ).rejects.toMatchObject({
      code: 'invalid-argument',
      details: { fieldIssues: { assigneeId: [{ code: 'assignee_unknown' }] } },
    })
  }
})

test('viewers read tasks and change none; nobody reaches those of another organization', async () => {
  const { caller, incidentId } = await openIncident()
  const added = await caller.call(verbOf(addIncidentTask), { incidentId, text: 'Call the family' })
  const viewer = await world.as('viewer', { orgId: caller.orgId })
  expect((await roomOf(viewer, incidentId)).tasks).toHaveLength(1)
  await expect(viewer.call(verbOf(completeIncidentTask), added)).rejects.toMatchObject({ code: 'permission-denied' })
  const stranger = await world.as('dispatcher')
  await expect(stranger.call(verbOf(completeIncidentTask), added)).rejects.toMatchObject({ code: 'not-found' })
  await expect(stranger.call(verbOf(addIncidentTask), { incidentId, text: 'x' })).rejects.toMatchObject({
    code: 'not-found',
  })
  await expect(caller.call(verbOf(addIncidentTask), { incidentId, text: '   ' })).rejects.toMatchObject({
    code: 'invalid-argument',
  })
})

test('the schema holds what a task is: a text, of one organization, done at a time by somebody', async () => {
  const { caller, incidentId } = await openIncident()
  const stranger = await world.as('dispatcher')
  const insert = (orgId: string, text: string, doneAt: string | null, assignee: string | null) =>
    caller.transaction((tx) =>
      sql`insert into incident_tasks (org_id, id, incident_id, text, done_at, assignee_id)
        values (${orgId}, ${newId()}, ${incidentId}, ${text}, ${doneAt}, ${assignee})`.execute(tx),
    )
  await expect(insert(caller.orgId, '', null, null)).rejects.toThrow(/incident_tasks_text_length/)
  await expect(insert(caller.orgId, 'x'.repeat(201), null, null)).rejects.toThrow(/incident_tasks_text_length/)
  await expect(insert(caller.orgId, 'x', at('09:00'), null)).rejects.toThrow(/incident_tasks_done_whole/)
  await expect(insert(caller.orgId, 'x', null, stranger.userId)).rejects.toMatchObject({
    details: { reason: 'reference_missing' },
  })
  await expect(insert(stranger.orgId, 'x', null, null)).rejects.toThrow(/row-level security/)
})
