import type { Given } from '@tour-ops/contract/callable'
import type { confirmParty, SharedParty } from '@tour-ops/contract/links/shared-page'
import { refuse } from '@tour-ops/contract/refusals'
import { sql } from 'kysely'
import type { Tx } from '../../platform/db/database.ts'
import { iso, isoOrNull } from '../../platform/list-query.ts'
import { type OpenLink, linkOver } from '../../platform/operations/open-link.ts'
import { requireVersion } from '../../platform/optimistic-lock.ts'
import { assigned, updateVersioned } from '../../platform/version-conflict.ts'

type Person = SharedParty['people'][number]
type Confirmed = Given<typeof confirmParty>['people'][number]

interface PersonRow extends Person {
  travelerId: string
  confirmedAt: Date | null
  confirmedVersion: number | null
}

/** The people of the link's booking, whose profiles stay locked where they are about to be changed. */
async function selectPeople(tx: Tx, link: OpenLink, lock: 'locked' | 'unlocked'): Promise<PersonRow[]> {
  const { rows } = await sql<PersonRow>`
    select e.id, v.version, nullif(v.first_name, '') as "firstName", v.last_name as "lastName", v.dietary, v.dietary_note as "dietaryNote",
      v.id as "travelerId", e.details_confirmed_at as "confirmedAt", e.details_confirmed_version as "confirmedVersion"
    from manifest_entries e join travelers v on v.org_id = e.org_id and v.id = e.traveler_id
    where e.org_id = ${link.orgId} and e.departure_id = ${link.departureId} and e.booking_id::text = ${link.subjectId} and e.status <> 'cancelled'
      and v.archived_at is null and v.anonymised_at is null
    order by v.id ${lock === 'locked' ? sql`for update of v, e` : sql``}`.execute(tx)
  return rows
}

/** Until when guests may change details; null once the departure boards. */
async function selectUntil(tx: Tx, { orgId, departureId }: OpenLink): Promise<{ until: Date | null; isOpen: boolean }> {
  const { rows } = await sql<{ until: Date | null; isOpen: boolean }>`
    select guest_details_until(d) as until, coalesce(app_now() < guest_details_until(d), false) as "isOpen"
    from departures d where d.org_id = ${orgId} and d.id = ${departureId}`.execute(tx)
  return rows[0] ?? { until: null, isOpen: false }
}

/** Names and diet of the link's party; null on other links, and where nobody is named yet. */
export async function selectGuestParty(tx: Tx, link: OpenLink): Promise<SharedParty | null> {
  if (link.kind !== 'booking_guest' || !link.scopes.details) return null
  const { until, isOpen } = await selectUntil(tx, link)
  const rows = until === null ? [] : await selectPeople(tx, link, 'unlocked')
  if (rows.length === 0) return null
  const confirmed = rows.flatMap(({ confirmedAt }) => confirmedAt ?? []).toSorted((a, b) => b.getTime() - a.getTime())
  return {
    until: isoOrNull(until),
    isOpen,
    confirmedAt: confirmed.length === rows.length && confirmed[0] ? iso(confirmed[0]) : null,
    people: rows.map(({ id, version, firstName, lastName, dietary, dietaryNote }) => ({
      id,
      version,
      firstName,
      lastName,
      dietary,
      dietaryNote,
    })),
  }
}

/**
 * Writes what the guest corrected, and that the party is right. The whole party is accepted or rejected; somebody who was faster, on another
 * phone or in the office, is not overwritten.
 *
 * @throws AppError `not-found` for people of others; `aborted`, reason `version_conflict`, `conflict` or `details_closed`.
 */
export async function confirmGuestParty(tx: Tx, link: OpenLink, people: readonly Confirmed[]): Promise<SharedParty> {
  if (link.kind !== 'booking_guest' || !link.scopes.details) throw linkOver()
  const { isOpen } = await selectUntil(tx, link)
  if (!isOpen) throw refuse('details_closed')
  const party = await selectPeople(tx, link, 'locked')
  const given = new Map(people.map((person) => [person.id, person]))
  if (people.some(({ id }) => !party.some((one) => one.id === id))) throw linkOver()
  for (const stored of party) {
    const person = given.get(stored.id)
    // the office has added somebody meanwhile
    if (!person || people.length !== party.length) throw refuse('conflict')
    await confirmPerson(tx, link, stored, person)
  }
  const confirmed = await selectGuestParty(tx, link)
  if (!confirmed) throw linkOver()
  return confirmed
}

async function confirmPerson(tx: Tx, { orgId }: OpenLink, stored: PersonRow, person: Confirmed): Promise<void> {
  requireVersion(stored, person.version, 'guest')
  let { version } = stored
  if (detailsOf(stored) !== detailsOf(person)) {
    const saved = await updateVersioned(
      tx,
      'travelers',
      { orgId, id: stored.travelerId, version },
      assigned({
        first_name: person.firstName ?? '',
        last_name: person.lastName,
        dietary: person.dietary,
        dietary_note: person.dietaryNote,
      }),
    )
    version = saved.version
  }
  if (stored.confirmedVersion === version) return
  await sql`update manifest_entries set details_confirmed_at = app_now(), details_confirmed_version = ${version}
    where org_id = ${orgId} and id = ${stored.id}`.execute(tx)
}

const detailsOf = ({ firstName, lastName, dietary, dietaryNote }: Omit<Person, 'id' | 'version'>): string =>
  JSON.stringify([firstName, lastName, dietary.toSorted(), dietaryNote])
