import { cancelBooking } from '@tour-ops/contract/bookings/bookings'
import { getDeparture } from '@tour-ops/contract/departures/departures'
import { writeToSupplier, type SupplierAct } from '@tour-ops/contract/links/supplier-messages'
import { createService, createSupplier } from '@tour-ops/contract/vehicles/vehicles'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { sentMails } from '../../../testing/guest-mail.ts'
import { addDeparture, book, officeWithTour } from '../../../testing/operations.ts'
import { verbsOf } from '../../../testing/verbs.ts'
import { testDatabase, type TestWorld } from '../../../testing/world.ts'
import { sweepOrganizations } from '../../platform/jobs/housekeeping.ts'
import { allVerbs } from '../../verbs.ts'
import { untoldSuppliers } from './untold-suppliers.ts'

let world: TestWorld
beforeAll(async () => {
  world = await testDatabase()
})
afterAll(() => world.close())

const verbOf = verbsOf(allVerbs)

/** A dinner for a party of two on a day of July 2030; it is the 10th. */
async function desk(localDate = '2030-07-14') {
  const { caller, clock, tourId } = await officeWithTour(world, new Date('2030-07-10T08:00:00Z'))
  const departureId = await addDeparture(caller, tourId, { localDate })
  await book(caller, departureId, 2)
  const { id: supplierId } = await caller.call(verbOf(createSupplier), { name: 'Harbor Kitchen', kind: 'restaurant' })
  await caller.call(verbOf(createService), { departureId, supplierId, kind: 'meal', description: 'Dinner' })
  const write = async (act: SupplierAct) => {
    const { rows } = await caller.transaction((tx) =>
      sql<{
        at: Date
      }>`select max(created_at) as at from messages where org_id = ${caller.orgId} and departure_id = ${departureId} and kind = 'supplier_message'`.execute(
        tx,
      ),
    )
    const toldAt = rows[0]?.at?.toISOString() ?? null
    const email = 'kitchen@example.com'
    await caller.call(verbOf(writeToSupplier), { departureId, supplierId, act, note: null, toldAt, email })
    await sentMails(world, clock)
  }
  /** The check as it is shown; undefined where it does not apply. */
  const shown = async () => {
    const { checks } = await caller.call(verbOf(getDeparture), { id: departureId })
    return checks.find(({ check }) => check === 'suppliers_informed')?.ok
  }
  /** The same after the next turn. */
  const isInformed = async () => {
    const services = { ...world.services, clock }
    await Promise.all([1, 2].map(() => sweepOrganizations(services, [untoldSuppliers])))
    return shown()
  }
  /** Changes of the departure that screens have heard of. */
  const heard = async () => {
    const { rows } = await caller.transaction((tx) =>
      sql<{
        n: number
      }>`select count(*)::int as n from changes where org_id = ${caller.orgId} and topic = 'departures' and entity_id = ${departureId} and op = 'event'`.execute(
        tx,
      ),
    )
    return rows[0]?.n
  }
  return { caller, departureId, write, shown, isInformed, heard, clock }
}

test('a departure of the next days is not ready while a supplier does not know of a change', async () => {
  const { caller, departureId, write, isInformed } = await desk()
  expect(await isInformed()).toBeUndefined()
  await write('request')
  expect(await isInformed()).toBe(true)
  await book(caller, departureId, 3)
  expect(await isInformed()).toBe(false)
  await write('update')
  expect(await isInformed()).toBe(true)
})

test('nor while a message has not arrived', async () => {
  const { caller, write, isInformed } = await desk()
  await write('request')
  await caller.transaction((tx) =>
    sql`update deliveries set status = 'failed' where org_id = ${caller.orgId} and supplier_id is not null`.execute(tx),
  )
  expect(await isInformed()).toBe(false)
})

test('what is more than a week away may still change', async () => {
  const { caller, clock, departureId, write, isInformed } = await desk('2030-07-18')
  await write('request')
  await book(caller, departureId, 3)
  expect(await isInformed()).toBeUndefined()
  clock.set(new Date('2030-07-11T10:00:00Z'))
  expect(await isInformed()).toBe(false)
})

test('whoever writes to the supplier sees at once that it knows', async () => {
  const { caller, departureId, write, shown, isInformed } = await desk()
  await write('request')
  await book(caller, departureId, 3)
  expect(await isInformed()).toBe(false)
  await write('update')
  expect(await shown()).toBe(true)
})

test('an open screen hears of a supplier that does not know a change, and of one that has changed back; once each', async () => {
  const { caller, departureId, write, isInformed, heard } = await desk()
  await write('request')
  await isInformed()
  const before = (await heard()) ?? 0
  const extra = await book(caller, departureId, 3)
  for (const _ of [1, 2]) await isInformed()
  expect(await heard()).toBe(before + 1)
  await caller.call(verbOf(cancelBooking), { ...extra, reason: 'guest_request', tellGuest: false })
  expect(await isInformed()).toBe(true)
  expect(await heard()).toBe(before + 2)
})

test('each departure is judged by its own guests and messages, also where one supplier has several', async () => {
  const { caller, clock, departureId, write, isInformed } = await desk()
  await write('request')
  const { tourId } = await caller.call(verbOf(getDeparture), { id: departureId })
  const other = await addDeparture(caller, tourId, { localDate: '2030-07-15' })
  await book(caller, other, 5)
  const { rows } = await caller.transaction((tx) =>
    sql<{ id: string }>`select id from suppliers where org_id = ${caller.orgId}`.execute(tx),
  )
  const [supplier] = rows
  if (!supplier) throw new Error('There is a supplier')
  const asked = { departureId: other, supplierId: supplier.id, act: 'request', note: null, toldAt: null } as const
  await caller.call(verbOf(createService), {
    departureId: other,
    supplierId: supplier.id,
    kind: 'meal',
    description: 'Dinner',
  })
  await caller.call(verbOf(writeToSupplier), { ...asked, email: 'kitchen@example.com' })
  await sentMails(world, clock)
  const isOtherInformed = async () =>
    (await caller.call(verbOf(getDeparture), { id: other })).checks.find(({ check }) => check === 'suppliers_informed')
      ?.ok
  expect(await isInformed()).toBe(true)
  expect(await isOtherInformed()).toBe(true)
  await book(caller, departureId, 3)
  expect(await isInformed()).toBe(false)
  expect(await isOtherInformed()).toBe(true)
  await book(caller, other, 1)
  await write('update')
  expect(await isInformed()).toBe(true)
  expect(await isOtherInformed()).toBe(false)
})
