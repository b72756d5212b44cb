import { type RawBuilder, sql } from 'kysely'

/** Whether the party of a booking `b` was on its tour, as far as anybody knows: not everybody of it who is named was missing. */
export const tookPart: RawBuilder<boolean> = sql<boolean>`(b.status = 'completed' and not exists (
    select from manifest_entries e where e.org_id = b.org_id and e.booking_id = b.id and e.departure_id = b.departure_id and e.status <> 'cancelled'
    having count(*) > 0 and bool_and(e.status = 'no_show')))`
