import { setTimeout as sleep } from 'node:timers/promises'
import { AppError } from '@tour-ops/contract/errors'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { TransactionScope } from './database.ts'
import { movableClock } from '../clock.ts'
import { newId } from '../ids.ts'
import { testDatabase, type TestCaller, type TestWorld } from '../../../testing/world.ts'

let world: TestWorld
let admin: TestCaller
beforeAll(async () => {
  world = await testDatabase()
  admin = await world.as('admin')
})
afterAll(() => world.close())

const scopeOf = (caller: TestCaller, more: Partial<TransactionScope> = {}): TransactionScope => ({
  orgId: caller.orgId,
  actor: { kind: 'user', id: caller.userId },
  action: 'test',
  requestId: newId(),
  ...more,
})

test('a transaction sees the rows of its organization and no others', async () => {
  const stranger = await world.as('admin')
  const seen = await admin.transaction((tx) => tx.selectFrom('members').select('org_id').execute())
  expect(seen).toEqual([{ org_id: admin.orgId }])
  expect(stranger.orgId).not.toBe(admin.orgId)
})

test('without an organization there are no rows and no error', async () => {
  const seen = await world.database.transaction({ ...scopeOf(admin), orgId: null }, (tx) =>
    tx.selectFrom('members').select('org_id').execute(),
  )
  expect(seen).toEqual([])
})

test('a row of another organization cannot be written', async () => {
  const stranger = await world.as('admin')
  const write = admin.transaction((tx) =>
    tx.insertInto('places').values({ org_id: stranger.orgId, id: newId(), name: 'Theirs', lat: 1, lng: 1 }).execute(),
  )
  await expect(write).rejects.toMatchObject({ code: '42501' })
})

test('the settings of a transaction are gone after it', async () => {
  await admin.transaction(async () => undefined)
  const { rows } = await sql<{ org: string | null; role: string }>`
    select nullif(current_setting('app.org_id', true), '') as org, current_user as role`.execute(world.database.kysely)
  expect(rows[0]?.org).toBeNull()
  expect(rows[0]?.role).not.toBe('app_user')
})

test('a transaction acts without the rights of a superuser and says who acts', async () => {
  const { rows } = await admin.transaction((tx) =>
    sql`select (select rolsuper from pg_roles where rolname = current_user) as super, pg_has_role('app_user', 'usage') as member,
      app_user_id() as "user", current_setting('app.actor_kind') as kind, current_setting('app.action') as action`.execute(
      tx,
    ),
  )
  expect(rows).toEqual([{ super: false, member: true, user: admin.userId, kind: 'user', action: 'test' }])
})

test('a clock of one’s own is the database’s clock as well, the system’s clock is not sent', async () => {
  const at = new Date('2026-05-04T03:02:01.000Z')
  const nowIn = async (scope: TransactionScope): Promise<Date | undefined> =>
    world.database.transaction(
      scope,
      async (tx) => (await sql<{ now: Date }>`select app_now() as now`.execute(tx)).rows[0]?.now,
    )
  expect(await nowIn(scopeOf(admin, { clock: movableClock(at) }))).toEqual(at)
  expect(Number(await nowIn(scopeOf(admin)))).toBeGreaterThan(at.getTime())
})

test('values arrive as plain numbers, texts and dates', async () => {
  const { rows } = await world.database.pool.query(`
    select 12::int8 as number, 9007199254740993::int8 as beyond, '2026-01-31'::date as day, '09:05'::time as time,
      '2026-01-31 09:05'::timestamp as local, array['2026-01-31'::date, null] as days, array[1, 2]::int8[] as numbers,
      array['2026-01-31 09:05'::timestamp] as locals, '{}'::int8[] as none, '2026-01-31T00:00:00Z'::timestamptz as instant,
      '{"a": [1]}'::jsonb as json`)
  expect(rows[0]).toEqual({
    number: 12,
    beyond: '9007199254740993',
    day: '2026-01-31',
    time: '09:05:00',
    local: '2026-01-31 09:05:00',
    days: ['2026-01-31', null],
    numbers: [1, 2],
    locals: ['2026-01-31 09:05:00'],
    none: [],
    instant: new Date('2026-01-31T00:00:00Z'),
    json: { a: [1] },
  })
})

test('what a verb throws rolls everything back and arrives unchanged', async () => {
  const refusal = new AppError('not-found', 'No such tour.')
  const id = newId()
  const write = admin.transaction(async (tx) => {
    await tx.insertInto('places').values({ org_id: admin.orgId, id, name: 'Harbor', lat: 1, lng: 1 }).execute()
    throw refusal
  })
  await expect(write).rejects.toBe(refusal)
  const found = await admin.transaction((tx) => tx.selectFrom('places').select('id').where('id', '=', id).execute())
  expect(found).toEqual([])
})

test('a serialization failure is repeated, four attempts in all', async () => {
  const conflict = Object.assign(new Error('could not serialize access'), { severity: 'ERROR', code: '40001' })
  let attempts = 0
  const result = await world.database.transaction(scopeOf(admin), async () => {
    attempts += 1
    if (attempts < 3) throw conflict
    return 'done'
  })
  expect([result, attempts]).toEqual(['done', 3])
  attempts = 0
  const hopeless = world.database.transaction(scopeOf(admin), async () => {
    attempts += 1
    throw conflict
  })
  await expect(hopeless).rejects.toMatchObject({ code: 'aborted', details: { reason: 'conflict' } })
  expect(attempts).toBe(4)
})

test('an abort before, between and after statements ends in cancelled, and nothing is written', async () => {
  const already = world.database.transaction(scopeOf(admin, { signal: AbortSignal.abort() }), async () => 'ran')
  await expect(already).rejects.toMatchObject({ code: 'cancelled' })
  for (const moment of ['between', 'after']) {
    const abort = new AbortController()
    const id = newId()
    const write = world.database.transaction(scopeOf(admin, { signal: abort.signal }), async (tx) => {
      await tx.insertInto('places').values({ org_id: admin.orgId, id, name: 'Harbor', lat: 1, lng: 1 }).execute()
      abort.abort()
      if (moment === 'between') await tx.selectFrom('places').select('id').execute()
    })
    await expect(write).rejects.toMatchObject({ code: 'cancelled' })
    const found = await admin.transaction((tx) => tx.selectFrom('places').select('id').where('id', '=', id).execute())
    expect(found).toEqual([])
  }
})

test('a deadline is distinguished from a caller who went away', async () => {
  const late = world.database.transaction(scopeOf(admin, { signal: AbortSignal.timeout(30) }), async (tx) => {
    await sleep(60)
    await sql`select 1`.execute(tx)
  })
  await expect(late).rejects.toMatchObject({ code: 'deadline-exceeded' })
})

test('a notification arrives after the commit, until it is no longer wanted', async () => {
  const heard: string[] = []
  const stop = await world.database.listen('greetings', (payload) => heard.push(payload))
  await admin.transaction(async (tx) => {
    await sql`select pg_notify('greetings', 'hello')`.execute(tx)
    expect(heard).toEqual([])
  })
  await expect.poll(() => heard).toEqual(['hello'])
  await stop()
  await admin.transaction((tx) => sql`select pg_notify('greetings', 'again')`.execute(tx))
  await sleep(100)
  expect(heard).toEqual(['hello'])
})
