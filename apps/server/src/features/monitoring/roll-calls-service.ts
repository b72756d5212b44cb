import { askRollCall, recordRollCallAnswer, type RollCall } from '@tour-ops/contract/monitoring/roll-calls'
import { refuse } from '@tour-ops/contract/refusals'
import { type RawBuilder, sql } from 'kysely'
import type { MemberCall } from '../../context.ts'
import { newId } from '../../platform/ids.ts'
import { iso, isoOrNull } from '../../platform/list-query.ts'
import { notFound, requireVersion } from '../../platform/optimistic-lock.ts'
import { type Verb, verb } from '../../platform/verb.ts'
import { writeRollCall } from '../../platform/operations/ask-if-safe.ts'
import { statuses } from '../../platform/operations/status-sets.ts'

interface AskedIncident {
  departureId: string | null
  isOver: boolean
}

const ask = verb(askRollCall, async (call, { incidentId, question, isTold }) => {
  const { rows } = await sql<AskedIncident>`
    select departure_id as "departureId", status in ${statuses.overIncident} as "isOver" from incidents
    where org_id = ${call.orgId} and id = ${incidentId} for update`.execute(call.tx)
  const incident = rows[0]
  if (!incident) throw notFound('incident')
  if (incident.departureId === null) throw refuse('roll_call_without_departure')
  if (incident.isOver) throw refuse('roll_call_after_incident')
  return askPeople(call, { incidentId, departureId: incident.departureId, question, isTold })
})

interface Asking {
  readonly incidentId: string
  /** Of that incident. */
  readonly departureId: string
  readonly question: string | null
  /** Whether the parties are written to. */
  readonly isTold: boolean
}

/**
 * Asks everybody on a departure; asked again, who has joined is added.
 *
 * @returns the roll call, how many people it asks, and how many parties are written to.
 * @throws AppError `aborted` where nobody is on the departure.
 */
export async function askPeople(
  call: MemberCall,
  { incidentId, departureId, question, isTold }: Asking,
): Promise<{ id: string; people: number; written: number }> {
  const { rows: asked } = await sql<{ id: string }>`
    insert into roll_calls (org_id, id, incident_id, question, sent_by)
    values (${call.orgId}, ${newId()}, ${incidentId}, ${question}, ${call.caller.userId})
    on conflict (org_id, incident_id) do update set question = excluded.question, sent_at = app_now(), sent_by = excluded.sent_by
    returning id`.execute(call.tx)
  const id = asked[0]?.id ?? ''
  const people = await addPeople(call, id, departureId)
  if (people === 0) throw refuse('roll_call_of_nobody')
  return { id, people, written: isTold ? await writeRollCall(call, { rollCallId: id, question }) : 0 }
}

/** Whom roll calls of departures ask: everybody on the manifest who has not cancelled or stayed away, and the crew. */
export const askedOn = (orgId: string, departureIds: readonly string[]): RawBuilder<unknown> => sql`
  select e.departure_id, e.traveler_id, null::uuid as staff_id from manifest_entries e
  where e.org_id = ${orgId} and e.departure_id = any (${departureIds}::uuid[]) and e.status not in ('cancelled', 'no_show')
    and e.traveler_id is not null
  union
  select a.departure_id, null::uuid, a.staff_id from assignments a
  where a.org_id = ${orgId} and a.departure_id = any (${departureIds}::uuid[]) and a.status in ${statuses.binding} and a.role <> 'backup'`

/** Whether a guest has an open link, of their booking on a departure or of their own, on which they can answer. */
export const hasOpenLink = (
  orgId: string,
  departureId: RawBuilder<unknown>,
  travelerId: RawBuilder<unknown>,
): RawBuilder<boolean> => sql<boolean>`
  exists (select from manifest_entries e
    join shared_links l on l.org_id = e.org_id and l.status = 'active'
      and (l.kind = 'booking_guest' and l.subject_id = e.booking_id::text or l.traveler_id = e.traveler_id)
    where e.org_id = ${orgId} and e.departure_id = ${departureId} and e.traveler_id = ${travelerId} and e.status <> 'cancelled')`

/** Those who are asked already keep their answer. */
async function addPeople(call: MemberCall, rollCallId: string, departureId: string): Promise<number> {
  const { orgId } = call
  await sql`
    insert into roll_call_responses (org_id, id, roll_call_id, traveler_id, staff_id)
    select ${orgId}, gen_random_uuid(), ${rollCallId}, person.traveler_id, person.staff_id
    from (${askedOn(orgId, [departureId])}) person
    on conflict on constraint roll_call_responses_person_once do nothing`.execute(call.tx)
  const { rows } = await sql<{ people: number }>`select count(*)::int as people from roll_call_responses
    where org_id = ${orgId} and roll_call_id = ${rollCallId}`.execute(call.tx)
  return rows[0]?.people ?? 0
}

const record = verb(recordRollCallAnswer, async (call, { id, version, answer }) => {
  const { rows } = await sql<{ version: number }>`
    select version from roll_call_responses where org_id = ${call.orgId} and id = ${id} for update`.execute(call.tx)
  if (!rows[0]) throw notFound('record')
  requireVersion(rows[0], version, 'record')
  const isAnswer = answer !== 'no_answer'
  const { rows: saved } = await sql<{ version: number }>`
    update roll_call_responses set answer = ${answer}, answered_at = case when ${isAnswer} then app_now() end,
      answered_by = case when ${isAnswer} then 'office' end
    where org_id = ${call.orgId} and id = ${id} returning version`.execute(call.tx)
  return { id, version: saved[0]?.version ?? version }
})

interface RollCallRow extends Omit<RollCall, 'askedAt' | 'people'> {
  askedAt: Date
}

type PersonRow = Omit<RollCall['people'][number], 'answeredAt'> & { answeredAt: Date | null }

/** The roll call of an incident: who needs help first, then who has not answered, then who is safe. */
export async function selectRollCall(call: MemberCall, incidentId: string): Promise<RollCall | null> {
  const { rows } = await sql<RollCallRow>`
    select c.id, c.question, c.sent_at as "askedAt", m.name as "askedByName"
    from roll_calls c left join members m on m.org_id = c.org_id and m.user_id = c.sent_by
    where c.org_id = ${call.orgId} and c.incident_id = ${incidentId}`.execute(call.tx)
  const asked = rows[0]
  if (!asked) return null
  const { rows: people } = await sql<PersonRow>`
    select r.id, r.version, concat_ws(' ', coalesce(v.first_name, f.first_name), coalesce(v.last_name, f.last_name)) as name,
      r.traveler_id as "travelerId", r.answer, r.answered_at as "answeredAt", r.answered_by as "answeredBy",
      ${hasOpenLink(call.orgId, sql`i.departure_id`, sql`r.traveler_id`)} as "hasLink"
    from roll_call_responses r
    join incidents i on i.org_id = r.org_id and i.id = ${incidentId}
    left join travelers v on v.org_id = r.org_id and v.id = r.traveler_id
    left join field_staff f on f.org_id = r.org_id and f.id = r.staff_id
    where r.org_id = ${call.orgId} and r.roll_call_id = ${asked.id}
    order by array_position(array['need_help', 'no_answer', 'safe'], r.answer), r.traveler_id is null, 3, r.id`.execute(
    call.tx,
  )
  return {
    ...asked,
    askedAt: iso(asked.askedAt),
    people: people.map((person) => ({ ...person, answeredAt: isoOrNull(person.answeredAt) })),
  }
}

export const rollCallVerbs: Verb[] = [ask, record]
