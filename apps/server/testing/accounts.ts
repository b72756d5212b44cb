import type { Role } from '@tour-ops/contract/identity/access'
import { createDeparture } from '@tour-ops/contract/departures/departure-schedule'
import { getDeparture, setDepartureStatus } from '@tour-ops/contract/departures/departures'
import { createPlace } from '@tour-ops/contract/places/places'
import { createTour, publishTour } from '@tour-ops/contract/tours/tours'
import type pg from 'pg'
import { EmbeddedAccounts } from '../src/platform/identity/embedded-accounts.ts'
import { newId } from '../src/platform/ids.ts'
import type { Person } from './programs.ts'

// For tests and benches of the running program: an organization with people, and a departure that takes check-ins now.

const password = 'correct horse 1'

/** The account that `foundOrganization` makes for a role. */
export const accountOf = (role: Role): { email: string; password: string } => ({
  email: `${role}@example.com`,
  password,
})

/** An organization with one verified account for each role; `ownerPool` is the database owner's. */
export async function foundOrganization(
  ownerPool: pg.Pool,
  roles: readonly Role[] = ['admin', 'dispatcher'],
): Promise<string> {
  const accounts = new EmbeddedAccounts(ownerPool)
  const members = []
  for (const role of roles) {
    const { userId } = await accounts.createAccount({ ...accountOf(role), name: `Ada ${role}`, verified: true })
    members.push({ userId, role })
  }
  const { orgId } = await accounts.createOrganization({ name: 'Fjord Walks', slug: 'fjord-walks', members })
  return orgId
}

/** A departure that starts in half an hour, has a guide and boards, so that guests are sold and checked in. */
export async function boardingDeparture(
  admin: Person,
  ownerPool: pg.Pool,
  { orgId, capacity }: { orgId: string; capacity: number },
): Promise<string> {
  const place = { kind: 'meeting_point', lat: 64.1375, lng: -21.935, timeZone: 'Atlantic/Reykjavik' } as const
  const { id: placeId } = await admin.call(createPlace, { ...place, name: 'BSÍ terminal' })
  const stop = { dayIndex: 1, placeId } as const
  const { id: tourId } = await admin.call(createTour, {
    code: `T${newId().slice(-6)}`,
    name: 'Golden Circle',
    kind: 'day',
    timeZone: place.timeZone,
    durationMin: 480,
    defaultCapacity: capacity,
    minPax: 0,
    cutoffMinutes: 0,
    content: {
      stops: [
        { ...stop, order: 1, kind: 'start', offsetMin: 0 },
        { ...stop, order: 2, kind: 'end', offsetMin: 480 },
      ],
      units: [{ unitType: 'adult', priceMinor: 8900, currency: 'EUR' }],
    },
  })
  await admin.call(publishTour, { id: tourId, version: 1 })
  const { id } = await admin.call(createDeparture, { tourId, capacity, ...inHalfAnHour(place.timeZone) })
  await addGuide(ownerPool, orgId, id)
  const { version } = await admin.call(getDeparture, { id })
  await admin.call(setDepartureStatus, { id, version, to: 'boarding' })
  return id
}

/** When a departure starts that may board now. */
export function inHalfAnHour(timeZone: string): { localDate: string; startTimeLocal: string } {
  const start = Temporal.Now.zonedDateTimeISO(timeZone).add({ minutes: 30 })
  return {
    localDate: start.toPlainDate().toString(),
    startTimeLocal: start.toPlainTime().toString({ smallestUnit: 'minute' }),
  }
}

/** A departure boards only with a lead guide. */
async function addGuide(ownerPool: pg.Pool, orgId: string, departureId: string): Promise<void> {
  const [staffId, entryId] = [newId(), newId()]
  await ownerPool.query(
    `insert into field_staff (org_id, id, code, first_name, last_name, languages)
     values ($1, $2, $3, 'Björn', 'Ólafsson', '[{"tag": "en", "level": "C1"}]')`,
    [orgId, staffId, `G-${staffId.slice(-8)}`],
  )
  await ownerPool.query(
    `insert into staff_calendar_entries (org_id, id, staff_id, during, kind)
     select org_id, $2, $3, tstzrange(starts_at, ends_at), 'assignment' from departures where org_id = $1 and id = $4`,
    [orgId, entryId, staffId, departureId],
  )
  await ownerPool.query(
    `insert into assignments (org_id, id, calendar_entry_id, departure_id, staff_id, role, status)
     values ($1, $2, $3, $4, $5, 'lead_guide', 'accepted')`,
    [orgId, newId(), entryId, departureId, staffId],
  )
}
