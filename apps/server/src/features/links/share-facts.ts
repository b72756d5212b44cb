import { type SharedPage } from '@tour-ops/contract/links/shared-page'
import { type RawBuilder, sql } from 'kysely'
import type { Tx } from '../../platform/db/database.ts'
import { iso, isoOrNull } from '../../platform/list-query.ts'
import { localDateOf, localTimeOf, momentOf } from '../../platform/local-time.ts'
import type { AnyLink, OpenLink } from '../../platform/operations/open-link.ts'
import { statuses } from '../../platform/operations/status-sets.ts'

/** What every page says of the organization. */
export interface OfficeFacts {
  organizationName: string
  phone: string | null
  hours: SharedPage['organization']['officeHours']
  officeZone: string
  timeFormat: SharedPage['organization']['timeFormat']
  onTimeToleranceMin: number
}

/** What pages of a departure say about it. */
export interface PageFacts extends OfficeFacts {
  code: string
  tourName: string
  whatToBring: string | null
  meetingNote: string | null
  startsAt: Date
  endsAt: Date
  startedAt: Date | null
  timeZone: string
  localDate: string
  status: string
  delaySeconds: number
  vehicleName: string | null
  bookingRef: string | null
  bookingHasEnded: boolean
  bookingWaits: boolean
}

const officeColumns: RawBuilder<unknown> = sql`o.name as "organizationName", s.general ->> 'phone' as phone, s.working_hours as hours, s.time_zone as "officeZone", s.time_format as "timeFormat",
      s.on_time_tolerance_minutes as "onTimeToleranceMin"`

/** For pages of no departure. */
export async function selectOffice(tx: Tx, orgId: string): Promise<OfficeFacts | undefined> {
  const { rows } = await sql<OfficeFacts>`
    select ${officeColumns} from organizations o join org_settings s on s.org_id = o.org_id where o.org_id = ${orgId}`.execute(
    tx,
  )
  return rows[0]
}

/** Undefined for a departure that is gone. */
export async function selectFacts(
  tx: Tx,
  { orgId, departureId, bookingId, travelerId, isWholeParty }: OpenLink,
): Promise<PageFacts | undefined> {
  const { rows } = await sql<PageFacts>`
    select ${officeColumns}, d.code, t.name as "tourName",
      r.content #>> '{texts,whatToBring}' as "whatToBring", r.content #>> '{texts,meetingNote}' as "meetingNote", d.starts_at as "startsAt", d.ends_at as "endsAt", d.time_zone as "timeZone",
      d.local_date as "localDate", d.status, d.actual_start_at as "startedAt",
      d.delay_seconds as "delaySeconds",
      (select v.label from vehicle_assignments va
        join vehicle_calendar_entries e on e.org_id = va.org_id and e.id = va.calendar_entry_id and e.status <> 'cancelled'
        join vehicles v on v.org_id = e.org_id and v.id = e.vehicle_id
        where va.org_id = d.org_id and va.departure_id = d.id order by e.id limit 1) as "vehicleName",
      (select b.booking_ref from bookings b where ${isWholeParty} and b.org_id = d.org_id and b.id = ${bookingId} and b.status in ${statuses.sold}) as "bookingRef",
      (exists (select from bookings b where b.org_id = d.org_id and b.id = ${bookingId} and b.status in ${statuses.ended})
        or ${travelerId !== null} and not exists (select from manifest_entries e where e.org_id = d.org_id and e.departure_id = d.id
          and e.booking_id = ${bookingId} and e.traveler_id = ${travelerId} and e.status <> 'cancelled')) as "bookingHasEnded",
      exists (select from bookings b where b.org_id = d.org_id and b.id = ${bookingId} and b.status = 'waitlisted') as "bookingWaits"
    from departures d join tours t on t.org_id = d.org_id and t.id = d.tour_id
      join tour_revisions r on r.org_id = d.org_id and r.id = d.revision_id
      join organizations o on o.org_id = d.org_id join org_settings s on s.org_id = d.org_id
    where d.org_id = ${orgId} and d.id = ${departureId}`.execute(tx)
  return rows[0]
}

/** The office's hours of this day by the clocks of the tour. */
function hoursThere({ hours, officeZone }: OfficeFacts, timeZone: string, now: Date): PageFacts['hours'] {
  const today = localDateOf(now, officeZone)
  const there = (time: string) => localTimeOf(momentOf(today, time, officeZone).at, timeZone)
  return { from: there(hours.from), to: there(hours.to) }
}

/** What the page says of itself. @param timeZone Where its readers are. */
export const headOf = (facts: OfficeFacts, timeZone: string, { language, scopes, expiresAt }: AnyLink, now: Date) => ({
  now: iso(now),
  language,
  organization: {
    name: facts.organizationName,
    phone: scopes.contacts ? facts.phone : null,
    officeHours: hoursThere(facts, timeZone, now),
    timeFormat: facts.timeFormat,
  },
  expiresAt: iso(expiresAt),
})

export const departureOf = (facts: PageFacts) => ({
  code: facts.code,
  tourName: facts.tourName,
  timeZone: facts.timeZone,
  localDate: facts.localDate,
  delaySeconds: facts.delaySeconds,
  startsAt: iso(facts.startsAt),
  endsAt: iso(facts.endsAt),
  startedAt: isoOrNull(facts.startedAt),
  onTimeToleranceMin: facts.onTimeToleranceMin,
})

/** Where the departure is in time; before it unless its status says more. */
export const stateOf = ({ status }: PageFacts): 'before' | 'during' | 'after' | 'cancelled' =>
  stateOfStatus[status] ?? 'before'

const stateOfStatus: Readonly<Record<string, 'during' | 'after' | 'cancelled'>> = {
  boarding: 'during',
  in_progress: 'during',
  completed: 'after',
  aborted: 'after',
  cancelled: 'cancelled',
}
