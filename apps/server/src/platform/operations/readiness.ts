import type { Departure, ReadinessCheck } from '@tour-ops/contract/departures'
import { sql, type RawBuilder } from 'kysely'
import type { Tx } from '../db/database.ts'

/** What `readinessJoins` adds to each departure `d` of tour `t`. */
export interface ReadinessColumns {
  failing: ReadinessCheck[]
  applicable: ReadinessCheck[]
}

/** Statuses of crew who will come. */
export const bindingAssignments = sql`('accepted', 'on_duty', 'completed')`

/**
 * Lateral joins that compute the checklist of a departure `d` of tour `t`; they add `crew`, `fleet` and `ready`. Checks that do not
 * apply (no language wanted, a day tour's passports) are neither failing nor counted. What is over needs nothing any more.
 * Source: product description, section 3b, D9, and 4.2, I20 (seats without the crew's).
 */
export const readinessJoins: RawBuilder<unknown> = sql`
  cross join lateral (
    select count(*)::int as people,
      (count(*) filter (where a.role in ('lead_guide', 'guide', 'tour_leader')))::int as guides,
      coalesce(bool_or(a.role = 'lead_guide'), false) as has_lead,
      (array_agg(f.id order by a.id) filter (where a.role = 'lead_guide'))[1] as lead_id,
      (array_agg(concat_ws(' ', f.first_name, f.last_name) order by a.id) filter (where a.role = 'lead_guide'))[1] as lead_name,
      coalesce(bool_or(a.role in ('lead_guide', 'guide', 'tour_leader') and exists (
        select from jsonb_array_elements(f.languages) spoken
        where split_part(spoken ->> 'tag', '-', 1) = split_part(d.language, '-', 1))), false) as speaks
    from assignments a join field_staff f on f.org_id = a.org_id and f.id = a.staff_id
    where a.org_id = d.org_id and a.departure_id = d.id and a.status in ${bindingAssignments} and a.role <> 'backup'
  ) crew
  cross join lateral (
    select coalesce(sum(v.seats), 0)::int as seats, (array_agg(v.id order by e.id))[1] as vehicle_id,
      (array_agg(v.label order by e.id))[1] as vehicle_label
    from vehicle_assignments va
    join vehicle_calendar_entries e on e.org_id = va.org_id and e.id = va.calendar_entry_id and e.status <> 'cancelled'
    join vehicles v on v.org_id = e.org_id and v.id = e.vehicle_id
    where va.org_id = d.org_id and va.departure_id = d.id
  ) fleet
  cross join lateral (
    select count(*)::int as total, (count(*) filter (where s.status <> 'confirmed'))::int as waiting
    from departure_services s where s.org_id = d.org_id and s.departure_id = d.id and s.status <> 'cancelled'
  ) services
  cross join lateral (
    select count(*)::int as missing from manifest_entries m
    where t.duration_days > 1 and m.org_id = d.org_id and m.departure_id = d.id and m.status <> 'cancelled' and not exists (
      select from traveler_documents p where p.org_id = m.org_id and p.traveler_id = m.traveler_id and p.kind in ('passport', 'id')
        and (p.expires_on is null or p.expires_on >= (d.ends_at at time zone d.time_zone)::date))
  ) papers
  cross join lateral (
    select count(*)::int as total, (count(*) filter (where g.status in ('failed', 'partly_failed')))::int as failed
    from messages g where g.org_id = d.org_id and g.departure_id = d.id and g.status in ('sent', 'partly_failed', 'failed')
  ) mail
  cross join lateral (
    select coalesce(array_agg(c.name order by c.place) filter (where not c.ok), '{}') as failing,
      coalesce(array_agg(c.name order by c.place), '{}') as applicable
    from (values
      (1, 'lead_guide', crew.has_lead, true),
      (2, 'language', crew.guides = 0 or crew.speaks, d.language is not null),
      (3, 'guide_ratio', crew.guides = 0 or crew.guides * t.guide_ratio >= d.seats_confirmed, t.guide_ratio is not null),
      (4, 'vehicle_seats', fleet.vehicle_id is not null and fleet.seats - crew.people >= d.seats_confirmed,
        t.vehicle_class is not null or fleet.vehicle_id is not null),
      (5, 'services_confirmed', services.waiting = 0, services.total > 0),
      (6, 'documents', papers.missing = 0, t.duration_days > 1),
      (7, 'weather_note', coalesce(d.weather_note, '') <> '', coalesce((t.thresholds #>> '{weather_warning,noteRequired}')::boolean, false)),
      (8, 'minimum_pax', d.status = 'guaranteed' or d.seats_confirmed >= d.min_pax, d.min_pax > 0),
      (9, 'messages_delivered', mail.failed = 0, mail.total > 0)
    ) c (place, name, ok, applies)
    where c.applies and d.status in ('draft', 'scheduled', 'guaranteed', 'boarding', 'in_progress')
  ) ready`

interface CheckFacts extends ReadinessColumns {
  language: string | null
  guides: number
  guideRatio: number | null
  pax: number
  minPax: number
  seats: number
  crew: number
  waiting: number
  services: number
  missing: number
}

/** The checklist of one departure with the figures behind it, written so that they need no translation. */
export async function selectChecks(tx: Tx, orgId: string, departureId: string): Promise<Departure['checks']> {
  const { rows } = await sql<CheckFacts>`
    select ready.failing, ready.applicable, d.language, crew.guides, t.guide_ratio as "guideRatio", d.seats_confirmed as pax,
      d.min_pax as "minPax", fleet.seats, crew.people as crew, services.waiting, services.total as services, papers.missing
    from departures d join tours t on t.org_id = d.org_id and t.id = d.tour_id ${readinessJoins}
    where d.org_id = ${orgId} and d.id = ${departureId}`.execute(tx)
  const facts = rows[0]
  if (!facts) return []
  return facts.applicable.map((check) => ({
    check,
    ok: !facts.failing.includes(check),
    detail: details[check]?.(facts) ?? null,
  }))
}

const details: Partial<Record<ReadinessCheck, (facts: CheckFacts) => string | null>> = {
  language: (facts) => facts.language,
  guide_ratio: (facts) => `${facts.pax} / ${facts.guides * (facts.guideRatio ?? 0)}`,
  vehicle_seats: (facts) => `${facts.pax} / ${Math.max(0, facts.seats - facts.crew)}`,
  services_confirmed: (facts) => `${facts.services - facts.waiting} / ${facts.services}`,
  documents: (facts) => (facts.missing > 0 ? String(facts.missing) : null),
  minimum_pax: (facts) => `${facts.pax} / ${facts.minPax}`,
}
