import { getManifest } from '@tour-ops/contract/bookings/manifest'
import type { Out } from '@tour-ops/contract/callable'
import { getDeparture } from '@tour-ops/contract/departures/departures'
import type { DutyDay, DutyDeparture } from '@tour-ops/contract/duty/duty-phone'
import { hasAccess } from '@tour-ops/contract/identity/access'
import { refuse } from '@tour-ops/contract/refusals'
import { ownDuty } from '@tour-ops/contract/tracking/duty'
import { sql } from 'kysely'
import type { MemberCall } from '../../context.ts'
import { iso, isoOrNull } from '../../platform/list-query.ts'
import { ruleIn } from '../../platform/operations/alert-limits.ts'
import { reachAs } from '../../platform/own-scope.ts'
import { type FindVerb, runAs } from '../../platform/find-verb.ts'
import { selectOwnHelpCall } from './help-events.ts'
import { leads } from './who-leads.ts'
import { changeNotesSince } from '../../platform/operations/change-notes.ts'
import { statuses } from '../../platform/operations/status-sets.ts'

type OwnPart = NonNullable<DutyDeparture['assignment']>

interface OwnDeparture extends Omit<OwnPart, 'respondBy' | 'reportAt'> {
  readonly departureId: string
  readonly respondBy: Date | null
  readonly reportAt: Date | null
}

/** Own departures of today and tomorrow by the tour's clock, and those still out; with what a phone needs when there is no signal. */
export async function ownDays(call: MemberCall, find: FindVerb): Promise<DutyDay> {
  const { staffId } = call
  if (staffId === null) throw refuse('no_staff_record')
  const own = await selectOwn(call, staffId)
  // offered ones are seen as long as nothing asks for their guests
  const heads: Out<typeof getDeparture>[] = []
  for (const { departureId } of own) heads.push(await runAs(call, find, getDeparture, { id: departureId }))
  const duty = await runAs(call, find, ownDuty, {})
  const departures: DutyDeparture[] = []
  for (const [index, departure] of heads.entries()) {
    const part = own[index]
    if (!part) continue
    const { departureId, respondBy, reportAt, ...rest } = part
    const isOpen = part.status !== 'offered'
    departures.push({
      departure,
      manifest: isOpen ? await runAs(call, find, getManifest, { departureId }) : null,
      assignment: { ...rest, respondBy: isoOrNull(respondBy), reportAt: isoOrNull(reportAt) },
      can: {
        mark: isOpen && part.status !== 'completed' && hasAccess(call, { permission: 'checkin:write' }),
        lead: isOpen && part.status !== 'completed' && leads(call, part.role),
      },
    })
  }
  await reachAs(call, 'departures:read')
  return { ...(await selectFrame(call)), person: await selectPerson(call, staffId), duty, departures }
}

async function selectOwn(call: MemberCall, staffId: string): Promise<OwnDeparture[]> {
  const { rows } = await sql<OwnDeparture>`
    select a.id, a.version, a.departure_id as "departureId", a.role, a.status, a.respond_by as "respondBy", a.report_at as "reportAt",
      a.seen_version as "seenVersion", ${changeNotesSince(sql`a.seen_version`)} as "changeNotes"
    from assignments a join departures d on d.org_id = a.org_id and d.id = a.departure_id
    where a.org_id = ${call.orgId} and a.staff_id = ${staffId} and a.status in ('offered', 'accepted', 'on_duty', 'completed')
      and d.status <> 'draft' and (d.status in ${statuses.running}
        or d.starts_at < ((app_now() at time zone d.time_zone)::date + 2)::timestamp at time zone d.time_zone
          and d.ends_at > ((app_now() at time zone d.time_zone)::date)::timestamp at time zone d.time_zone)
    order by d.starts_at, d.id limit 20`.execute(call.tx)
  return rows
}

/** The same for a run sheet link: its one departure, and no duty. */
export async function linkedDay(
  call: MemberCall,
  find: FindVerb,
  { departureId, name }: { departureId: string; name: string },
): Promise<DutyDay> {
  const departure = await runAs(call, find, getDeparture, { id: departureId })
  const manifest = await runAs(call, find, getManifest, { departureId })
  return {
    ...(await selectFrame(call)),
    person: { name, base: null, staffId: null },
    duty: null,
    departures: [{ departure, manifest, assignment: null, can: { mark: true, lead: false } }],
  }
}

async function selectFrame(call: MemberCall): Promise<Pick<DutyDay, 'asOf' | 'organization' | 'help'>> {
  const { rows } = await sql<DutyDay['organization']>`
    select o.name, s.general ->> 'phone' as phone, s.time_zone as "timeZone", s.time_format as "timeFormat",
      s.general ->> 'emergencyNumber' as "emergencyNumber", greatest(0, - s.no_show_after_minutes) as "noShowFromMin",
      s.on_time_tolerance_minutes as "onTimeToleranceMin", ${ruleIn('s', 'atRiskMin')} as "atRiskMin"
    from organizations o join org_settings s on s.org_id = o.org_id where o.org_id = ${call.orgId}`.execute(call.tx)
  const organization = rows[0]
  if (!organization) throw refuse('no_organization')
  return { asOf: iso(call.clock.now()), organization, help: await selectOwnHelpCall(call) }
}

async function selectPerson(call: MemberCall, staffId: string): Promise<DutyDay['person']> {
  const { rows } = await sql<{ name: string; base: string | null }>`
    select concat_ws(' ', f.first_name, f.last_name) as name, p.name as base
    from field_staff f left join places p on p.org_id = f.org_id and p.id = f.home_base_place_id
    where f.org_id = ${call.orgId} and f.id = ${staffId}`.execute(call.tx)
  const found = rows[0]
  if (!found) throw refuse('no_staff_record')
  return { ...found, staffId }
}
