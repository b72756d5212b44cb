import { type RawBuilder, sql } from 'kysely'

/**
 * Hours of a duty: its length, at most `perDay` for each day that it touches (UTC). Nobody works the nights of a journey. The staff report
 * counts the same way.
 */
export const workedHours = (
  from: RawBuilder<unknown>,
  to: RawBuilder<unknown>,
  perDay: RawBuilder<unknown>,
): RawBuilder<number> =>
  sql<number>`least(extract(epoch from ${to} - ${from}) / 3600, ${perDay} * (${to}::date - ${from}::date + 1))`
