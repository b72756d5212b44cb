import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { testDatabase, type TestCaller, type TestWorld } from '../../../testing/world.ts'
import { addDevicePaired, insertGuide } from '../../../testing/tracking.ts'
import { movableClock } from '../clock.ts'
import { newId } from '../ids.ts'
import { keepPositionDays, prune, registerHousekeeping, sharedLinkTimes, sweepOrganizations } from './housekeeping.ts'

let world: TestWorld
beforeAll(async () => {
  world = await testDatabase()
})
afterAll(() => world?.close())

const at = (hours: number) => ({ ...world.services, clock: movableClock(new Date(Date.now() + hours * 3_600_000)) })

async function addLink(member: TestCaller, startsInHours: number, expiresInHours: number): Promise<string> {
  const id = newId()
  await member.transaction((tx) =>
    sql`insert into shared_links (org_id, id, kind, subject_id, label, starts_at, expires_at, status)
      values (${member.orgId}, ${id}, 'live_map', 'all', 'Test',
        now() + ${startsInHours} * interval '1 hour', now() + ${expiresInHours} * interval '1 hour',
        ${startsInHours > 0 ? 'scheduled' : 'active'})`.execute(tx),
  )
  return id
}
const statusOf = (member: TestCaller, id: string) =>
  member.transaction(async (tx) => {
    const { rows } = await sql<{ status: string }>`select status from shared_links where id = ${id}`.execute(tx)
    return rows[0]?.status
  })

test('links open and close by the clock, in every organization', async () => {
  const members = [await world.as('dispatcher'), await world.as('dispatcher')]
  for (const member of members) {
    const link = await addLink(member, 1, 3)
    await sweepOrganizations(at(0), [sharedLinkTimes])
    expect(await statusOf(member, link)).toBe('scheduled')
    await sweepOrganizations(at(2), [sharedLinkTimes])
    expect(await statusOf(member, link)).toBe('active')
    await sweepOrganizations(at(4), [sharedLinkTimes])
    expect(await statusOf(member, link)).toBe('expired')
  }
})

test('the trouble of one organization does not stop the others', async () => {
  const [first, second] = [await world.as('dispatcher'), await world.as('dispatcher')]
  const reached: string[] = []
  const sweep = {
    action: 'test-sweep',
    run: async (_tx: unknown, orgId: string) => {
      if (orgId === first.orgId) throw new Error('broken')
      reached.push(orgId)
    },
  }
  await expect(sweepOrganizations(world.services, [sweep])).rejects.toThrow('1 sweep failed')
  expect(reached).toContain(second.orgId)
})

test('a step of the night that fails keeps no other from its work, and the job says that it failed', async () => {
  const jobs = new Map<string, () => Promise<unknown>>()
  const register = (name: string, run: () => Promise<unknown>) => void jobs.set(name, run)
  const reached: string[] = []
  const nightly = [
    async () => Promise.reject(new Error('no space left')),
    async () => {
      reached.push('old passports')
    },
  ]
  registerHousekeeping({ ...world.services, jobs: { register } as never }, { sweeps: [], nightly })
  await expect(jobs.get('nightly')?.()).rejects.toThrow('1 step failed')
  expect(reached).toEqual(['old passports'])
})

test('the change log keeps three days and always its newest old row, idempotency keys two days', async () => {
  const ada = await world.as('dispatcher')
  await ada.transaction((tx) =>
    sql`insert into idempotency_keys (org_id, key, callable, request_hash) values (${ada.orgId}, 'one-key-12345', 'x', 'y')`.execute(
      tx,
    ),
  )
  const count = async (table: 'changes' | 'idempotency_keys') => {
    const { rows } = await world.database.ownerPool.query<{ count: number }>(`select count(*) from ${table}`)
    return Number(rows[0]?.count)
  }
  const changes = await count('changes')
  await prune(at(0))
  expect(await count('changes')).toBe(changes)
  await prune(at(49))
  expect(await count('changes')).toBe(changes)
  expect(await ada.transaction((tx) => sql`select 1 from idempotency_keys`.execute(tx))).toMatchObject({ rows: [] })
  await prune(at(73))
  expect(await count('changes')).toBe(1)
})

test('the days of positions are created ahead', async () => {
  await keepPositionDays(world.services)
  const { rows } = await world.database.pool.query<{ days: number }>(`
    select count(*) as days from pg_class where relname ~ '^positions_\\d{8}$' and right(relname, 8) >= to_char(current_date, 'YYYYMMDD')`)
  expect(Number(rows[0]?.days)).toBe(15)
})

test('an organization that keeps positions for a shorter time has none of before, and the others have theirs', async () => {
  const ages = [6, 7, 8, 29, 31]
  const clock = movableClock(new Date())
  const [short, long] = [
    await world.as('operations_manager', { clock }),
    await world.as('operations_manager', { clock }),
  ]
  await short.transaction((tx) => sql`update org_settings set positions_days = 7`.execute(tx))
  await long.transaction((tx) => sql`update org_settings set positions_days = 31`.execute(tx))
  for (const days of ages)
    await world.database.pool.query('select ensure_position_days(current_date - $1::int, current_date - $1::int)', [
      days,
    ])
  for (const office of [short, long]) {
    const staffId = await insertGuide(office)
    const { id: deviceId } = await addDevicePaired({ world, office, clock }, { staffId })
    await office.transaction(async (tx) => {
      const sessionId = newId()
      await sql`insert into duty_sessions (org_id, id, staff_id, started_at, consent_version)
        values (${office.orgId}, ${sessionId}, ${staffId}, now() - interval '40 days', '1')`.execute(tx)
      for (const days of ages)
        await sql`insert into positions (org_id, device_id, duty_session_id, recorded_at, lat, lng)
          values (${office.orgId}, ${deviceId}, ${sessionId}, current_date - ${days}::int + time '12:00', 64, -21)`.execute(
          tx,
        )
    })
  }
  const agesOf = (office: TestCaller) =>
    office.transaction(async (tx) => {
      const { rows } = await sql<{ days: number }>`
        select current_date - recorded_at::date as days from positions order by 1`.execute(tx)
      return rows.map(({ days }) => days)
    })
  expect(await agesOf(short)).toEqual(ages)
  await keepPositionDays(world.services)
  expect(await agesOf(short)).toEqual([6, 7])
  expect(await agesOf(long)).toEqual(ages)
})
