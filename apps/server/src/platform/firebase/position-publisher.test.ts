import type { LivePosition } from '@tour-ops/contract/live/live-paths'
import { livePath } from '@tour-ops/contract/live/live-paths'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { samplesOf } from '../../../testing/row-writer.ts'
import { testDatabase, type TestCaller, type TestWorld } from '../../../testing/world.ts'
import type { LiveStore, ServerWrite } from './firestore-writer.ts'
import { PositionPublisher } from './position-publisher.ts'

let world: TestWorld
let published: ServerWrite[] = []
let isStoreDown = false
const store: LiveStore = {
  commit: async (writes) => {
    if (isStoreDown) throw new Error('the store is down')
    published.push(...writes)
  },
}
const newPublisher = () => new PositionPublisher({ ...world.services, store })

beforeAll(async () => {
  world = await testDatabase()
})
afterAll(() => world?.close())
beforeEach(() => {
  published = []
  isStoreDown = false
})

/** An organization in which somebody is on duty, seen at 64 degrees, and what was written about it. */
async function field() {
  const office: TestCaller = await world.as('dispatcher')
  const samples = await samplesOf(office)
  const [staffId, sessionId, departureId] = [
    samples.id('field_staff'),
    samples.id('duty_sessions'),
    samples.id('departures'),
  ]
  const run = (text: string) => office.transaction((tx) => sql.raw(text).execute(tx))
  return {
    staffId,
    departureId,
    path: (id: string) => livePath.position(office.orgId, id),
    writes: () => published.filter(({ path }) => path.startsWith(`orgs/${office.orgId}/`)),
    move: (lat: number) =>
      run(`update latest_positions set lat = ${lat}, received_at = app_now() where staff_id = '${staffId}'`),
    leadTo: (id: string | null) =>
      run(`update duty_sessions set departure_id = ${id === null ? 'null' : `'${id}'`} where id = '${sessionId}'`),
    endDuty: () =>
      run(
        `update duty_sessions set status = 'closed', ended_at = greatest(now(), started_at) where id = '${sessionId}'`,
      ),
  }
}

const subjectsIn = (write: ServerWrite | undefined): LivePosition[] =>
  write?.kind === 'set' ? (write.data['subjects'] as unknown as LivePosition[]) : []

test('a departure is one document, written when somebody on it has moved, and not otherwise', async () => {
  const { staffId, departureId, path, writes, move, leadTo } = await field()
  await leadTo(departureId)
  const publisher = newPublisher()
  await publisher.publish()
  expect(writes()).toMatchObject([{ kind: 'set', path: path(departureId) }])
  expect(subjectsIn(writes()[0])).toMatchObject([{ subjectKind: 'staff', subjectId: staffId, departureId, lat: 64 }])
  await publisher.publish()
  expect(writes()).toHaveLength(1)
  await move(65)
  await publisher.publish()
  expect(writes()).toHaveLength(2)
  expect(subjectsIn(writes()[1])).toMatchObject([{ lat: 65 }])
})

test('who changes to a departure leaves the own document, and who ends duty leaves none', async () => {
  const { staffId, departureId, path, writes, leadTo, endDuty } = await field()
  await leadTo(null)
  const publisher = newPublisher()
  await publisher.publish()
  expect(writes()).toMatchObject([{ kind: 'set', path: path(staffId) }])
  await leadTo(departureId)
  published = []
  await publisher.publish()
  expect(writes()).toMatchObject([
    { kind: 'set', path: path(departureId) },
    { kind: 'delete', path: path(staffId) },
  ])
  await endDuty()
  published = []
  await publisher.publish()
  expect(writes()).toEqual([{ kind: 'delete', path: path(departureId) }])
  published = []
  await publisher.publish()
  expect(writes()).toEqual([])
})

test('a server that comes after a killed one removes what that one has left', async () => {
  const { departureId, path, writes, leadTo, endDuty } = await field()
  await leadTo(departureId)
  await newPublisher().publish()
  await endDuty()
  published = []
  await newPublisher().publish()
  expect(writes()).toEqual([{ kind: 'delete', path: path(departureId) }])
})

test('of two servers each writes what it has not written yet, and neither brings back what the other one removed', async () => {
  const { departureId, path, writes, move, leadTo, endDuty } = await field()
  await leadTo(departureId)
  const [one, two] = [newPublisher(), newPublisher()]
  await one.publish()
  await move(65)
  await two.publish()
  expect(subjectsIn(writes().at(-1))).toMatchObject([{ lat: 65 }])
  await one.publish()
  expect(subjectsIn(writes().at(-1))).toMatchObject([{ lat: 65 }])
  await endDuty()
  published = []
  await Promise.all([one.publish(), two.publish()])
  expect(writes()).toEqual([{ kind: 'delete', path: path(departureId) }])
  published = []
  await one.publish()
  await two.publish()
  expect(writes()).toEqual([])
})

test('a store that refuses in one organization is asked for the others too', async () => {
  const [first, second] = [await field(), await field()]
  await first.leadTo(first.departureId)
  await second.leadTo(second.departureId)
  const refusing: LiveStore = {
    commit: async (some) => {
      if (some.some(({ path }) => path === first.path(first.departureId))) throw new Error('refused')
      await store.commit(some)
    },
  }
  await expect(new PositionPublisher({ ...world.services, store: refusing }).publish()).rejects.toThrow(
    '1 organization failed',
  )
  expect(second.writes()).toMatchObject([{ kind: 'set', path: second.path(second.departureId) }])
})

test('what the store refused is written with the next round, and removed too', async () => {
  const { departureId, path, writes, leadTo, endDuty } = await field()
  await leadTo(departureId)
  const publisher = newPublisher()
  isStoreDown = true
  await expect(publisher.publish()).rejects.toThrow(/organizations? failed/)
  isStoreDown = false
  await publisher.publish()
  expect(writes()).toMatchObject([{ kind: 'set', path: path(departureId) }])
  await endDuty()
  isStoreDown = true
  await expect(publisher.publish()).rejects.toThrow(/organizations? failed/)
  isStoreDown = false
  published = []
  await publisher.publish()
  expect(writes()).toEqual([{ kind: 'delete', path: path(departureId) }])
})
