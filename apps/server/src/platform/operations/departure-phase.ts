import { type RawBuilder, sql } from 'kysely'

/** Statuses of departures `d` in which something can still be prepared. */
export const isOpen: RawBuilder<boolean> = sql<boolean>`d.status in ('draft', 'scheduled', 'guaranteed', 'boarding', 'in_progress')`
