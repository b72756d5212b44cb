import type { Departure, ReadinessCheck } from '@tour-ops/contract/departures/departures'
import { sql, type RawBuilder } from 'kysely'
import type { Tx } from '../db/database.ts'
import { groupedOnce } from '../list-query.ts'
import { isNearForSuppliers, isOpen } from './departure-phase.ts'
import { missingDocuments } from './missing-documents.ts'
import { statuses } from './status-sets.ts'

/** What `readinessJoins` adds to each departure `d` of tour `t`. */
export interface ReadinessColumns {
  failing: ReadinessCheck[]
  applicable: ReadinessCheck[]
}

/** What of a checklist is the same for every departure: name, whether it is met, whether it applies. Over `d`, `t` and the groups below. */
const checks: readonly [name: ReadinessCheck, ok: RawBuilder<boolean>, applies: RawBuilder<boolean>][] = [
  ['lead_guide', sql`facts.has_lead`, sql`true`],
  ['language', sql`facts.guides = 0 or facts.speaks`, sql`d.language is not null`],
  [
    'guide_ratio',
    sql`facts.guides = 0 or facts.guides * t.guide_ratio >= d.seats_confirmed`,
    sql`t.guide_ratio is not null`,
  ],
  [
    'vehicle_seats',
    sql`fleet.vehicle_id is not null and facts.seats - facts.people >= d.seats_confirmed`,
    sql`(t.vehicle_class is not null or fleet.vehicle_id is not null)`,
  ],
  ['services_confirmed', sql`facts.services_waiting = 0`, sql`facts.services > 0`],
  ['documents', sql`facts.documents_missing = 0`, sql`t.duration_days > 1`],
  [
    'weather_note',
    sql`coalesce(d.weather_note, '') <> ''`,
    sql`coalesce((t.thresholds #>> '{weather_warning,noteRequired}')::boolean, false)`,
  ],
  ['minimum_pax', sql`d.status = 'guaranteed' or d.seats_confirmed >= d.min_pax`, sql`d.min_pax > 0`],
  ['messages_delivered', sql`facts.messages_failed = 0`, sql`facts.messages > 0`],
  [
    'suppliers_informed',
    sql`facts.suppliers_untold = 0`,
    sql`(${isNearForSuppliers} and (facts.suppliers_told > 0 or facts.suppliers_untold > 0))`,
  ],
]

const namesWhere = (
  condition: (ok: RawBuilder<boolean>, applies: RawBuilder<boolean>) => RawBuilder<boolean>,
): RawBuilder<ReadinessCheck[]> => {
  const names = checks.map(([name, ok, applies]) => sql`case when ${condition(ok, applies)} then ${sql.lit(name)} end`)
  return sql`case when ${isOpen} then array_remove(array[${sql.join(names)}]::text[], null) else '{}' end`
}

/**
 * Joins that compute the checklist of departures `d` of tours `t`; they add `crew`, `fleet`, `facts` and `ready`. What belongs to a
 * departure is read by one grouped statement for all of them: one query per row took eight times as long for a day of 450
 * departures. Checks that do not apply (no language wanted, a day tour's passports) are neither failing nor counted. What is over needs
 * nothing. Vehicle seats are counted without the crew's. See docs/domain.md, "Readiness".
 *
 * @param ids SQL array with the ids of all the departures; for others the checklist is empty of facts, and wrong.
 */
export const readinessJoins = (orgId: string, ids: RawBuilder<unknown>): RawBuilder<unknown> => sql`
  left join ${groupedOnce(sql`
    select a.departure_id, count(*)::int as people,
      (count(*) filter (where a.role in ('lead_guide', 'guide', 'tour_leader')))::int as guides,
      bool_or(a.role = 'lead_guide') as has_lead,
      (array_agg(f.id order by a.id) filter (where a.role = 'lead_guide'))[1] as lead_id,
      (array_agg(concat_ws(' ', f.first_name, f.last_name) order by a.id) filter (where a.role = 'lead_guide'))[1] as lead_name,
      array_agg(f.languages) filter (where a.role in ('lead_guide', 'guide', 'tour_leader')) as languages
    from assignments a join field_staff f on f.org_id = a.org_id and f.id = a.staff_id
    where a.org_id = ${orgId} and a.departure_id = any (${ids}) and a.status in ${statuses.binding} and a.role <> 'backup'
    group by a.departure_id`)} crew on crew.departure_id = d.id
  left join ${groupedOnce(sql`
    select va.departure_id, sum(v.seats)::int as seats, (array_agg(v.id order by e.id))[1] as vehicle_id,
      (array_agg(v.label order by e.id))[1] as vehicle_label
    from vehicle_assignments va
    join vehicle_calendar_entries e on e.org_id = va.org_id and e.id = va.calendar_entry_id and e.status <> 'cancelled'
    join vehicles v on v.org_id = e.org_id and v.id = e.vehicle_id
    where va.org_id = ${orgId} and va.departure_id = any (${ids})
    group by va.departure_id`)} fleet on fleet.departure_id = d.id
  left join ${groupedOnce(sql`
    select s.departure_id, count(*)::int as total, (count(*) filter (where s.status <> 'confirmed'))::int as waiting
    from departure_services s where s.org_id = ${orgId} and s.departure_id = any (${ids}) and s.status <> 'cancelled'
    group by s.departure_id`)} services on services.departure_id = d.id
  left join ${groupedOnce(missingDocuments(orgId, ids))} papers on papers.departure_id = d.id
  left join ${groupedOnce(sql`
    select g.departure_id, count(*)::int as total, (count(*) filter (where g.status in ('failed', 'partly_failed')))::int as failed,
      (count(*) filter (where g.kind = 'supplier_message'))::int as to_suppliers
    from messages g where g.org_id = ${orgId} and g.departure_id = any (${ids}) and g.status in ('sent', 'partly_failed', 'failed')
    group by g.departure_id`)} mail on mail.departure_id = d.id
  left join ${groupedOnce(sql`
    select u.departure_id, count(*)::int as suppliers from untold_suppliers u where u.org_id = ${orgId} and u.departure_id = any (${ids})
    group by u.departure_id`)} untold on untold.departure_id = d.id
  cross join lateral (
    select coalesce(crew.people, 0) as people, coalesce(crew.guides, 0) as guides, coalesce(crew.has_lead, false) as has_lead,
      exists (select from unnest(crew.languages) known, jsonb_array_elements(known) spoken
        where split_part(spoken ->> 'tag', '-', 1) = split_part(d.language, '-', 1)) as speaks,
      coalesce(fleet.seats, 0) as seats, coalesce(services.total, 0) as services, coalesce(services.waiting, 0) as services_waiting,
      coalesce(papers.missing, 0) as documents_missing, coalesce(mail.total, 0) as messages, coalesce(mail.failed, 0) as messages_failed,
      coalesce(mail.to_suppliers, 0) as suppliers_told, coalesce(untold.suppliers, 0) as suppliers_untold
  ) facts
  cross join lateral (
    select ${namesWhere((ok, applies) => sql`${applies} and not (${ok})`)} as failing,
      ${namesWhere((_ok, applies) => applies)} as applicable
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
    select ready.failing, ready.applicable, d.language, facts.guides, t.guide_ratio as "guideRatio", d.seats_confirmed as pax,
      d.min_pax as "minPax", facts.seats, facts.people as crew, facts.services_waiting as waiting, facts.services,
      facts.documents_missing as missing
    from departures d join tours t on t.org_id = d.org_id and t.id = d.tour_id
    ${readinessJoins(orgId, sql`array[${departureId}::uuid]`)}
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
