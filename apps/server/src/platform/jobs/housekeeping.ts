import { sql } from 'kysely'
import type { Services } from '../../context.ts'
import type { Tx } from '../db/database.ts'
import { newId } from '../ids.ts'
import { linkDeparture, linkEnd } from '../operations/link-end.ts'
import { plural } from '../plural.ts'

type HousekeepingServices = Pick<Services, 'db' | 'clock' | 'log' | 'jobs'>

/** Work that is done for one organization after the other, each in a separate transaction. */
export interface OrganizationSweep {
  /** What the audit log calls it. */
  readonly action: string
  readonly run: (tx: Tx, orgId: string) => Promise<unknown>
}

export interface Housekeeping {
  /** Every minute: what has expired by the clock. */
  readonly sweeps: readonly OrganizationSweep[]
  /** Every night, in addition to the jobs here. */
  readonly nightly?: readonly (() => Promise<unknown>)[]
}

const dayMs = 86_400_000
/** A stream may ask to resume from an event this old. 72 h cover a weekend. */
const changesMs = 3 * dayMs
/** A client that repeats a write later than this has forgotten about it. */
const idempotencyKeysMs = 2 * dayMs
/** Days of `positions` that are created ahead, so that no position waits for its table. */
const positionDaysAhead = 14

/** Says who does the work that happens by itself. Every process registers the same; each run happens in one of them. */
export function registerHousekeeping(services: HousekeepingServices, { sweeps, nightly = [] }: Housekeeping): void {
  const { jobs, log } = services
  jobs.register('sweep', () => sweepOrganizations(services, sweeps), { cron: '* * * * *', retryLimit: 0 })
  jobs.register('prune', () => prune(services), { cron: '7 * * * *' })
  jobs.register(
    'nightly',
    async () => {
      await eachByItself([() => keepPositionDays(services), ...nightly])
      log.info('nightly housekeeping done')
    },
    { cron: '17 3 * * *', catchUp: true },
  )
}

/** Work that is too long for one transaction: a turn begins where the one before ended, until one says that nothing is left. */
export async function inTurns(turn: (after: string | null) => Promise<string | null>): Promise<void> {
  let after: string | null = null
  do after = await turn(after)
  while (after !== null)
}

/** Runs one after the other; the trouble of one does not keep the others from their work, and all of it is thrown at the end. */
export async function eachByItself(
  runs: readonly (() => Promise<unknown>)[],
  failed = (count: number): string => plural(count, '# step failed', '# steps failed'),
): Promise<void> {
  const failures: unknown[] = []
  for (const run of runs) {
    try {
      await run()
    } catch (error) {
      failures.push(error)
    }
  }
  if (failures.length > 0) throw new AggregateError(failures, failed(failures.length))
}

/**
 * One organization after the other; the trouble of one does not keep the others waiting.
 *
 * @throws AggregateError with what went wrong, after all of them.
 */
export const eachOrganization = (ids: readonly string[], run: (orgId: string) => Promise<unknown>): Promise<void> =>
  eachByItself(
    ids.map((orgId) => () => run(orgId)),
    (count) => plural(count, '# organization failed', '# organizations failed'),
  )

/** Every sweep in every organization, each by itself. @throws AggregateError with what went wrong, after all of them. */
export async function sweepOrganizations(
  services: HousekeepingServices,
  sweeps: readonly OrganizationSweep[],
): Promise<void> {
  const ids = await organizationIds(services)
  await eachByItself(
    ids.flatMap((orgId) =>
      sweeps.map(
        ({ action, run }) =>
          () =>
            insideOrganization(services, orgId, action, (tx) => run(tx, orgId)),
      ),
    ),
    (count) => plural(count, '# sweep failed', '# sweeps failed'),
  )
}

/** Removes expired data. Twice at once does no harm. */
export async function prune({ db, clock }: Pick<Services, 'db' | 'clock'>): Promise<void> {
  const before = (ageMs: number) => new Date(clock.now().getTime() - ageMs)
  await db.pool.query('select prune_changes($1)', [before(changesMs)])
  await db.pool.query('select prune_idempotency_keys($1)', [before(idempotencyKeysMs)])
  await db.pool.query('select forget_secret_answers($1)', [clock.now()])
}

/**
 * Makes the days that come, and drops those that no organization keeps. From the days in between go the positions of organizations that keep
 * them for a shorter time, each day by itself: one may hold millions.
 */
export async function keepPositionDays(services: HousekeepingServices): Promise<void> {
  const kept: { readonly orgId: string; readonly days: number }[] = []
  for (const orgId of await organizationIds(services)) {
    const days = await selectPositionDays(services, orgId)
    if (days !== null) kept.push({ orgId, days })
  }
  const longestDays = Math.max(1, ...kept.map(({ days }) => days))
  const { pool } = services.db
  await pool.query('select ensure_position_days(current_date - 1, current_date + $1::int)', [positionDaysAhead])
  await pool.query('select drop_position_days(current_date - $1::int)', [longestDays])
  const { rows: made } = await pool.query<{ day: string; age: number }>(`
    select day::text, current_date - day as age from pg_inherits i join pg_class c on c.oid = i.inhrelid
      cross join lateral (select to_date(right(c.relname, 8), 'YYYYMMDD') as day) d
    where i.inhparent = 'positions'::regclass`)
  await eachByItself(
    kept.map(({ orgId, days }) => async () => {
      for (const { day } of made.filter(({ age }) => age > days)) await forgetPositionDay(services, orgId, day)
    }),
  )
}

/** Null where no setting says it: nothing is deleted then. */
const selectPositionDays = (services: HousekeepingServices, orgId: string): Promise<number | null> =>
  insideOrganization(services, orgId, 'positions-keep', async (tx) => {
    const { rows } = await sql<{ days: number }>`
      select positions_days as days from org_settings where org_id = ${orgId}`.execute(tx)
    return rows[0]?.days ?? null
  })

const forgetPositionDay = (services: HousekeepingServices, orgId: string, day: string): Promise<unknown> =>
  insideOrganization(services, orgId, 'positions-keep', (tx) => sql`select forget_position_day(${day})`.execute(tx))

/** Opens links whose time has come, and closes those whose time is over. */
export const sharedLinkTimes: OrganizationSweep = {
  action: 'links-expire',
  async run(tx, orgId) {
    await sql`update shared_links set status = 'active'
      where org_id = ${orgId} and status = 'scheduled' and starts_at <= app_now()`.execute(tx)
    // asked of the row itself as well: it may have been extended meanwhile
    await sql`update shared_links set status = 'expired'
      where org_id = ${orgId} and status in ('active', 'paused') and expires_at <= app_now() and id in (
        select l.id from shared_links l ${linkDeparture} where l.org_id = ${orgId} and l.status in ('active', 'paused')
          and l.expires_at <= app_now() and ${linkEnd} <= app_now())`.execute(tx)
  },
}

/** The counts of travelers get a row with every write; a list adds up few of them. */
export const travelerCounts: OrganizationSweep = {
  action: 'travelers-count',
  run: (tx) => sql`select fold_traveler_counts()`.execute(tx),
}

/** Of every organization of this installation. */
export async function organizationIds({ db }: HousekeepingServices): Promise<string[]> {
  const { rows } = await db.pool.query<{ org_id: string }>('select org_id from organization_ids()')
  return rows.map(({ org_id: orgId }) => orgId)
}

/** A transaction of the work that happens by itself, in one organization. @param action What the audit log calls it. */
export const insideOrganization = <T>(
  { db, clock }: HousekeepingServices,
  orgId: string,
  action: string,
  run: (tx: Tx) => Promise<T>,
): Promise<T> => db.transaction({ orgId, actor: { kind: 'system', id: null }, action, requestId: newId(), clock }, run)
