import { type RawBuilder, sql } from 'kysely'

/** Whether seats are held for a booking `b` that has waited for them, for it to take. */
export const isOffered: RawBuilder<boolean> = sql<boolean>`(b.status = 'on_hold' and b.offered_at is not null and b.expires_at > app_now())`
