import { type RawBuilder, sql } from 'kysely'

/**
 * Seats of a departure that another party can get; of a private one none as soon as anybody has some. The rule itself is the database's function.
 *
 * @param departure Alias of the table.
 * @param gone Seats that still count as taken and are free: of holds that have expired, and of the form that asks.
 */
export const seatsLeftOf = (departure: RawBuilder<unknown>, gone: RawBuilder<unknown> = sql`0`): RawBuilder<unknown> =>
  sql`seats_left(${departure}.capacity + ${departure}.overbook_limit, ${departure}.seats_confirmed + ${departure}.seats_held - ${gone}, ${departure}.private)`
