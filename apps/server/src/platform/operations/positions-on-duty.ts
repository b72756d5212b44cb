import { type RawBuilder, sql } from 'kysely'

/**
 * `from … where` of who is on duty for a departure and may be seen: the duty session `u`, the last position of this duty `n`. A position that
 * the same person or vehicle reported on another tour says nothing about this one.
 *
 * @param departures condition for `u.org_id` and `u.departure_id`.
 */
export const positionsOnDuty = (departures: RawBuilder<unknown>): RawBuilder<unknown> => sql`
  duty_sessions u join latest_positions n on n.org_id = u.org_id and n.subject_id = coalesce(u.staff_id, u.vehicle_id) and n.duty_session_id = u.id
  where ${departures} and u.status = 'open' and u.break_started_at is null and u.consent_version is not null`
