import { livePath } from '@tour-ops/contract/live/live-paths'
import { documentsInTable, takesPositionTables } from '@tour-ops/contract/live/position-table'
import { sql } from 'kysely'
import { pino } from 'pino'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startLiveTestServer, testToken, type LiveTestServer, type TestListener } from '../../../testing/listen.ts'
import { insertRow, sampleRow } from '../../../testing/sample-rows.ts'
import { samplesOf } from '../../../testing/row-writer.ts'
import { testDatabase, type TestCaller, type TestWorld } from '../../../testing/world.ts'
import { openLive, type LiveServer } from './live.ts'

// Positions travel as values, from the table of the latest ones. Read every 50 ms here, every second in the product.

let world: TestWorld
let live: LiveServer
let server: LiveTestServer
beforeAll(async () => {
  world = await testDatabase()
  live = await openLive({ db: world.database, log: pino({ level: 'silent' }), mode: 'poll', positionsEveryMs: 50 })
  server = await startLiveTestServer(live)
})
afterAll(async () => {
  await server?.close()
  await live?.close()
  await world?.close()
})

interface Field {
  readonly office: TestCaller
  readonly staffId: string
  readonly sessionId: string
  /** Moves the person there. */
  readonly move: (lat: number) => Promise<unknown>
  readonly change: (set: string) => Promise<unknown>
}

/** An organization in which somebody is on duty, seen at 64 degrees. */
async function field(): Promise<Field> {
  const office = await world.as('dispatcher')
  const samples = await samplesOf(office)
  const [staffId, sessionId] = [samples.id('field_staff'), samples.id('duty_sessions')]
  const run = (text: string) => office.transaction((tx) => sql.raw(text).execute(tx))
  return {
    office,
    staffId,
    sessionId,
    move: (lat) =>
      run(`update latest_positions set lat = ${lat}, received_at = app_now() where staff_id = '${staffId}'`),
    change: (set) => run(`update duty_sessions set ${set} where id = '${sessionId}'`),
  }
}

async function listen(caller: TestCaller, target: string): Promise<TestListener> {
  const listener = await server.listen(testToken(caller.caller), [target])
  await listener.until(({ event }) => event === 'current')
  return listener
}

const at = (listener: TestListener, lat: number) =>
  listener.until(({ event, data }) => event === 'document' && data.data?.['lat'] === lat)
const documentsIn = ({ frames }: TestListener) => frames.filter(({ frame }) => frame.event === 'document')

test('the map begins with everybody on duty and is sent what moves, and nothing of what does not', async () => {
  const { office, staffId, move } = await field()
  const { rows } = await office.transaction((tx) =>
    sql<{ id: string }>`insert into field_staff (org_id, id, code, first_name, last_name)
      values (${office.orgId}, uuidv7(), 'BO', 'Bo', 'Still') returning id`.execute(tx),
  )
  const stillId = rows[0]?.id ?? ''
  const samples = { orgId: office.orgId, userId: office.userId, id: () => stillId }
  const device = sampleRow('devices', samples, { staff_id: stillId })
  const session = sampleRow('duty_sessions', samples, { staff_id: stillId })
  await office.transaction(async (tx) => {
    await insertRow(tx, 'devices', device)
    await insertRow(tx, 'duty_sessions', session)
    await insertRow(
      tx,
      'latest_positions',
      sampleRow('latest_positions', samples, {
        staff_id: stillId,
        device_id: device['id'],
        duty_session_id: session['id'],
      }),
    )
  })
  const map = await listen(office, livePath.positions(office.orgId))
  const first = await map.until(({ event, data }) => event === 'document' && data.path.endsWith(staffId))
  expect(first.data).toMatchObject({ data: { subjectKind: 'staff', subjectId: staffId, lat: 64, lng: -21 } })
  await move(65)
  await at(map, 65)
  const told = documentsIn(map).length
  await move(66)
  await at(map, 66)
  expect(documentsIn(map).length - told).toBe(1)
  map.cut()
})

test.each([
  ['the duty ends', `status = 'closed', ended_at = greatest(now(), started_at)`],
  ['a break begins', 'break_started_at = now()'],
  ['the consent is withdrawn', 'consent_version = null'],
])('who is seen disappears when %s', async (_, set) => {
  const { office, staffId, change } = await field()
  const map = await listen(office, livePath.positions(office.orgId))
  await at(map, 64)
  await change(set)
  const removed = await map.until(({ event }) => event === 'removed')
  expect(removed.data).toEqual({ path: livePath.position(office.orgId, staffId) })
  const later = await listen(office, livePath.positions(office.orgId))
  expect(documentsIn(later)).toEqual([])
  map.cut()
  later.cut()
})

test('a reader who takes positions by columns is sent the same ones so, and a guide on the same server theirs as a document', async () => {
  const { office, staffId, move, change } = await field()
  const guide = await world.as('guide', { orgId: office.orgId, staffId })
  const target = livePath.positions(office.orgId)
  const map = await listen(office, target)
  const own = await listen(guide, livePath.position(office.orgId, staffId))
  const byColumns = await server.listen(testToken(office.caller), [target], { accept: takesPositionTables })
  await byColumns.until(({ event }) => event === 'current')
  await move(65)
  const table = await byColumns.until(({ event }) => event === 'positions')
  const document = await at(map, 65)
  expect(table.event === 'positions' && documentsInTable(table.data)).toEqual([document.data])
  expect((await at(own, 65)).data).toEqual(document.data)
  await change('break_started_at = now()')
  const removed = await byColumns.until(({ event }) => event === 'removed')
  expect(removed.data).toEqual({ path: livePath.position(office.orgId, staffId) })
  for (const listener of [map, own, byColumns]) listener.cut()
})

test('a guide gets only their own position, and other organizations get nothing', async () => {
  const { office, staffId, move } = await field()
  const eve = await world.as('dispatcher')
  const guide = await world.as('guide', { orgId: office.orgId, staffId })
  const own = await listen(guide, livePath.position(office.orgId, staffId))
  const elsewhere = await listen(eve, livePath.positions(eve.orgId))
  const refused = await server.listen(testToken(guide.caller), [livePath.positions(office.orgId)])
  await refused.until(({ event }) => event === 'refused')
  await move(65)
  await at(own, 65)
  expect(documentsIn(refused)).toEqual([])
  expect(documentsIn(elsewhere)).toEqual([])
  for (const listener of [own, elsewhere, refused]) listener.cut()
})

test('a client that reconnects gets all of it again, since positions are in no log', async () => {
  const { office, move } = await field()
  const target = livePath.positions(office.orgId)
  const map = await listen(office, target)
  const lastEventId = map.lastEventId()
  map.cut()
  await move(65)
  const again = await server.listen(testToken(office.caller), [target], { lastEventId, known: [target] })
  await at(again, 65)
  const hello = await again.until(({ event }) => event === 'hello')
  expect(hello.data).toEqual({ fresh: [target] })
  again.cut()
})
