import { sql } from 'kysely'
import type { Tx } from './db/database.ts'
import { isDatabaseError } from './db/violations.ts'

/**
 * Runs statements that a constraint may refuse, and then asks `explain` what blocked them. The transaction continues
 * as if nothing had been tried, since under row-level security the refusal itself names no row.
 *
 * @throws what `explain` returns when the named constraint refused; any other error as it is.
 */
export async function tryAgainst<T>(
  tx: Tx,
  constraint: string,
  run: () => Promise<T>,
  explain: () => Promise<Error>,
): Promise<T> {
  await sql`savepoint attempt`.execute(tx)
  try {
    const result = await run()
    await sql`release savepoint attempt`.execute(tx)
    return result
  } catch (error) {
    if (!isDatabaseError(error) || error.constraint !== constraint) throw error
    await sql`rollback to savepoint attempt`.execute(tx)
    throw await explain()
  }
}
