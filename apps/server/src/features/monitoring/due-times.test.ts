import { AppError } from '@tour-ops/contract/errors'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Random, seededRandom } from '../../../seed/random.ts'
import { alertSteps, weightedSteps } from '../../../testing/alert-steps.ts'
import { alertsBegin, type AlertsOffice, alertsOffice, hear } from '../../../testing/alerts-office.ts'
import { type TestCaller, testDatabase, type TestWorld } from '../../../testing/world.ts'
import type { Tx } from '../../platform/db/database.ts'
import { evaluateDue } from './due-evaluation.ts'
import { evaluateAlerts } from './evaluate-alerts.ts'

// Each condition with a clock in it has its moment in `next-dues.ts`: here alerts by those moments are compared with those of evaluating everything.

let world: TestWorld
beforeAll(async () => {
  world = await testDatabase()
})
afterAll(() => world.close())

const minuteMs = 60_000
/** Hundreds of evaluations. */
const timeoutMs = 240_000

interface Dump {
  readonly alerts: readonly { readonly kind: string }[]
  readonly states: readonly object[]
}

/** Every row of alerts, and what is stored of what was true. */
async function dump(tx: Tx, orgId: string): Promise<Dump> {
  const { rows: alerts } = await sql<{ kind: string }>`
    select kind, severity, status, dedupe_key, title, evidence, opened_at, resolved_at, resolution, snoozed_until, snoozed_stop_id from alerts
    where org_id = ${orgId} order by dedupe_key, opened_at, id`.execute(tx)
  const { rows: states } = await sql<object>`
    select subject_kind, subject_id, firing, lapsing from alert_dues where org_id = ${orgId} and (firing <> '{}' or lapsing <> '{}') order by 1, 2`.execute(
    tx,
  )
  return { alerts, states }
}

class RolledBack extends Error {}

/** What evaluating everything would have made of it, rolled back. */
async function evaluatedCompletely(caller: TestCaller): Promise<Dump | undefined> {
  let found: Dump | undefined
  await caller
    .transaction(async (tx) => {
      await evaluateAlerts(tx, caller.orgId)
      found = await dump(tx, caller.orgId)
      throw new RolledBack()
    })
    .catch((error: unknown) => {
      if (!(error instanceof RolledBack)) throw error
    })
  return found
}

const kinds = new Set<string>()
const happened = new Set<string>()

/** Evaluates what is due and compares. */
async function compare({ caller, services }: AlertsOffice, when: string): Promise<void> {
  await evaluateDue(services)
  const byDueTimes = await caller.transaction((tx) => dump(tx, caller.orgId))
  expect(byDueTimes, when).toEqual(await evaluatedCompletely(caller))
  for (const { kind } of byDueTimes.alerts) kinds.add(kind)
}

/** Takes one of the steps at random; what is refused, or finds nothing to change, has not happened. @returns its name. */
async function takeStep(office: AlertsOffice, random: Random): Promise<string> {
  for (;;) {
    const name = random.weighted(weightedSteps)
    const isDone = await office.caller
      .transaction(async (tx) => ((await alertSteps[name]?.(tx, office, random)) ?? 0) > 0)
      .catch((error: unknown) => {
        if (error instanceof AppError && error.code === 'aborted') return false
        throw error
      })
    if (isDone) return name
  }
}

test.each([1, 2, 3, 4, 5, 6, 7, 8, 9, 10])(
  'whatever happens in whatever order, alerts by due times are those of evaluating everything (%i)',
  async (seed) => {
    const office = await alertsOffice(world)
    const random = seededRandom(seed)
    let now = alertsBegin.getTime()
    for (let round = 0; round < 50; round += 1) {
      const count = random.weighted([
        [0, 4],
        [1, 4],
        [2, 2],
      ])
      const done: string[] = []
      for (let n = 0; n < count; n += 1) done.push(await takeStep(office, random))
      for (const name of done) happened.add(name)
      await compare(office, `round ${round} at ${new Date(now).toISOString()} after: ${done.join(', ')}`)
      now +=
        random.weighted([
          [1, 4],
          [random.between(2, 14), 8],
          [random.between(30, 150), 3],
        ]) * minuteMs
      office.clock.set(new Date(now))
    }
  },
  timeoutMs,
)

test(
  'two days on which nobody does anything: every alert that the clock alone opens, changes or ends comes at its time',
  async () => {
    const office = await alertsOffice(world)
    const { caller, clock, departures } = office
    for (const status of ['boarding', 'in_progress'])
      await caller.transaction((tx) =>
        sql`update departures set status = ${status} where id = ${departures[0]}`.execute(tx),
      )
    for (let now = alertsBegin.getTime(); now < Date.parse('2030-07-15T09:00:00Z'); now += 10 * minuteMs) {
      clock.set(new Date(now))
      if (now === Date.parse('2030-07-13T10:00:00Z'))
        await caller.transaction((tx) => hear(tx, office, { minutesAgo: 0, batteryPct: 30 }))
      await compare(office, new Date(now).toISOString())
    }
  },
  timeoutMs,
)

test('every step of the walks above has happened in one of them', () => {
  expect([...happened].toSorted()).toEqual(Object.keys(alertSteps).toSorted())
})

test('the walks above come past these kinds of alerts: a test of nothing would be green as well', () => {
  expect([...kinds].toSorted()).toEqual([
    'assignment_unanswered',
    'battery_low',
    'below_min_pax',
    'capacity_conflict',
    'certificate_expiring',
    'document_missing',
    'eta_miss',
    'headcount_mismatch',
    'hold_expiring',
    'late_start',
    'message_failed',
    'no_lead_guide',
    'no_show',
    'off_route',
    'rest_violation',
    'running_late',
    'service_unconfirmed',
    'signal_lost',
    'sos',
    'weather_warning',
  ])
})
