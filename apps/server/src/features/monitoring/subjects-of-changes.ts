import { type RawBuilder, sql } from 'kysely'
import type { Tx } from '../../platform/db/database.ts'
import type { ChangesSince, TopicChanges } from '../../platform/live/changes-since.ts'
import type { DueSubject } from '../../platform/operations/alert-dues.ts'
import { isAwaited, isOut } from '../../platform/operations/departure-phase.ts'
import { departuresOf, type DeparturesOf } from '../../platform/operations/departures-of.ts'
import { statuses } from '../../platform/operations/status-sets.ts'
import { selectAllSubjects, subjectOfAlert } from './due-subjects.ts'
import { isThen } from './weather-reach.ts'

/** SELECT of `kind` and `id` of the subjects that some records lead to. @param records SELECT of their ids. */
type Lead = (orgId: string, records: RawBuilder<unknown>) => RawBuilder<unknown>

/** Where the rows of a table lead: by one of their columns, which also the audit entry of a deleted row still has. */
interface Way {
  readonly column: string
  readonly leads: readonly Lead[]
}

const self =
  (kind: DueSubject['kind']): Lead =>
  (_orgId, records) =>
    sql`select ${sql.lit(kind)}, record.id from (${records}) record (id) where record.id is not null`

const isWatched = sql`(${isAwaited} or ${isOut})`

/** Their rests begin and end with what a departure and its stops say. Who has not accepted has no duty to rest from. */
const crew: Lead = (orgId, records) => sql`
  select 'staff', a.staff_id from assignments a where a.org_id = ${orgId} and a.departure_id in (${records}) and a.status in ${statuses.binding}`
/** Ids of the departures that show something of rows of a table, without those of which nothing can be so any more. */
const watchedWith =
  (table: keyof typeof departuresOf): DeparturesOf =>
  (orgId, records) =>
    sql`select d.id from departures d where d.org_id = ${orgId} and d.id in (${departuresOf[table](orgId, records)}) and ${isWatched}`
const departuresWith =
  (table: keyof typeof departuresOf): Lead =>
  (orgId, records) =>
    self('departure')(orgId, watchedWith(table)(orgId, records))
const crewWithPlace: Lead = (orgId, records) => crew(orgId, watchedWith('places')(orgId, records))
const departuresOnDutyWithVehicle: Lead = (orgId, records) => sql`
  select 'departure', u.departure_id from duty_sessions u
  where u.org_id = ${orgId} and u.vehicle_id in (${records}) and u.status = 'open' and u.departure_id is not null`
const departureOfStop: Lead = (orgId, records) => sql`
  select 'departure', s.departure_id from departure_stops s where s.org_id = ${orgId} and s.id in (${records})`
const subjectsOfAlerts: Lead = (orgId, records) => sql`
  select subject.kind, subject.id from alerts a ${subjectOfAlert} where a.org_id = ${orgId} and a.id in (${records})`
/** Alerts that sleep until a stop, with whatever they are evaluated. */
const subjectsAsleepUntilStop: Lead = (orgId, records) => sql`
  select subject.kind, subject.id from alerts a ${subjectOfAlert}
  where a.org_id = ${orgId} and a.status = 'snoozed' and a.snoozed_stop_id in (${records})`

/** Where somebody was found in a no-go area. Who comes into one is written with the findings, which mark by themselves. */
const departuresInArea: Lead = (orgId, records) => sql`
  select 'departure', f.departure_id from departure_findings f
  where f.org_id = ${orgId} and f.kind = 'no_go_area' and f.cause in (select record.id::text from (${records}) record (id))`

/** Who is out, or will be, at the time of a warning. Whether also in its place is found when they are evaluated. */
const departuresThen: Lead = (orgId, records) => sql`
  select 'departure', d.id from weather_warnings w join departures d on d.org_id = w.org_id and ${isWatched} and ${isThen}
  where w.org_id = ${orgId} and w.id in (${records})`
/** Who has an alert of a warning, which may be about another time or place now. */
const departuresWarned: Lead = (orgId, records) => sql`
  select 'departure', a.departure_id from alerts a where a.org_id = ${orgId} and a.kind = 'weather_warning' and a.status in ${statuses.unresolved}
    and a.evidence ->> 'warningId' in (select record.id::text from (${records}) record (id))`

const departure: Way = { column: 'departure_id', leads: [self('departure')] }

/** Tables from which signals are read. */
const ways: Readonly<Record<string, readonly Way[]>> = {
  alert_mutes: [departure],
  alerts: [{ column: 'id', leads: [subjectsOfAlerts] }],
  assignments: [
    { column: 'departure_id', leads: [self('departure'), crew] },
    { column: 'staff_id', leads: [self('staff')] },
  ],
  bookings: [{ column: 'id', leads: [self('booking')] }],
  deliveries: [{ column: 'message_id', leads: [self('message')] }],
  departure_services: [departure],
  departure_stops: [
    { column: 'departure_id', leads: [self('departure'), crew] },
    { column: 'id', leads: [subjectsAsleepUntilStop] },
  ],
  departures: [{ column: 'id', leads: [self('departure'), crew] }],
  duty_sessions: [departure],
  field_staff: [{ column: 'id', leads: [self('staff'), departuresWith('field_staff')] }],
  geofences: [{ column: 'id', leads: [departuresInArea] }],
  headcounts: [{ column: 'departure_stop_id', leads: [departureOfStop] }],
  manifest_entries: [departure],
  messages: [{ column: 'id', leads: [self('message')] }],
  places: [{ column: 'id', leads: [departuresWith('places'), crewWithPlace] }],
  staff_calendar_entries: [{ column: 'staff_id', leads: [self('staff')] }],
  staff_certificates: [{ column: 'staff_id', leads: [self('staff')] }],
  suppliers: [{ column: 'id', leads: [departuresWith('suppliers')] }],
  tours: [{ column: 'id', leads: [departuresWith('tours')] }],
  traveler_documents: [{ column: 'traveler_id', leads: [departuresWith('travelers')] }],
  vehicle_assignments: [departure],
  vehicle_calendar_entries: [{ column: 'id', leads: [departuresWith('vehicle_calendar_entries')] }],
  vehicles: [{ column: 'id', leads: [self('vehicle'), departuresWith('vehicles'), departuresOnDutyWithVehicle] }],
  weather_warning_targets: [{ column: 'warning_id', leads: [departuresThen, departuresWarned] }],
  weather_warnings: [{ column: 'id', leads: [departuresThen, departuresWarned] }],
}

/** Tables from which no signal is read. What is neither here nor above makes everything of the organization due: settings do. */
const elsewhere: ReadonlySet<string> = new Set([
  'allotments',
  'calendar_feeds',
  'check_ins',
  'departure_groups',
  'discount_codes',
  'departure_notes',
  'devices',
  'equipment',
  'equipment_issues',
  'feedback',
  'feedback_follow_ups',
  'files',
  'import_batches',
  'incident_entries',
  'incident_tasks',
  'incident_travelers',
  'incidents',
  'invitations',
  'members',
  'message_templates',
  'notification_preferences',
  'notification_rules',
  'organizations',
  'own_preferences',
  'opt_outs',
  'phone_channels',
  'push_subscriptions',
  'booking_messages',
  'payments',
  'billing_documents',
  'proposals',
  'report_runs',
  'roll_call_responses',
  'roll_calls',
  'room_assignments',
  'rooms',
  'saved_views',
  'shared_link_tokens',
  'shared_links',
  'shift_notes',
  'tour_options',
  'tour_revisions',
  'traveler_private',
  'travelers',
  'weather_sources',
  'webhook_endpoints',
])

/** What a change of these tables makes due, for the test that knows all tables. */
export const dueOfTopic = (topic: string): 'some' | 'nothing' | 'everything' =>
  topic in ways ? 'some' : elsewhere.has(topic) ? 'nothing' : 'everything'

/** Whose alerts are to be evaluated because of some changes. */
interface SubjectsOfChanges {
  readonly subjects: readonly DueSubject[]
  /** All there are: because a change may be about any of them, or because it is not known what was changed. */
  readonly isEverything: boolean
}

export async function subjectsOfChanges(
  tx: Tx,
  orgId: string,
  changed: ChangesSince['changed'],
): Promise<SubjectsOfChanges> {
  const touched = [...(changed ?? [])].filter(([topic]) => dueOfTopic(topic) !== 'nothing')
  if (!changed || touched.some(([topic]) => dueOfTopic(topic) === 'everything'))
    return { subjects: await selectAllSubjects(tx, orgId), isEverything: true }
  const selections = touched.flatMap(([topic, changes]) =>
    (ways[topic] ?? []).flatMap(({ column, leads }) => {
      const records = recordsOf(orgId, { topic, column, changes })
      return leads.map((lead) => lead(orgId, records))
    }),
  )
  if (selections.length === 0) return { subjects: [], isEverything: false }
  const { rows } = await sql<{ kind: DueSubject['kind']; id: string | null }>`
    select distinct s.kind, s.id from (${sql.join(selections, sql` union all `)}) s (kind, id) order by s.kind, s.id`.execute(
    tx,
  )
  return { subjects: rows.flatMap(({ kind, id }) => (id === null ? [] : [{ kind, id }])), isEverything: false }
}

interface Changed {
  readonly topic: string
  readonly column: string
  readonly changes: TopicChanges
}

/** Keys of a table with two of them are written in the change log with a colon. */
const secondOf = (key: string): string => key.slice(key.indexOf(':') + 1)

function recordsOf(orgId: string, { topic, column, changes: { ids, hasDeleted } }: Changed): RawBuilder<unknown> {
  if (column === 'id') return sql`select unnest(${[...ids]}::uuid[])`
  if (topic === 'vehicle_assignments') return sql`select unnest(${ids.map(secondOf)}::uuid[])`
  const rows = sql`select x.${sql.ref(column)} from ${sql.table(topic)} x where x.org_id = ${orgId} and x.id = any (${[...ids]}::uuid[])`
  return hasDeleted
    ? sql`${rows} union all select (e.diff ->> ${sql.lit(column)})::uuid from audit_entries e where e.org_id = ${orgId} and e.entity_type = ${topic}
        and e.entity_id = any (${[...ids]}::text[]) and e.op = 'delete'`
    : rows
}
