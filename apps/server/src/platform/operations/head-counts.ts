import { type RawBuilder, sql } from 'kysely'

/**
 * Whether `h`, a row of `headcounts`, is of departure `d`. By the stops that the departure has: a join of the two tables would be planned for a database
 * whose statistics say that it is empty, as they do while much is written at once, as each count of the organization with each of its stops:
 * seconds instead of milliseconds.
 */
const isOfDeparture: RawBuilder<boolean> = sql<boolean>`(h.org_id = d.org_id and h.departure_stop_id = any (array(
  select p.id from departure_stops p where p.org_id = d.org_id and p.departure_id = d.id)))`

/** Whether heads have been counted on departure `d`. */
export const hasHeadCount: RawBuilder<boolean> = sql<boolean>`exists (select from headcounts h where ${isOfDeparture})`

/** The last count of departure `d`, no row where there is none: `stop_id`, `expected`, `counted`, `at`, `reason`. To be put into a `from`. */
export const lastHeadCount: RawBuilder<unknown> = sql`(
  select h.departure_stop_id as stop_id, h.expected, h.counted, h.at, h.reason from headcounts h
  where ${isOfDeparture} order by h.at desc, h.id desc limit 1)`
