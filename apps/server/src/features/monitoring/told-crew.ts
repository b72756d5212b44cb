import type { ToldCrewMember } from '@tour-ops/contract/monitoring/told-so-far'
import { sql } from 'kysely'
import type { MemberCall } from '../../context.ts'
import { isoOrNull } from '../../platform/list-query.ts'
import { statuses } from '../../platform/operations/status-sets.ts'
import { wholeIncident } from './incident-log.ts'

interface CrewRow extends Omit<ToldCrewMember, 'at'> {
  at: Date | null
}

/**
 * The crew of an incident's departure, or who was on it until it was cancelled, and how each knows of it: they reported it or wrote in its log, an e-mail about
 * the departure has left to them since, or they have opened the plan that was changed since. Somebody who has not seen that plan is named as such.
 */
export async function selectToldCrew(
  { tx, orgId }: MemberCall,
  { id, departureId, since }: { id: string; departureId: string; since: Date },
): Promise<ToldCrewMember[]> {
  const { rows } = await sql<CrewRow>`
    with crew as (
      select a.id as assignment_id, a.role, f.id, concat_ws(' ', f.first_name, f.last_name) as name, f.phone, u.user_id,
        r.published_at >= ${since} as is_changed, a.seen_version is not distinct from r.number as is_seen
      from assignments a join field_staff f on f.org_id = a.org_id and f.id = a.staff_id
        join departures d on d.org_id = a.org_id and d.id = a.departure_id
        left join members u on u.org_id = f.org_id and u.staff_id = f.id
        left join tour_revisions r on r.org_id = d.org_id and r.id = d.revision_id
      where a.org_id = ${orgId} and a.departure_id = ${departureId}
        and (a.status in ${statuses.binding} or d.status = 'cancelled' and a.status = 'released' and a.updated_at >= ${since})
    ), known as (
      select crew.*, wrote.at as wrote_at, sent.at as sent_at, sent.states,
        (select max(e.at) from audit_entries e where e.org_id = ${orgId} and e.entity_type = 'assignments' and e.entity_id = crew.assignment_id::text
          and e.at >= ${since} and e.diff ? 'seen_version' and crew.is_changed and crew.is_seen) as seen_at
      from crew cross join lateral (
        select least(min(i.created_at) filter (where i.reported_by = crew.user_id), min(e.at)) as at
        from incidents i left join incident_entries e on e.org_id = i.org_id and e.incident_id = i.id and e.author_id = crew.user_id
        where i.org_id = ${orgId} and i.id in (select whole.id from ${wholeIncident(orgId, id)} whole)
      ) wrote cross join lateral (
        select min(y.sent_at) as at, array_agg(y.status) as states from deliveries y join messages g on g.org_id = y.org_id and g.id = y.message_id
        where y.org_id = ${orgId} and (y.staff_id = crew.id or y.user_id = crew.user_id) and g.departure_id = ${departureId} and g.created_at >= ${since}
      ) sent
    )
    select id as "staffId", name, role, phone, coalesce(wrote_at, seen_at, sent_at) as at,
      case when wrote_at is not null then 'wrote' when seen_at is not null then 'seen'
        when states && array['sent', 'delivered', 'read'] then 'sent' when 'queued' = any (states) then 'waiting' when 'failed' = any (states) then 'failed'
        when is_changed and not is_seen then 'plan_not_seen' else 'not_written' end as state
    from known order by role <> 'lead_guide', name, id`.execute(tx)
  return rows.map((row) => ({ ...row, at: isoOrNull(row.at) }))
}
