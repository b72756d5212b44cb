import { callableNamed } from '@tour-ops/contract/callables'
import { isLiveTopic, type LiveTopic } from '@tour-ops/contract/live/live-paths'
import { sql } from 'kysely'
import type { Database, Tx } from '../src/platform/db/database.ts'
import { roleColumn } from '../src/platform/db/prepared-statements.ts'
import { applicationRole } from '../src/platform/db/transaction.ts'

/**
 * A database under which every write of a test is compared with what its callable declares: a table that is written to and not among `writes`
 * would leave screens old where no live changes arrive.
 *
 * @throws Error in the transaction of the write, so that the test fails that made it.
 */
export function holdingDeclaredWrites(database: Database): Database {
  const transaction: Database['transaction'] = (scope, run) =>
    database.transaction(scope, async (tx) => {
      const result = await run(tx)
      const callable = callableNamed(scope.action)
      if (callable?.kind !== 'write') return result
      const undeclared = (await topicsWritten(tx)).filter((topic) => !callable.writes?.includes(topic))
      if (undeclared.length > 0)
        throw new Error(`${callable.name} does not declare that it writes ${undeclared.join(', ')}.`)
      return result
    })
  return { ...database, transaction }
}

/** Topics of the organization that this transaction has announced a change of. */
async function topicsWritten(tx: Tx): Promise<readonly LiveTopic[]> {
  // The role of callers with scope `own` does not read the log.
  await sql`select set_config('role', ${applicationRole}, true) as ${sql.ref(roleColumn)}`.execute(tx)
  const { rows } = await sql<{ topic: string }>`
    select distinct topic from changes where org_id = app_org_id() and tx = pg_current_xact_id_if_assigned()`.execute(
    tx,
  )
  return rows.map(({ topic }) => topic).filter(isLiveTopic)
}
