import { hasAccess } from '@tour-ops/contract/identity/access'
import type { Given } from '@tour-ops/contract/callable'
import { refuse } from '@tour-ops/contract/refusals'
import { ofGuests } from '@tour-ops/contract/sensitive-data'
import {
  bookingsOfTravelers,
  countTravelerViews,
  createTraveler,
  exportTravelers,
  getTraveler,
  listTravelers,
  similarTravelers,
  tagTravelers,
  type TravelerRow,
  travelerViews,
  updateTraveler,
} from '@tour-ops/contract/travelers/travelers'
import { sql, type Updateable } from 'kysely'
import type { MemberCall } from '../../context.ts'
import { csvFile } from '../../platform/csv.ts'
import type { Tables } from '../../platform/db/tables.ts'
import { newId } from '../../platform/ids.ts'
import { pageOf } from '../../platform/list-query.ts'
import { notFound } from '../../platform/optimistic-lock.ts'
import { type Verb, verb } from '../../platform/verb.ts'
import { assigned, updateVersioned } from '../../platform/version-conflict.ts'
import { medicalNoteOf, requireSensitive } from './sensitive-service.ts'
import {
  countTravelers,
  findProfile,
  selectDocuments,
  selectFigures,
  selectTravelerPage,
  selectTripBookings,
  selectTrips,
} from './travelers-store.ts'

type Fields = Given<typeof createTraveler>

const list = verb(listTravelers, async (call, { q, filters, sort, ...page }) => {
  const total = await countTravelers(call, { q, filters })
  return selectTravelerPage(call, { q, filters, sort, ...pageOf(page), total })
})

/** Rows of one export at most: beyond it the file passes the size limit anyway. */
const exportLimit = 50_000

const exportAll = verb(exportTravelers, async (call, { q, filters, sort, columns }) => {
  const { rows } = await selectTravelerPage(call, { q, filters, sort, limit: exportLimit, offset: 0, total: 0 })
  await sql`select record_event('travelers-export', 'travelers', '*', ${JSON.stringify({ rows: rows.length })}::jsonb)`.execute(
    call.tx,
  )
  return csvFile<TravelerRow>(
    'travelers',
    {
      name: (row) => row.name,
      first_name: (row) => row.firstName,
      last_name: (row) => row.lastName,
      nationality: (row) => row.nationality,
      language: (row) => row.languages.join(' '),
      email: (row) => row.email,
      phone: (row) => row.phone,
      flags: (row) => row.flags.join(' '),
      tags: (row) => row.tags.join(', '),
      trip: (row) => row.trip?.code ?? null,
      booking_ref: (row) => row.trip?.bookingRef ?? null,
      tours: (row) => row.toursTaken,
    },
    rows,
    columns,
  )
})

type TravelerView = (typeof travelerViews)[number]

const counts = verb(countTravelerViews, (call) => call.shared.answer(call, [countTravelerViews.name], selectCounts))

async function selectCounts(call: MemberCall): Promise<Record<TravelerView, number>> {
  const columns = travelerViews.map(
    (view) => sql`count_travelers(${JSON.stringify({ view })}::jsonb)::int as ${sql.ref(view)}`,
  )
  const { rows } = await sql<Record<TravelerView, number>>`select ${sql.join(columns)}`.execute(call.tx)
  return rows[0] ?? { all: 0, on_tour: 0, arriving: 0, missing_data: 0, duplicates: 0 }
}

const get = verb(getTraveler, async (call, { id }) => {
  const profile = await findProfile(call, id)
  if (!profile) throw notFound('traveler')
  return {
    ...profile,
    createdAt: profile.createdAt.toISOString(),
    documents: await selectDocuments(call, id),
    trips: await selectTrips(call, id),
    figures: await selectFigures(call, id),
  }
})

/** What a form of a person writes, by column. */
const valuesOf = (person: Fields) =>
  ({
    first_name: person.firstName ?? '',
    last_name: person.lastName,
    preferred_name: person.preferredName,
    gender: person.gender,
    nationality: person.nationality,
    residence_country: person.residenceCountry,
    languages: person.languages,
    email: person.email,
    phone: person.phone,
    dietary: person.dietary,
    dietary_note: person.dietaryNote,
    mobility: person.mobility,
    mobility_note: person.mobilityNote,
    emergency_name: person.emergencyContact?.name ?? null,
    emergency_relation: person.emergencyContact?.relation ?? null,
    emergency_phone: person.emergencyContact?.phone ?? null,
    tags: person.tags,
    marketing_consent: person.marketingConsent,
  }) satisfies Updateable<Tables['travelers']>

/** Date of birth and medical note: left out they stay, and callers who may not see them may not write them. */
async function writePrivate(call: MemberCall, id: string, person: Fields): Promise<void> {
  const { dateOfBirth, medicalNote } = person
  if (dateOfBirth === undefined && medicalNote === undefined) return
  if (!hasAccess(call, { permission: ofGuests.needs })) {
    throw refuse('missing_permission', { permission: ofGuests.needs })
  }
  const set = sql.join([
    ...(dateOfBirth === undefined ? [] : [sql`date_of_birth = excluded.date_of_birth`]),
    ...(medicalNote === undefined ? [] : [sql`medical_sealed = excluded.medical_sealed`]),
  ])
  const sealed = medicalNote ? call.sealed.seal(medicalNote, medicalNoteOf(call, id)) : null
  await sql`
    insert into traveler_private (org_id, traveler_id, date_of_birth, medical_sealed)
    values (${call.orgId}, ${id}, ${dateOfBirth ?? null}, ${sealed})
    on conflict (org_id, traveler_id) do update set ${set}`.execute(call.tx)
}

const create = verb(createTraveler, async (call, person) => {
  const id = newId()
  await call.tx
    .insertInto('travelers')
    .values({ org_id: call.orgId, id, ...valuesOf(person) })
    .execute()
  await writePrivate(call, id, person)
  return { id, version: 1 }
})

/** What is stored and hidden from the caller just now is not overwritten; where nothing is stored, nothing is lost. */
async function requireVisible(call: MemberCall, id: string, { dateOfBirth, medicalNote }: Fields): Promise<void> {
  if (dateOfBirth === undefined && medicalNote === undefined) return
  const stored = await findProfile(call, id)
  const hidesBirth = dateOfBirth !== undefined && stored?.hasDateOfBirth
  const hidesNote = medicalNote !== undefined && stored?.hasMedicalNote
  if (hidesBirth || hidesNote) await requireSensitive(call, id)
}

const update = verb(updateTraveler, async (call, { id, version, ...person }) => {
  await requireVisible(call, id, person)
  const saved = await updateVersioned(
    call.tx,
    'travelers',
    { orgId: call.orgId, id, version },
    assigned(valuesOf(person)),
  )
  await writePrivate(call, id, person)
  return saved
})

const tripBookings = verb(bookingsOfTravelers, (call, { ids }) => selectTripBookings(call, ids))

const tag = verb(tagTravelers, async (call, { ids, add, remove }) => {
  const { numAffectedRows } = await sql`
    update travelers set tags = array(
      select distinct one from unnest(tags || ${add}::text[]) one where one <> all(${remove}::text[]) order by one)
    where org_id = ${call.orgId} and id = any(${ids}::uuid[])`.execute(call.tx)
  return { changed: Number(numAffectedRows ?? 0) }
})

const similar = verb(similarTravelers, async (call, { exceptId, firstName, lastName, email, phone }) => {
  const name = [firstName, lastName].filter(Boolean).join(' ')
  const { rows } = await sql<{
    id: string
    name: string
    email: string | null
    phone: string | null
    sameEmail: boolean
    samePhone: boolean
    close: boolean
  }>`
    select t.id, trim(t.first_name || ' ' || t.last_name) as name, t.email, t.phone, s.same_email as "sameEmail",
      s.same_phone as "samePhone", s.name_similarity >= 0.75 as close
    from similar_travelers(${name}, ${email}, ${phone}, ${exceptId ?? null}::uuid, 5) s
      join travelers t on t.org_id = ${call.orgId} and t.id = s.id`.execute(call.tx)
  return {
    travelers: rows.map(({ sameEmail, samePhone, close, ...person }) => ({
      ...person,
      because: [
        ...(close ? ['name' as const] : []),
        ...(sameEmail ? ['email' as const] : []),
        ...(samePhone ? ['phone' as const] : []),
      ],
    })),
  }
})

export const profileVerbs: Verb[] = [list, exportAll, counts, get, create, update, tripBookings, tag, similar]
