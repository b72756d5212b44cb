import { type RawBuilder, sql } from 'kysely'
import { statuses } from './status-sets.ts'

/** Statuses of departures `d` in which something can still be prepared. */
export const isOpen: RawBuilder<boolean> = sql<boolean>`d.status in ${statuses.open}`

/** "Running" on every screen, of departures `d`: guests are boarding or on their way. */
export const isRunning: RawBuilder<boolean> = sql<boolean>`d.status in ${statuses.running}`

/**
 * Departures `d` that are out, however late they are: the status decides, not the planned end. What was never closed falls off two months
 * after its end. Few departures have these statuses, so that the index of statuses finds them. The same text, for the functions of the
 * database that search travelers: `departure_out_condition()`.
 */
export const isOut: RawBuilder<boolean> = sql<boolean>`(${isRunning} and d.ends_at > app_now() - interval '60 days')`

/** Departures `d` that have not begun, also when their time has come: watched until a day after their end, when nobody waits for them any more. */
export const isAwaited: RawBuilder<boolean> = sql<boolean>`(d.status in ${statuses.awaited} and d.ends_at > app_now() - interval '1 day')`

/** Departures `d` that are over: closed, or past their planned end with nobody out. In functions of the database: `departure_over_condition()`. */
export const isOver: RawBuilder<boolean> = sql<boolean>`(d.status = 'completed' or d.ends_at <= app_now() and not ${isOut})`

/** Departures `d` that guests are on or will be on. In functions of the database: `departure_ahead_condition()`. */
export const isAhead: RawBuilder<boolean> = sql<boolean>`(d.status not in ('cancelled', 'aborted') and not ${isOver})`

/** Departures `d` whose end is ahead by the plan, or by nobody having closed them. Use it where a row must be found, and `isOver` where it is shown. */
export const endsLater: RawBuilder<boolean> = sql<boolean>`(d.ends_at > app_now() or ${isOut})`

/** The phase of a departure `d` for its guests: `now` from its start, or from setting out, until it is over. */
export const whenOf = (past: 'last' | 'before'): RawBuilder<string> =>
  sql<string>`case when ${isOver} then ${sql.lit(past)} when d.starts_at <= app_now() or d.status = 'in_progress' then 'now' else 'next' end`

/** Days ahead for which suppliers are to know every change: what is further away changes often, and nobody cooks for it yet. */
const suppliersAheadDays = 7

/** Departures `d` of the next days of which suppliers are to know every change. */
export const isNearForSuppliers: RawBuilder<boolean> = sql<boolean>`(d.status in ${statuses.active} and d.starts_at > app_now()
  and d.starts_at < app_now() + make_interval(days => ${sql.lit(suppliersAheadDays)}))`
