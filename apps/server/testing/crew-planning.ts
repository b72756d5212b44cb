import type { Callable, In, Out } from '@tour-ops/contract/callable'
import { suggestStaff } from '@tour-ops/contract/field-staff/assignments'
import { createFieldStaff } from '@tour-ops/contract/field-staff/field-staff'
import { sql } from 'kysely'
import { movableClock } from '../src/platform/clock.ts'
import { newId } from '../src/platform/ids.ts'
import { allVerbs } from '../src/verbs.ts'
import { verbsOf } from './verbs.ts'
import type { TestCaller, TestWorld } from './world.ts'

// People, departures at given hours and places, and what a suggestion says of the one for the other.

const verbOf = verbsOf(allVerbs)

export const call = <C extends Callable>(who: TestCaller, callable: C, input: In<C>): Promise<Out<C>> =>
  who.call(verbOf(callable), input)

export const reykjavik = { lat: 64.1375, lng: -21.935 }
export const lisbon = { lat: 38.7084, lng: -9.1368 }

/** It is a Wednesday. */
export const planningClock = movableClock(new Date('2030-07-10T08:00:00Z'))

/** An organization that plans its crew, and who does so. */
export const planningOffice = (world: TestWorld): Promise<TestCaller> =>
  world.as('operations_manager', { clock: planningClock })

export async function placeAt(
  who: TestCaller,
  name: string,
  { lat, lng }: { lat: number; lng: number },
): Promise<string> {
  const id = newId()
  await who.transaction((tx) =>
    sql`insert into places (org_id, id, name, kind, lat, lng) values (${who.orgId}, ${id}, ${name}, 'depot', ${lat}, ${lng})`.execute(
      tx,
    ),
  )
  return id
}

/** A departure from and back to a place, Reykjavik unless given. Crew report and are released half an hour around it. */
export async function departure(who: TestCaller, startsAt: string, endsAt: string, at = reykjavik): Promise<string> {
  const placeId = await placeAt(who, 'Start', at)
  const [tourId, revisionId, id] = [newId(), newId(), newId()]
  const code = `T${id.slice(-6).toUpperCase()}`
  await who.transaction(async (tx) => {
    await sql`insert into tours (org_id, id, code, name, status) values (${who.orgId}, ${tourId}, ${code}, 'Test tour', 'draft')`.execute(
      tx,
    )
    await sql`insert into tour_revisions (org_id, id, tour_id, number, content) values (${who.orgId}, ${revisionId}, ${tourId}, 1, '{}')`.execute(
      tx,
    )
    await sql`insert into departures (org_id, id, code, tour_id, revision_id, status, starts_at, ends_at, time_zone, local_date, local_start_time, language, capacity)
      values (${who.orgId}, ${id}, ${code}, ${tourId}, ${revisionId}, 'scheduled', ${startsAt}, ${endsAt}, 'UTC', (${startsAt}::timestamptz)::date,
        (${startsAt}::timestamptz)::time, 'en', 10)`.execute(tx)
    await sql`insert into departure_stops (org_id, id, departure_id, stop_order, place_id, kind, planned_arrive_at, planned_depart_at)
      values (${who.orgId}, ${newId()}, ${id}, 1, ${placeId}, 'start', ${startsAt}, ${startsAt}),
        (${who.orgId}, ${newId()}, ${id}, 2, ${placeId}, 'end', ${endsAt}, ${endsAt})`.execute(tx)
  })
  return id
}

let people = 0
export function person(who: TestCaller, change: Partial<In<typeof createFieldStaff>> = {}): Promise<string> {
  people += 1
  return call(who, createFieldStaff, {
    firstName: 'Person',
    lastName: `Number ${people}`,
    kinds: ['guide'],
    employment: 'employee',
    languages: [{ tag: 'en', level: 'C1' }],
    ...change,
  }).then(({ id }) => id)
}

export const role = 'guide' as const

/** What the suggestion says of a person on a departure. */
export async function said(who: TestCaller, departureId: string, staffId: string) {
  const { fits, notPossible } = await call(who, suggestStaff, { departureId, role })
  const fit = fits.find((one) => one.staffId === staffId)
  return {
    reasons: Object.fromEntries((fit?.reasons ?? []).map((reason) => [reason.reason, reason])),
    impossible: notPossible.find((one) => one.staffId === staffId),
  }
}
