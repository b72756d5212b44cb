import { hasAccess } from '@tour-ops/contract/identity/access'
import {
  createFieldStaff,
  exportFieldStaff,
  type FieldStaffRow,
  getFieldStaff,
  listFieldStaff,
  setFieldStaffStatus,
  updateFieldStaff,
} from '@tour-ops/contract/field-staff/field-staff'
import type { Given } from '@tour-ops/contract/callable'
import { refuse } from '@tour-ops/contract/refusals'
import { fieldError } from '@tour-ops/contract/field-rules'
import { type RawBuilder, sql, type Updateable } from 'kysely'
import type { MemberCall } from '../../context.ts'
import { csvFile } from '../../platform/csv.ts'
import type { Tables } from '../../platform/db/tables.ts'
import { weekAround } from '../../platform/duty-hours.ts'
import { newId } from '../../platform/ids.ts'
import { orderBy } from '../../platform/list-query.ts'
import { selectPage } from '../../platform/select-page.ts'
import { dayBounds } from '../../platform/local-time.ts'
import { seesPrivateOfAll } from '../../platform/private-fields.ts'
import { type Verb, verb } from '../../platform/verb.ts'
import { assigned, updateVersioned } from '../../platform/version-conflict.ts'
import {
  findFieldStaff,
  roster,
  rosterColumns,
  type RosterFilter,
  rosterSort,
  selectFutureDepartures,
} from './field-staff-store.ts'
import { notFound } from '../../platform/optimistic-lock.ts'

type ListInput = Given<typeof listFieldStaff>
type Fields = Given<typeof createFieldStaff>

/** Phones and private notes of one person need `staff_private:read`; a guide has it for themselves. */
const seesPrivate = (call: MemberCall, staffId: string): boolean =>
  seesPrivateOfAll(call) || (hasAccess(call, { permission: 'staff_private:read' }) && staffId === call.staffId)

async function filterOf(
  call: MemberCall,
  { q, filters = {} }: Pick<ListInput, 'q' | 'filters'>,
): Promise<RosterFilter> {
  const { availableFrom, availableTo, ...rest } = filters
  const from = availableFrom ?? availableTo
  const to = availableTo ?? availableFrom
  if (from && to && to < from) throw fieldError('filters.availableTo', 'last_before_first')
  const week = await weekAround(call, call.clock.now())
  return {
    ...rest,
    q,
    phones: seesPrivateOfAll(call),
    week,
    onlyStaffId: call.scope === 'own' ? call.staffId : undefined,
    free: from && to ? { from: dayBounds(from, week.timeZone).from, to: dayBounds(to, week.timeZone).to } : undefined,
  }
}

const rosterOrder = (sort: ListInput['sort']): RawBuilder<unknown> =>
  orderBy(sort, rosterSort, sql`s.last_name collate "und-x-icu", s.first_name collate "und-x-icu", s.id`)

const list = verb(listFieldStaff, async (call, input) =>
  selectPage(call.tx, {
    columns: rosterColumns(seesPrivateOfAll(call)),
    from: roster(call.orgId, await filterOf(call, input)),
    order: rosterOrder(input.sort),
    page: input,
  }),
)

const exportAll = verb(exportFieldStaff, async (call, input) => {
  const { rows } = await sql<FieldStaffRow>`
    select ${rosterColumns(seesPrivateOfAll(call))} ${roster(call.orgId, await filterOf(call, input))} order by ${rosterOrder(input.sort)}`.execute(
    call.tx,
  )
  return csvFile<FieldStaffRow>(
    'field-staff',
    {
      code: (person) => person.code,
      name: (person) => person.name,
      kinds: (person) => person.kinds.join(' '),
      employment: (person) => person.employment,
      status: (person) => person.status,
      languages: (person) => person.languages.map((spoken) => `${spoken.tag} ${spoken.level}`).join(', '),
      skills: (person) => person.skills.join(', '),
      base: (person) => person.homeBase?.name ?? null,
      phone: (person) => person.phone,
      hours_this_week: (person) => person.hoursThisWeek,
      certificates: (person) => person.certificates,
    },
    rows,
    input.columns,
  )
})

const get = verb(getFieldStaff, async (call, { id }) => {
  const found = await findFieldStaff(call.tx, call.orgId, id, seesPrivate(call, id))
  if (!found || (call.scope === 'own' && id !== call.staffId)) {
    throw notFound('field_staff')
  }
  return found
})

/** A short code from the name, counted up until it is free. */
async function freeCode(call: MemberCall, { firstName, lastName }: Fields): Promise<string> {
  const letters = `${firstName}${lastName}`
    .normalize('NFD')
    .replaceAll(/[^A-Za-z]/g, '')
    .toUpperCase()
  const stem = letters.slice(0, 3).padEnd(3, 'X')
  // two people with the same letters, created at once, wait for each other instead of taking the same code
  await sql`select pg_advisory_xact_lock(hashtextextended(${`staff code ${call.orgId} ${stem}`}, 0))`.execute(call.tx)
  const { rows } = await sql<{ code: string }>`
    select code from field_staff where org_id = ${call.orgId} and code like ${`${stem}%`}`.execute(call.tx)
  const taken = new Set(rows.map((row) => row.code))
  let code = stem
  for (let count = 2; taken.has(code); count += 1) code = `${stem}${count}`
  return code
}

/** What a form of a person writes, by column. */
const valuesOf = (person: Fields) =>
  ({
    first_name: person.firstName,
    last_name: person.lastName,
    kinds: person.kinds,
    employment: person.employment,
    supplier_id: person.supplierId,
    phone: person.phone,
    email: person.email,
    emergency_name: person.emergencyContact?.name ?? null,
    emergency_relation: person.emergencyContact?.relation ?? null,
    emergency_phone: person.emergencyContact?.phone ?? null,
    home_base_place_id: person.homeBasePlaceId,
    languages: JSON.stringify(person.languages),
    skills: person.skills,
    max_hours_per_day: person.maxHoursPerDay,
    min_rest_hours: person.minRestHours,
    contracted_hours_per_week: person.contractedHoursPerWeek,
    cost_per_day_minor: person.costPerDayMinor,
    currency: person.costCurrency,
    member_user_id: person.memberUserId,
    notes: person.notes,
  }) satisfies Updateable<Tables['field_staff']>

const create = verb(createFieldStaff, async (call, person) => {
  const id = newId()
  const code = person.code ?? (await freeCode(call, person))
  await call.tx
    .insertInto('field_staff')
    .values({ org_id: call.orgId, id, code, ...valuesOf(person) })
    .execute()
  await replaceCertificates(call, id, person.certificates)
  return { id, version: 1 }
})

type Certificates = readonly {
  id?: string | undefined
  kind: string
  number: string | null
  issuedOn: string | null
  validUntil: string | null
}[]

/** The list given is the list afterwards: rows that are not in it go, known ones change, new ones come. */
async function replaceCertificates(call: MemberCall, staffId: string, certificates: Certificates): Promise<void> {
  const kept = certificates.flatMap((certificate) => (certificate.id ? [certificate.id] : []))
  await sql`
    delete from staff_certificates
     where org_id = ${call.orgId} and staff_id = ${staffId} and id <> all(${kept}::uuid[])`.execute(call.tx)
  for (const certificate of certificates) {
    if (certificate.id) await changeCertificate(call, staffId, certificate.id, certificate)
    else await addCertificate(call, staffId, certificate)
  }
}

async function addCertificate(call: MemberCall, staffId: string, certificate: Certificates[number]): Promise<void> {
  const { kind, number, issuedOn, validUntil } = certificate
  await sql`
    insert into staff_certificates (org_id, id, staff_id, kind, number, issued_on, valid_until)
    values (${call.orgId}, ${newId()}, ${staffId}, ${kind}, ${number}, ${issuedOn}, ${validUntil})`.execute(call.tx)
}

/** @throws AppError 'not-found' for a certificate that is gone, or somebody else's. */
async function changeCertificate(
  call: MemberCall,
  staffId: string,
  id: string,
  { kind, number, issuedOn, validUntil }: Certificates[number],
): Promise<void> {
  const { numAffectedRows } = await sql`
    update staff_certificates set kind = ${kind}, number = ${number}, issued_on = ${issuedOn}, valid_until = ${validUntil}
     where org_id = ${call.orgId} and staff_id = ${staffId} and id = ${id}`.execute(call.tx)
  if (!numAffectedRows) throw notFound('certificate')
}

const update = verb(updateFieldStaff, async (call, { id, version, certificates, ...person }) => {
  const saved = await updateVersioned(
    call.tx,
    'field_staff',
    { orgId: call.orgId, id, version },
    assigned({ ...valuesOf({ ...person, certificates: [] }), ...(person.code && { code: person.code }) }),
  )
  if (certificates) await replaceCertificates(call, id, certificates)
  return saved
})

const setStatus = verb(setFieldStaffStatus, async (call, { id, version, to }) => {
  if (to !== 'active') {
    const ahead = await selectFutureDepartures(call.tx, call.orgId, id)
    if (ahead.length > 0) {
      throw refuse('still_assigned', { departures: ahead })
    }
  }
  return updateVersioned(call.tx, 'field_staff', { orgId: call.orgId, id, version }, sql`status = ${to}`)
})

export const rosterVerbs: Verb[] = [list, exportAll, get, create, update, setStatus]
