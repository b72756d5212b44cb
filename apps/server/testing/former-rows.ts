import type pg from 'pg'

/** Runs `run` where neither triggers nor foreign keys are checked: for rows as a former version left them. */
export async function withoutTriggers(
  ownerPool: pg.Pool,
  run: (client: pg.PoolClient) => Promise<void>,
): Promise<void> {
  const client = await ownerPool.connect()
  try {
    await client.query(`select set_config('session_replication_role', 'replica', false)`)
    await run(client)
  } finally {
    await client.query('reset session_replication_role')
    client.release()
  }
}
