import { hasAccess } from '@tour-ops/contract/identity/access'
import type { Out } from '@tour-ops/contract/callable'
import {
  acceptAssignment,
  createAssignment,
  declineAssignment,
  listAssignments,
  offerAssignment,
  releaseAssignment,
  withdrawAssignment,
} from '@tour-ops/contract/field-staff/assignments'
import { addLeave, removeLeave } from '@tour-ops/contract/field-staff/staff-planner'
import { fieldError } from '@tour-ops/contract/field-rules'
import { refuse } from '@tour-ops/contract/refusals'
import { sql } from 'kysely'
import type { MemberCall } from '../../context.ts'
import { newId } from '../../platform/ids.ts'
import { allOf, isOneOf, isOneOfIds, orderBy } from '../../platform/list-query.ts'
import { joinAssigned } from '../../platform/own-scope.ts'
import { seesPrivateOf } from '../../platform/private-fields.ts'
import { selectLongPage } from '../../platform/select-page.ts'
import { tryAgainst } from '../../platform/savepoint.ts'
import { type Verb, verb } from '../../platform/verb.ts'
import { updateVersioned } from '../../platform/version-conflict.ts'
import { calendarNoteOf } from './calendar-note.ts'
import {
  dutyOf,
  insertAssignment,
  type Overridden,
  requireDeparture,
  requireFit,
  requireOpen,
  requireStillFit,
  staffBusy,
} from './assignments-store.ts'
import type { Duty } from './fit-facts.ts'
import { notifyOffered } from './offer-notice.ts'
import { notFound } from '../../platform/optimistic-lock.ts'

const create = verb(createAssignment, async (call, input) => {
  const departure = await requireDeparture(call, input.departureId)
  requireOpen(departure)
  const from = input.reportAt ? new Date(input.reportAt) : undefined
  const to = input.releaseAt ? new Date(input.releaseAt) : undefined
  const duty = dutyOf(departure, input.role, { ...(from && { from }), ...(to && { to }) })
  if (duty.span.to <= duty.span.from) {
    throw fieldError(to ? 'releaseAt' : 'reportAt', 'release_before_report')
  }
  const { staffId, role, overrideReason } = input
  const brokenRules = (await requireFit(call, duty, [staffId], overrideReason)).get(staffId) ?? []
  const saved = await insertAssignment(call, { duty, staffId, status: 'accepted', brokenRules, overrideReason })
  await withdrawOtherOffers(call, departure.id, role)
  return { ...saved, brokenRules }
})

const offer = verb(offerAssignment, async (call, { departureId, role, staffIds, respondBy, overrideReason }) => {
  const departure = await requireDeparture(call, departureId)
  requireOpen(departure)
  const duty = dutyOf(departure, role)
  const broken = await requireFit(call, duty, staffIds, overrideReason)
  const ids: string[] = []
  for (const staffId of staffIds) {
    const { id } = await insertAssignment(call, {
      duty,
      staffId,
      status: 'offered',
      respondBy: new Date(respondBy),
      brokenRules: broken.get(staffId) ?? [],
      overrideReason,
    })
    ids.push(id)
  }
  await notifyOffered(call, departure, staffIds, new Date(respondBy))
  return { ids }
})

/** The first acceptance wins: other offers for the filled role are withdrawn. */
async function withdrawOtherOffers(call: MemberCall, departureId: string, role: string): Promise<void> {
  if (role !== 'lead_guide') return
  await sql`
    update assignments set status = 'withdrawn'
     where org_id = ${call.orgId} and departure_id = ${departureId} and role = ${role} and status = 'offered'`.execute(
    call.tx,
  )
}

interface AssignmentRow extends Overridden {
  departureId: string
  staffId: string
  role: Duty['role']
  status: string
  from: Date
  to: Date
}

/** The assignment, if the caller may answer for it: their own, or anybody's with permission to dispatch. */
async function requireAnswerable(call: MemberCall, id: string): Promise<AssignmentRow> {
  const { rows } = await sql<AssignmentRow>`
    select a.departure_id as "departureId", a.staff_id as "staffId", a.role, a.status, lower(e.during) as "from",
      upper(e.during) as "to", a.broken_rules as "brokenRules", a.override_reason as "overrideReason"
    from assignments a
      join staff_calendar_entries e on e.org_id = a.org_id and e.id = a.calendar_entry_id
    where a.org_id = ${call.orgId} and a.id = ${id}`.execute(call.tx)
  const found = rows[0]
  const isOwn = found?.staffId === call.staffId
  if (!found || (call.scope === 'own' && !isOwn)) throw notFound('assignment')
  if (!isOwn && !hasAccess(call, { permission: 'departures:dispatch' })) {
    throw refuse('not_own_assignment')
  }
  return found
}

const target = (call: MemberCall, { id, version }: { id: string; version: number }) => ({
  orgId: call.orgId,
  id,
  version,
})

const accept = verb(acceptAssignment, async (call, input) => {
  const found = await requireAnswerable(call, input.id)
  const departure = await requireDeparture(call, found.departureId)
  requireOpen(departure)
  const { brokenRules, overrideReason } =
    found.status === 'offered'
      ? await requireStillFit(call, dutyOf(departure, found.role, found), {
          staffId: found.staffId,
          offered: found,
          // People who answer their own offer do not assess themselves.
          overrideReason: hasAccess(call, { permission: 'departures:dispatch' }) ? input.overrideReason : null,
        })
      : found
  const saved = await tryAgainst(
    call.tx,
    'staff_calendar_entries_no_overlap',
    () =>
      updateVersioned(
        call.tx,
        'assignments',
        target(call, input),
        sql`status = 'accepted', responded_at = app_now(), broken_rules = ${[...brokenRules]}::text[],
          override_reason = ${overrideReason}`,
      ),
    () => staffBusy(call, found.staffId, found.from, found.to),
  )
  await withdrawOtherOffers(call, found.departureId, found.role)
  return saved
})

const decline = verb(declineAssignment, async (call, input) => {
  await requireAnswerable(call, input.id)
  return updateVersioned(
    call.tx,
    'assignments',
    target(call, input),
    sql`status = 'declined', responded_at = app_now(), decline_reason = ${input.reason}`,
  )
})

const withdraw = verb(withdrawAssignment, (call, input) =>
  updateVersioned(call.tx, 'assignments', target(call, input), sql`status = 'withdrawn'`),
)

const release = verb(releaseAssignment, (call, input) =>
  updateVersioned(
    call.tx,
    'assignments',
    target(call, input),
    sql`status = 'released', release_reason = ${input.reason}`,
  ),
)

type Listed = Out<typeof listAssignments>['rows'][number]
type ListedRow = Omit<Listed, 'startsAt' | 'endsAt' | 'respondBy' | 'respondedAt'> & {
  startsAt: Date
  endsAt: Date
  respondBy: Date | null
  respondedAt: Date | null
}

const sortColumns = { startsAt: sql`d.starts_at`, status: sql`a.status`, role: sql`a.role` }

const list = verb(listAssignments, async (call, { filters = {}, q, ...page }) => {
  const where = allOf([
    sql`a.org_id = ${call.orgId}`,
    call.scope === 'own' ? sql`a.staff_id = ${call.staffId}` : undefined,
    isOneOfIds(sql`a.staff_id`, filters.staffId),
    isOneOfIds(sql`a.departure_id`, filters.departureId),
    isOneOf(sql`a.status`, filters.status),
    filters.from ? sql`d.local_date >= ${filters.from}` : undefined,
    filters.to ? sql`d.local_date <= ${filters.to}` : undefined,
    q ? sql`searchable(d.code || ' ' || t.name) like '%' || searchable(${q}) || '%'` : undefined,
  ])
  const withDeparture = joinAssigned(call, 'join')
  const isByDeparture = q !== '' || filters.from !== undefined || filters.to !== undefined
  const { rows, total } = await selectLongPage<ListedRow>(call.tx, {
    row: sql`a`,
    columns: sql`a.id, a.version, a.staff_id as "staffId", trim(s.first_name || ' ' || s.last_name) as "staffName",
      d.id as "departureId", d.code as "departureCode", t.name as "tourName", d.starts_at as "startsAt",
      d.ends_at as "endsAt", d.time_zone as "timeZone", a.role, a.status, a.respond_by as "respondBy",
      a.responded_at as "respondedAt", 
      case when ${seesPrivateOf(call, sql`a.staff_id`)} then a.decline_reason end as "declineReason",
      case when ${seesPrivateOf(call, sql`a.staff_id`)} then a.broken_rules else '{}' end as "brokenRules",
      case when ${seesPrivateOf(call, sql`a.staff_id`)} then a.override_reason end as "overrideReason",
      extract(epoch from d.actual_start_at - d.starts_at)::int as "startDelaySeconds"`,
    from: isByDeparture ? sql`from assignments a ${withDeparture}` : sql`from assignments a`,
    where,
    sorted: isByDeparture ? sql`` : withDeparture,
    shown: sql`from assignments a ${withDeparture} join field_staff s on s.org_id = a.org_id and s.id = a.staff_id`,
    order: orderBy(page.sort, sortColumns, sql`d.starts_at desc, a.id`),
    page,
  })
  return {
    total,
    rows: rows.map((row) => ({
      ...row,
      startsAt: row.startsAt.toISOString(),
      endsAt: row.endsAt.toISOString(),
      respondBy: row.respondBy?.toISOString() ?? null,
      respondedAt: row.respondedAt?.toISOString() ?? null,
    })),
  }
})

/** Leave never pushes anybody off a departure: what blocks it is listed, and a person decides. */
const addTimeOff = verb(addLeave, async (call, { staffId, kind, startsAt, endsAt, note }) => {
  const from = new Date(startsAt)
  const to = new Date(endsAt)
  if (to <= from) {
    throw fieldError('endsAt', 'end_before_start')
  }
  const id = newId()
  const sealed = note ? call.sealed.seal(note, calendarNoteOf(call, id)) : null
  return tryAgainst(
    call.tx,
    'staff_calendar_entries_no_overlap',
    async () => {
      await sql`
        insert into staff_calendar_entries (org_id, id, staff_id, during, kind, status, note_sealed)
        values (${call.orgId}, ${id}, ${staffId}, tstzrange(${from}, ${to}), ${kind},
          ${kind === 'time_off' ? 'approved' : 'confirmed'}, ${sealed})`.execute(call.tx)
      return { id }
    },
    () => staffBusy(call, staffId, from, to),
  )
})

const removeTimeOff = verb(removeLeave, async (call, { id }) => {
  const { rows } = await sql<{ id: string }>`
    delete from staff_calendar_entries
     where org_id = ${call.orgId} and id = ${id} and kind in ('time_off', 'training', 'external_busy') returning id`.execute(
    call.tx,
  )
  if (!rows[0]) throw notFound('calendar_entry')
  return { id }
})

export const assignmentVerbs: Verb[] = [
  create,
  offer,
  accept,
  decline,
  withdraw,
  release,
  list,
  addTimeOff,
  removeTimeOff,
]
