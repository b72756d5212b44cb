import type { Out } from '@tour-ops/contract/callable'
import { suggestStaff } from '@tour-ops/contract/field-staff/assignments'
import { staffPlanner } from '@tour-ops/contract/field-staff/staff-planner'
import { sql } from 'kysely'
import type { MemberCall } from '../../context.ts'
import { type DutySpan, hoursByStaff } from '../../platform/duty-hours.ts'
import { allOf, isOneOfIds } from '../../platform/list-query.ts'
import { addDays, dayBounds } from '../../platform/local-time.ts'
import { organizationZone } from '../../platform/organization-zone.ts'
import { joinAssigned } from '../../platform/own-scope.ts'
import { recordLook, seesPrivateOf } from '../../platform/private-fields.ts'
import { type Verb, verb } from '../../platform/verb.ts'
import { calendarNoteOf } from './calendar-note.ts'
import { dutyOf, requireDeparture } from './assignments-store.ts'
import type { Span } from './fit-facts.ts'
import { selectOpenVehicles, selectVehicleBlocks, selectVehicles } from './planner-vehicles.ts'
import { judge, obstacleOf } from './fit.ts'
import { selectFitFacts } from './fit-facts.ts'
import { fromOpenRoles } from '../../platform/operations/open-roles.ts'

type Planner = Out<typeof staffPlanner>

const planner = verb(staffPlanner, async (call, input) => {
  const timeZone = await organizationZone(call)
  const span = {
    timeZone,
    from: dayBounds(input.from, timeZone).from,
    to: dayBounds(addDays(input.from, input.days - 1), timeZone).to,
  }
  const people = await selectPeople(call, span, input)
  const ids = people.map((person) => person.id)
  const isAboutPeople =
    call.scope === 'own' || [input.kind, input.homeBasePlaceId, input.staffId].some((one) => one?.length)
  return {
    timeZone,
    people,
    blocks: await selectBlocks(call, span, ids),
    open: await selectOpenRoles(call, span),
    vehicles: isAboutPeople ? [] : await selectVehicles(call),
    vehicleBlocks: isAboutPeople ? [] : await selectVehicleBlocks(call, span),
    openVehicles: isAboutPeople ? [] : await selectOpenVehicles(call, span),
  }
})

type Wanted = { kind?: string[] | undefined; homeBasePlaceId?: string[] | undefined; staffId?: string[] | undefined }

async function selectPeople(call: MemberCall, span: DutySpan, wanted: Wanted): Promise<Planner['people']> {
  const where = allOf([
    sql`s.org_id = ${call.orgId} and s.archived_at is null and s.status = 'active'`,
    call.scope === 'own' ? sql`s.id = ${call.staffId}` : undefined,
    wanted.kind?.length ? sql`s.kinds && ${wanted.kind}::text[]` : undefined,
    isOneOfIds(sql`s.home_base_place_id`, wanted.homeBasePlaceId),
    isOneOfIds(sql`s.id`, wanted.staffId),
  ])
  const { rows } = await sql<Planner['people'][number]>`
    select s.id, trim(s.first_name || ' ' || s.last_name) as name, s.kinds, s.employment,
      array(select spoken->>'tag' from jsonb_array_elements(s.languages) spoken) as languages,
      case when base.id is not null then jsonb_build_object('id', base.id, 'name', base.name) end as "homeBase",
      round(coalesce(worked.hours, 0)::numeric, 1)::float8 as hours, s.contracted_hours_per_week as "limitHours"
    from field_staff s
      left join places base on base.org_id = s.org_id and base.id = s.home_base_place_id
      left join ${hoursByStaff(call.orgId, span)} worked on worked.staff_id = s.id
    where ${where} order by base.name collate "und-x-icu" nulls last, s.last_name collate "und-x-icu", s.id`.execute(
    call.tx,
  )
  return rows
}

type BlockRow = Omit<Planner['blocks'][number], 'startsAt' | 'endsAt' | 'note'> & {
  startsAt: Date
  endsAt: Date
  noteSealed: Buffer | null
}

async function selectBlocks(call: MemberCall, span: Span, staffIds: string[]): Promise<Planner['blocks']> {
  if (staffIds.length === 0) return []
  const { rows } = await sql<BlockRow>`
    select busy.id, busy.staff_id as "staffId", busy.kind, busy.from_at as "startsAt", busy.to_at as "endsAt", busy.blocking,
      case when ${seesPrivateOf(call, sql`e.staff_id`)} then e.note_sealed end as "noteSealed",
      case when a.id is not null then jsonb_build_object('id', a.id, 'version', a.version, 'departureId', d.id,
        'departureCode', d.code, 'tourCode', t.code, 'tourName', t.name, 'role', a.role, 'status', a.status,
        'respondBy', to_char(a.respond_by at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"'), 'timeZone', d.time_zone) end as assignment
    from staff_busy(tstzrange(${span.from}, ${span.to}), ${staffIds}::uuid[], false) busy
      join staff_calendar_entries e on e.org_id = ${call.orgId} and e.id = busy.id
      left join assignments a on a.org_id = e.org_id and a.calendar_entry_id = e.id
        and a.status not in ('declined', 'expired', 'withdrawn', 'released')
      ${joinAssigned(call, 'left join')}
    where busy.kind <> 'assignment' or a.id is not null`.execute(call.tx)
  const blocks = rows.map(({ noteSealed, ...block }) => ({
    ...block,
    startsAt: block.startsAt.toISOString(),
    endsAt: block.endsAt.toISOString(),
    note: noteSealed && call.sealed.openIfPossible(noteSealed, calendarNoteOf(call, block.id)),
  }))
  const told = blocks.filter(({ note, staffId }) => note !== null && staffId !== call.staffId)
  const ids = [...new Set(told.map(({ staffId }) => staffId))]
  if (ids.length > 0) await recordLook(call, 'timeOffReason', { entity: 'field_staff', ids })
  return blocks
}

type OpenRow = Omit<Planner['open'][number], 'startsAt' | 'endsAt'> & { startsAt: Date; endsAt: Date }

/** Roles that the tour requires and nobody has accepted, soonest first. */
async function selectOpenRoles(call: MemberCall, span: Span): Promise<Planner['open']> {
  if (call.scope === 'own') return []
  const { rows } = await sql<OpenRow>`
    select d.id as "departureId", d.code as "departureCode", t.name as "tourName", needed.role, d.starts_at as "startsAt",
      d.ends_at as "endsAt", d.time_zone as "timeZone", d.seats_confirmed as pax,
      case when d.language is null then '{}'::text[] else array[d.language] end as languages,
      coalesce((select jsonb_agg(jsonb_build_object('assignmentId', a.id, 'staffName', s.first_name || ' ' || s.last_name,
          'respondBy', to_char(a.respond_by at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"')))
        from assignments a join field_staff s on s.org_id = a.org_id and s.id = a.staff_id
       where a.org_id = d.org_id and a.departure_id = d.id and a.role = needed.role and a.status = 'offered'), '[]') as offers
    ${fromOpenRoles(call.orgId, sql`d.starts_at < ${span.to} and d.ends_at > ${span.from}`)}
    order by d.starts_at, d.code`.execute(call.tx)
  return rows.map((role) => ({ ...role, startsAt: role.startsAt.toISOString(), endsAt: role.endsAt.toISOString() }))
}

const suggest = verb(suggestStaff, async (call, { departureId, role }) => {
  const departure = await requireDeparture(call, departureId)
  const people = await selectFitFacts(call, dutyOf(departure, role), 'whose work it is')
  const ranked = people
    .filter((person) => !obstacleOf(person))
    .map((person) => ({ person, fit: judge(person) }))
    .toSorted((a, b) => Number(a.fit.broken.length > 0) - Number(b.fit.broken.length > 0) || b.fit.score - a.fit.score)
  return {
    fits: ranked.map(({ person: { staffId, name, employment }, fit: { score, reasons } }) => ({
      staffId,
      name,
      employment,
      score,
      reasons,
    })),
    notPossible: people.flatMap((person) => obstacleOf(person) ?? []),
  }
})

export const plannerVerbs: Verb[] = [planner, suggest]
