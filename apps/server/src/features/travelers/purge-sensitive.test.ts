import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { newId } from '../../platform/ids.ts'
import { sweepOrganizations } from '../../platform/jobs/housekeeping.ts'
import { addDeparture, book, officeWithTour } from '../../../testing/operations.ts'
import { testDatabase, type TestWorld } from '../../../testing/world.ts'
import { oldSensitiveData } from './purge-sensitive.ts'

let world: TestWorld
beforeAll(async () => {
  world = await testDatabase()
})
afterAll(() => world.close())

test('passports, medical notes, dates of birth and ages go 30 days after the last tour, and stay with consent or without a tour', async () => {
  const { caller, clock, tourId } = await officeWithTour(world, new Date('2030-07-10T08:00:00Z'))
  const departureId = await addDeparture(caller, tourId)
  const { guests } = await book(caller, departureId, 2)
  const [forgotten, kept] = guests.map((guest) => guest.travelerId)
  const stranger = newId()
  await caller.transaction(async (tx) => {
    await sql`insert into travelers (org_id, id, last_name) values (${caller.orgId}, ${stranger}, 'Later')`.execute(tx)
    for (const id of [forgotten, kept, stranger]) {
      await sql`insert into traveler_private (org_id, traveler_id, date_of_birth, keep_by_consent)
        values (${caller.orgId}, ${id}, '1990-01-01', ${id === kept})`.execute(tx)
      await sql`insert into traveler_documents (org_id, id, traveler_id, kind, number_last4)
        values (${caller.orgId}, ${newId()}, ${id}, 'passport', '1234')`.execute(tx)
    }
    await sql`update manifest_entries set age = 40, age_on = '2030-07-14' where org_id = ${caller.orgId}`.execute(tx)
  })
  const left = async (table: string): Promise<Set<string>> => {
    const { rows } = await caller.transaction((tx) =>
      sql<{ id: string }>`select traveler_id as id from ${sql.table(table)} where org_id = ${caller.orgId}`.execute(tx),
    )
    return new Set(rows.map((row) => row.id))
  }
  const withAge = async (): Promise<Set<string>> => {
    const { rows } = await caller.transaction((tx) =>
      sql<{
        id: string
      }>`select traveler_id as id from manifest_entries where org_id = ${caller.orgId} and age is not null`.execute(tx),
    )
    return new Set(rows.map((row) => row.id))
  }
  const night = (at: string) => {
    clock.set(new Date(at))
    return sweepOrganizations({ ...world.services, clock }, [oldSensitiveData])
  }
  await night('2030-08-13T03:00:00Z')
  expect((await left('traveler_private')).size).toBe(3)
  expect((await withAge()).size).toBe(2)
  await night('2030-08-14T03:00:00Z')
  expect(await left('traveler_private')).toEqual(new Set([kept, stranger]))
  expect(await left('traveler_documents')).toEqual(new Set([kept, stranger]))
  expect(await withAge()).toEqual(new Set([kept]))
})
