import { setTimeout as sleep } from 'node:timers/promises'
import type { ClientBase, Pool } from 'pg'

/**
 * Waits until all alerts have been evaluated once, as after an upgrade.
 *
 * @param owner A connection of the database's owner.
 * @returns How long it took, and of how many departures, people, vehicles and bookings.
 */
export async function firstEvaluation(
  owner: Pick<ClientBase | Pool, 'query'>,
): Promise<{ seconds: number; subjects: number }> {
  const startedAt = performance.now()
  for (;;) {
    await sleep(200)
    const { rows } = await owner.query<{ left: number; known: number }>(
      `select (count(*) filter (where due_at <= now() or all_due_at is not null))::int as left, count(*)::int as known from alert_dues`,
    )
    const [row] = rows
    if (row && row.known > 0 && row.left === 0)
      return { seconds: (performance.now() - startedAt) / 1000, subjects: row.known }
  }
}
