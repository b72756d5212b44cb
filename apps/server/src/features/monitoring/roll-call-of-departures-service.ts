import type { Out } from '@tour-ops/contract/callable'
import { askDepartures, countRollCall } from '@tour-ops/contract/monitoring/roll-call-of-departures'
import { refuse } from '@tour-ops/contract/refusals'
import { sql } from 'kysely'
import type { MemberCall } from '../../context.ts'
import { notFound } from '../../platform/optimistic-lock.ts'
import { statuses } from '../../platform/operations/status-sets.ts'
import { type Verb, verb } from '../../platform/verb.ts'
import { openIncident } from './open-incident.ts'
import { askedOn, askPeople, hasOpenLink } from './roll-calls-service.ts'

const count = verb(countRollCall, async (call, { departureIds }) => {
  await requireDepartures(call, departureIds)
  const { rows } = await sql<Out<typeof countRollCall>>`
    select count(p.traveler_id)::int as guests, count(p.staff_id)::int as crew, count(distinct p.departure_id)::int as departures,
      (count(*) filter (where ${hasOpenLink(call.orgId, sql`p.departure_id`, sql`p.traveler_id`)}))::int as "withLink",
      (select count(distinct i.departure_id)::int from incidents i join roll_calls c on c.org_id = i.org_id and c.incident_id = i.id
        where i.org_id = ${call.orgId} and i.departure_id = any (${departureIds}::uuid[]) and i.status not in ${statuses.overIncident}) as asked
    from (${askedOn(call.orgId, departureIds)}) p`.execute(call.tx)
  return rows[0] ?? { guests: 0, withLink: 0, crew: 0, departures: 0, asked: 0 }
})

/** @throws AppError `not-found` for what is out of reach, so that nobody believes to have asked there. */
async function requireDepartures({ tx, orgId }: MemberCall, departureIds: readonly string[]): Promise<void> {
  const { rows } = await sql`select from unnest(${departureIds}::uuid[]) as given(id)
    where not exists (select from departures d where d.org_id = ${orgId} and d.id = given.id) limit 1`.execute(tx)
  if (rows.length > 0) throw notFound('departure')
}

const ask = verb(askDepartures, async (call, { departureIds, question, isTold, ...incident }) => {
  await requireDepartures(call, departureIds)
  const departures = await selectPeopled(call, departureIds)
  if (departures.length === 0) throw refuse('roll_call_of_nobody')
  const incidents: Out<typeof askDepartures>['incidents'] = []
  let [people, written] = [0, 0]
  for (const { id: departureId, code, tourName } of departures) {
    const opened = await openIncident(call, { ...incident, departureId, placeId: null })
    const asked = await askPeople(call, { incidentId: opened.id, departureId, question, isTold })
    people += asked.people
    written += asked.written
    incidents.push({ ...opened, code, tourName })
  }
  return { people, written, incidents }
})

/** The departures with anybody on them: an incident about an empty one would only wait to be closed. */
async function selectPeopled(
  call: MemberCall,
  departureIds: readonly string[],
): Promise<{ id: string; code: string; tourName: string }[]> {
  const { rows } = await sql<{ id: string; code: string; tourName: string }>`
    select d.id, d.code, t.name as "tourName" from departures d join tours t on t.org_id = d.org_id and t.id = d.tour_id
    where d.org_id = ${call.orgId} and d.id in (select p.departure_id from (${askedOn(call.orgId, departureIds)}) p)
    order by d.starts_at, d.code, d.id`.execute(call.tx)
  return rows
}

export const rollCallOfDeparturesVerbs: Verb[] = [count, ask]
