import { hasAccess } from '@tour-ops/contract/identity/access'
import { type AffectedPerson, incidentPeople } from '@tour-ops/contract/monitoring/incident-people'
import { refuse } from '@tour-ops/contract/refusals'
import { sql } from 'kysely'
import { notFound } from '../../platform/optimistic-lock.ts'
import { type Verb, verb } from '../../platform/verb.ts'

const people = verb(incidentPeople, async (call, { id }) => {
  if (!hasAccess(call, { permission: 'travelers:read' })) {
    throw refuse('missing_permission', { permission: 'travelers:read' })
  }
  const { rows: found } = await sql`select from incidents where org_id = ${call.orgId} and id = ${id}`.execute(call.tx)
  if (found.length === 0) throw notFound('incident')
  const { rows } = await sql<AffectedPerson>`
    select t.id, concat_ws(' ', t.first_name, t.last_name) as name, t.phone, dietary_on_trip(t.dietary, e.trip_dietary) as dietary,
      t.dietary_note as "dietaryNote", coalesce(e.trip_mobility, t.mobility) as mobility,
      t.mobility_note as "mobilityNote",
      case when t.emergency_phone is not null then jsonb_build_object('name', coalesce(t.emergency_name, ''),
        'relation', t.emergency_relation, 'phone', t.emergency_phone) end as "emergencyContact",
      exists (select from traveler_private p where p.org_id = t.org_id and p.traveler_id = t.id and p.medical_sealed is not null) as "hasMedicalNote"
    from incident_travelers x join travelers t on t.org_id = x.org_id and t.id = x.traveler_id
    join incidents i on i.org_id = x.org_id and i.id = x.incident_id
    left join manifest_entries e on e.org_id = x.org_id and e.traveler_id = x.traveler_id and e.departure_id = i.departure_id and e.status <> 'cancelled'
    where x.org_id = ${call.orgId} and x.incident_id = ${id} order by t.last_name, t.first_name, t.id`.execute(call.tx)
  return { people: rows }
})

export const incidentPeopleVerbs: Verb[] = [people]
