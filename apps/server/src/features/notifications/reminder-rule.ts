import { lastReminderQuietMinutes, reminderQuietHours } from '@tour-ops/contract/notifications/guest-rules'
import { type RawBuilder, sql } from 'kysely'

/** What was written to the contact of a booking `b` that says all that a reminder says, and reached them or will. */
export const toldOf: RawBuilder<unknown> = sql`from messages m join deliveries v on v.org_id = m.org_id and v.message_id = m.id
  where m.org_id = b.org_id and m.subject_type = 'booking' and m.subject_id = b.id::text and m.kind in ('booking_confirmed', 'booking_changed')
    and v.status not in ('suppressed', 'failed')`

/** Whether the contact of a booking `b` was told everything so shortly before a time that they need no reminder then. */
export const knowsAlready = (at: RawBuilder<unknown>): RawBuilder<boolean> => wasTold(at, reminderQuietHours * 60)

/** The same for a last reminder, which is about the next minutes. */
export const wasJustTold = (at: RawBuilder<unknown>): RawBuilder<boolean> => wasTold(at, lastReminderQuietMinutes)

const wasTold = (at: RawBuilder<unknown>, minutes: number): RawBuilder<boolean> =>
  sql<boolean>`exists (select ${toldOf} and m.created_at > ${at} - make_interval(mins => ${minutes}) and m.created_at <= ${at})`

/** Whether somebody of a booking `b` had still to come to a departure `d` at a time; who has no name yet is checked in by nobody. */
export const wasAwaited = (at: RawBuilder<unknown>): RawBuilder<boolean> =>
  sql<boolean>`b.pax > (select count(*) from manifest_entries g where g.org_id = b.org_id and g.booking_id = b.id and g.departure_id = d.id
    and g.status <> 'cancelled' and g.check_in_at <= ${at})`
