import { Kysely, PostgresDialect, sql } from 'kysely'
import type { Services } from '../../src/context.ts'
import type { Tx } from '../../src/platform/db/database.ts'
import { longWork } from '../../src/platform/db/pool.ts'
import type { Tables } from '../../src/platform/db/tables.ts'

/** Tables that the history is written to. */
export const historyTables = [
  'travelers',
  'traveler_private',
  'departures',
  'departure_stops',
  'bookings',
  'payments',
  'manifest_entries',
  'check_ins',
  'headcounts',
  'staff_calendar_entries',
  'assignments',
  'vehicle_calendar_entries',
  'vehicle_assignments',
  'duty_sessions',
  'feedback',
  'feedback_follow_ups',
  'incidents',
  'incident_entries',
] as const

/** Writes of one organization about days that are over. */
export interface PastWrites {
  readonly orgId: string
  readonly tx: Tx
  /** The moment that the database takes for now, in milliseconds since 1970. */
  at(moment: number): Promise<void>
  /** Lets the planner count a table that was filled in this transaction: a plan for an empty one reads all of a full one. */
  count(table: (typeof historyTables)[number]): Promise<void>
}

/**
 * One transaction of the owner in which rows are written as they were in the end: the audit log does not contain what nobody did, and a status need
 * not be the first one of its machine. Everything else that guards the tables stays: constraints, foreign keys, row-level security, counters.
 */
export async function writeAsEnded<T>(
  { db }: Services,
  orgId: string,
  write: (past: PastWrites) => Promise<T>,
): Promise<T> {
  // not destroyed, since the pool is the database's
  const owner = new Kysely<Tables>({ dialect: new PostgresDialect({ pool: db.ownerPool }) })
  return owner.transaction().execute(async (tx) => {
    await sql.raw(longWork).execute(tx)
    await sql`select set_config('app.org_id', ${orgId}, true), set_config('app.actor_kind', 'system', true)`.execute(tx)
    const switches = await selectSwitches(tx)
    for (const { off } of switches) await sql.raw(off).execute(tx)
    const result = await write({
      orgId,
      tx,
      at: async (moment) => void (await sql`select set_config('app.now', ${iso(moment)}, true)`.execute(tx)),
      count: async (table) => void (await sql`analyze ${sql.table(table)}`.execute(tx)),
    })
    // a table with a check still to be made cannot be altered
    await sql`set constraints all immediate`.execute(tx)
    for (const { on } of switches) await sql.raw(on).execute(tx)
    return result
  })
}

interface Switch {
  readonly off: string
  readonly on: string
}

/** Statements that turn off, and on again, what logs changes of these tables and what holds them to the order of statuses. */
async function selectSwitches(tx: Tx): Promise<readonly Switch[]> {
  const { rows } = await sql<Switch>`
    select format('alter table %s disable trigger %I', tgrelid::regclass, tgname) as off,
      format('alter table %s enable trigger %I', tgrelid::regclass, tgname) as on
    from pg_trigger
    where tgrelid = any (${[...historyTables]}::regclass[]) and not tgisinternal and tgenabled = 'O'
      and tgfoid in ('record_changes'::regproc, 'record_estimates'::regproc, 'check_transition'::regproc)`.execute(tx)
  return rows
}

/** For `jsonb_to_recordset`. */
export const asRows = (rows: readonly object[]): string => JSON.stringify(rows)

/** For a column of moments. */
export const iso = (moment: number): string => new Date(moment).toISOString()
