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
      `select (select count(*) from alert_dues where due_at <= now() or all_due_at is not null)::int
          + (select count(*) from organizations o left join alert_evaluations e using (org_id) where e.seen is null)::int as left,
        (select count(*) from alert_dues)::int as known`,
    )
    const [row] = rows
    if (row?.left === 0) return { seconds: (performance.now() - startedAt) / 1000, subjects: row.known }
  }
}
