import { mergeIncident } from '@tour-ops/contract/monitoring/incident-merge'
import { addIncidentTask, completeIncidentTask } from '@tour-ops/contract/monitoring/incident-tasks'
import { noteIncident, reportIncident, setIncidentStatus } from '@tour-ops/contract/monitoring/incidents'
import { updateOwnPreferences } from '@tour-ops/contract/settings/settings'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { notices } from '../../../testing/inbox.ts'
import { verbsOf } from '../../../testing/verbs.ts'
import { type TestCaller, testDatabase, type TestWorld } from '../../../testing/world.ts'
import { allVerbs } from '../../verbs.ts'

let world: TestWorld
beforeAll(async () => {
  world = await testDatabase()
})
afterAll(() => world.close())

const verbOf = verbsOf(allVerbs)

/** An incident that a dispatcher reported and owns, and a manager of the same office. */
async function openIncident() {
  const owner = await world.as('dispatcher')
  const manager = await world.as('operations_manager', { orgId: owner.orgId })
  const { id, number } = await report(owner, 'Bus. com broken')
  const say = (person: TestCaller, text = 'She has asthma') => person.call(verbOf(noteIncident), { id, text })
  return { owner, manager, id, number, say }
}

const report = (person: TestCaller, title: string) =>
  person.call(verbOf(reportIncident), { category: 'vehicle', severity: 2, title })
const bodies = async (person: TestCaller) => (await notices(world, person)).map(({ body }) => body)

test('who takes part hears that somebody else has changed an incident, and not what was written', async () => {
  const { owner, manager, id, number, say } = await openIncident()
  const stranger = await world.as('dispatcher', { orgId: owner.orgId })
  await say(manager)
  expect(await notices(world, owner)).toEqual([
    {
      title: `${number}: Bus. com broken`,
      body: 'Note · Test operations_manager',
      link: `/tools/monitoring?incident=${id}`,
    },
  ])
  // who has written takes part from then on
  await owner.call(verbOf(setIncidentStatus), { id, version: 1, to: 'triaged', note: 'A second bus comes' })
  expect(await bodies(manager)).toEqual(['Triaged · Test dispatcher'])
  expect(await bodies(owner)).toHaveLength(1)
  expect(await bodies(stranger)).toEqual([])
})

test('who has a task takes part, and who may no longer open incidents hears nothing', async () => {
  const { owner, manager, id, say } = await openIncident()
  const assignee = await world.as('dispatcher', { orgId: owner.orgId })
  const guide = await world.as('guide', { orgId: owner.orgId })
  const task = await owner.call(verbOf(addIncidentTask), { incidentId: id, text: 'Call', assigneeId: assignee.userId })
  await owner.transaction((tx) =>
    tx.updateTable('incidents').set({ reported_by: guide.userId }).where('id', '=', id).execute(),
  )
  await say(manager)
  expect(await bodies(assignee)).toEqual(['Note · Test operations_manager'])
  expect(await bodies(guide)).toEqual([])
  await assignee.call(verbOf(completeIncidentTask), task)
  expect(await bodies(owner)).toEqual(['Note · Test operations_manager', 'Task done · Test dispatcher'])
})

test('who took part in what was merged into an incident hears of that one', async () => {
  const { owner, manager, id, say } = await openIncident()
  const other = await world.as('dispatcher', { orgId: owner.orgId })
  const second = await report(other, 'Bus broken')
  await owner.call(verbOf(mergeIncident), { id: second.id, version: 1, intoId: id })
  await say(manager)
  expect(await bodies(other)).toEqual(['Merged · Test dispatcher', 'Note · Test operations_manager'])
})

test('of a merge those hear who take part in either, once, and who took part in what was merged before hears of the last one', async () => {
  const { owner, manager, id } = await openIncident()
  const others = await Promise.all([1, 2].map(() => world.as('dispatcher', { orgId: owner.orgId })))
  const [first, second] = others
  if (!first || !second) throw new Error('There are two')
  const one = await report(first, 'Bus broken')
  const two = await report(second, 'Bus stopped')
  await manager.call(verbOf(mergeIncident), { id: one.id, version: 1, intoId: two.id })
  for (const person of others) expect(await bodies(person)).toEqual(['Merged · Test operations_manager'])
  expect((await notices(world, second))[0]?.title).toBe(`${two.number}: Bus stopped`)
  // who merges takes part in both and is told of neither
  await manager.call(verbOf(mergeIncident), { id: two.id, version: 1, intoId: id })
  expect(await bodies(owner)).toEqual(['Merged · Test operations_manager'])
  expect(await bodies(first)).toHaveLength(2)
  await owner.call(verbOf(noteIncident), { id, text: 'A second bus comes' })
  for (const person of others)
    expect(await bodies(person)).toEqual([
      'Merged · Test operations_manager',
      'Merged · Test operations_manager',
      'Note · Test dispatcher',
    ])
  expect(await bodies(manager)).toEqual(['Note · Test dispatcher'])
})

test('it is switched off by each person, and in their language', async () => {
  const { owner, manager, say } = await openIncident()
  await owner.call(verbOf(updateOwnPreferences), { settings: { events: {}, language: 'de' } })
  await say(manager)
  await owner.call(verbOf(updateOwnPreferences), { settings: { events: { incident_updated: [] }, language: 'de' } })
  await say(manager)
  expect(await bodies(owner)).toEqual(['Notiz · Test operations_manager'])
})
