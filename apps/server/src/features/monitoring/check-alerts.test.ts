import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Services } from '../../context.ts'
import { alertsBegin, type AlertsOffice, alertsOffice, evaluateAllDue } from '../../../testing/alerts-office.ts'
import { testDatabase, type TestWorld } from '../../../testing/world.ts'
import { checkEverything } from './check-alerts.ts'
import { evaluateDue } from './due-evaluation.ts'

let world: TestWorld
beforeAll(async () => {
  world = await testDatabase()
})
afterAll(() => world.close())

/** An office in which the first departure has become late, as if nobody had thought of that moment. */
async function officeWithMissedMoment(): Promise<AlertsOffice> {
  const office = await alertsOffice(world)
  const { caller, clock, services } = office
  await evaluateDue(services)
  clock.set(new Date(alertsBegin.getTime() + 30 * 60_000))
  await evaluateAllDue(services)
  expect(await checkEverything(services, caller.orgId)).toEqual([])
  await caller.transaction((tx) =>
    sql`update alert_dues set due_at = 'infinity' where org_id = ${caller.orgId}`.execute(tx),
  )
  clock.set(new Date('2030-07-13T09:11:00Z'))
  return office
}

test('the check of everything reports what no due time led to, and nothing while due times are right', async () => {
  const { caller, services } = await officeWithMissedMoment()
  await evaluateDue(services)
  const missed = await checkEverything(services, caller.orgId)
  expect(missed.map(({ key }) => key.split(':')[0])).toContain('late_start')
})

test('what is due is evaluated before the check, and a change is no fault of due times', async () => {
  const { caller, services, departures } = await officeWithMissedMoment()
  await caller.transaction((tx) =>
    sql`update departures set delay_seconds = 60 where id = ${departures[0]}`.execute(tx),
  )
  const missed = await checkEverything(services, caller.orgId)
  expect(missed.map(({ key }) => key)).not.toContain(`late_start:${departures[0]}`)
})

test('what becomes due while the check waits for it belongs to the ticks', async (context) => {
  if (world.database.kind === 'pglite') return context.skip('PGlite has one connection, on which nothing waits')
  const { caller, services, departures } = await officeWithMissedMoment()
  const isHeld = Promise.withResolvers<void>()
  const isWaiting = Promise.withResolvers<void>()
  const marking = caller.transaction(async (tx) => {
    await sql`update alert_dues set due_at = app_now() where org_id = ${caller.orgId} and subject_id = ${departures[0]}`.execute(
      tx,
    )
    isHeld.resolve()
    await isWaiting.promise
  })
  await isHeld.promise
  const checking = checkEverything(services, caller.orgId)
  for (let waiting = 0; waiting === 0; await sleep(20)) {
    const [row] = await world.rows<{ waiting: number }>(
      `select count(*)::int as waiting from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
    )
    waiting = row?.waiting ?? 0
  }
  isWaiting.resolve()
  await marking
  const missed = await checking
  expect(missed.map(({ key }) => key)).not.toContain(`late_start:${departures[0]}`)
})

test('ticks read changes while the check evaluates', async (context) => {
  if (world.database.kind === 'pglite') return context.skip('PGlite has one connection: nothing runs at the same time')
  const { caller, services } = await officeWithMissedMoment()
  const free: boolean[] = []
  const transaction: Services['db']['transaction'] = (scope, run) =>
    services.db.transaction(scope, async (tx) => {
      const result = await run(tx)
      if (scope.action === 'alerts-check') {
        const rows = await world.rows(`select from alert_evaluations where org_id = $1 for update skip locked`, [
          caller.orgId,
        ])
        free.push(rows.length === 1)
      }
      return result
    })
  await checkEverything({ ...services, db: { ...services.db, transaction } }, caller.orgId)
  // the last one writes when the check ended
  expect(free.slice(0, -1)).toEqual([true, true])
})
