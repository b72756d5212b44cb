import { getDeparture } from '@tour-ops/contract/departures/departures'
import { equipmentRecord } from '@tour-ops/contract/equipment/equipment'
import { issueEquipment, listAvailableEquipment } from '@tour-ops/contract/equipment/equipment-issues'
import { getOverview } from '@tour-ops/contract/overview/overview'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { addDeparture, publishedTour, setStatus } from '../../../testing/operations.ts'
import { updateRows } from '../../../testing/sample-rows.ts'
import { verbsOf } from '../../../testing/verbs.ts'
import { type TestCaller, testDatabase, type TestWorld } from '../../../testing/world.ts'
import { newId } from '../../platform/ids.ts'
import { allVerbs } from '../../verbs.ts'

const verbOf = verbsOf(allVerbs)
let world: TestWorld
let office: TestCaller
let tourId: string
beforeAll(async () => {
  world = await testDatabase()
  office = await world.as('operations_manager')
  tourId = (await publishedTour(office)).tourId
})
afterAll(() => world.close())

let day = 0
/** Two departures of the same morning, and one of the next day. */
async function departures(): Promise<[one: string, same: string, next: string]> {
  day += 2
  const on = (offset: number) => new Date(Date.UTC(2030, 6, day + offset)).toISOString().slice(0, 10)
  const at = (localDate: string, startTimeLocal: string) => addDeparture(office, tourId, { localDate, startTimeLocal })
  return [await at(on(0), '09:00'), await at(on(0), '09:30'), await at(on(1), '09:00')]
}

const kind = async (quantity: number, name = `Cleats ${newId()}`): Promise<string> =>
  (await office.call(verbOf(equipmentRecord.create), { name, kind: 'safety', quantity })).id
const issue = (departureId: string, equipmentId: string, quantity: number, by = office) =>
  by.call(verbOf(issueEquipment), { departureId, items: [{ equipmentId, quantity }] })
const issuedTo = async (id: string) =>
  (await office.call(verbOf(getDeparture), { id })).equipment.map(({ equipmentId, quantity }) => [
    equipmentId,
    quantity,
  ])
const freeFor = async (departureId: string, equipmentId: string) =>
  (await office.call(verbOf(listAvailableEquipment), { departureId })).rows.find(({ id }) => id === equipmentId)?.free

describe('equipment of a departure', () => {
  test('is issued, changed and returned, and the run sheet and the day show it', async () => {
    const [departureId] = await departures()
    const equipmentId = await kind(10, 'Ice cleats')
    await issue(departureId, equipmentId, 4)
    expect(await issuedTo(departureId)).toEqual([[equipmentId, 4]])
    await issue(departureId, equipmentId, 6)
    const { localDate } = await office.call(verbOf(getDeparture), { id: departureId })
    const { equipment } = await office.call(verbOf(getOverview), { localDate })
    expect(equipment).toEqual([{ departureId, name: 'Ice cleats', quantity: 6 }])
    await issue(departureId, equipmentId, 0)
    expect(await issuedTo(departureId)).toEqual([])
  })

  test('that one call names twice is as it says last, and written once', async () => {
    const [departureId] = await departures()
    const equipmentId = await kind(10)
    const items = [2, 0, 3].map((quantity) => ({ equipmentId, quantity }))
    await office.call(verbOf(issueEquipment), { departureId, items })
    expect(await issuedTo(departureId)).toEqual([[equipmentId, 3]])
    const written = await office.transaction((tx) =>
      sql`select from audit_entries where org_id = ${office.orgId} and entity_type = 'equipment_issues'
        and entity_id like ${`%${equipmentId}%`}`.execute(tx),
    )
    expect(written.rows).toHaveLength(1)
  })

  test('is never more than there is while departures are under way together; what is back goes out again', async () => {
    const [one, same, next] = await departures()
    const equipmentId = await kind(10, 'Helmets')
    await issue(one, equipmentId, 7)
    expect([
      await freeFor(one, equipmentId),
      await freeFor(same, equipmentId),
      await freeFor(next, equipmentId),
    ]).toEqual([10, 3, 10])
    await expect(issue(same, equipmentId, 4)).rejects.toMatchObject({
      code: 'aborted',
      details: { reason: 'equipment_short', name: 'Helmets', free: 3 },
    })
    await issue(same, equipmentId, 3)
    await issue(next, equipmentId, 10)
    await expect(issue(one, equipmentId, 8)).rejects.toMatchObject({ details: { reason: 'equipment_short' } })
  })

  test('changes as a whole or not at all', async () => {
    const [departureId] = await departures()
    const [enough, short] = [await kind(5), await kind(1)]
    const items = [enough, short].map((equipmentId) => ({ equipmentId, quantity: 2 }))
    await expect(office.call(verbOf(issueEquipment), { departureId, items })).rejects.toMatchObject({ code: 'aborted' })
    expect(await issuedTo(departureId)).toEqual([])
  })

  test('stays covered when pieces are lost', async () => {
    const [one, same] = await departures()
    const id = await kind(10)
    await issue(one, id, 4)
    await issue(same, id, 4)
    const count = (quantity: number, version: number) =>
      office.call(verbOf(equipmentRecord.update), { name: 'Cleats', kind: 'safety', id, version, quantity })
    await expect(count(7, 1)).rejects.toMatchObject({
      details: { fieldIssues: { quantity: [{ code: 'equipment_issued' }] } },
    })
    await expect(count(8, 1)).resolves.toMatchObject({ version: 2 })
  })

  test('moves with the departure, and is free again when that is cancelled', async () => {
    const [one, , next] = await departures()
    const equipmentId = await kind(5)
    await issue(one, equipmentId, 3)
    await issue(next, equipmentId, 3)
    const { startsAt, endsAt, localDate } = await office.call(verbOf(getDeparture), { id: next })
    const move = office.transaction((tx) =>
      updateRows(
        tx,
        'departures',
        { org_id: office.orgId, id: one },
        { starts_at: startsAt, ends_at: endsAt, local_date: localDate },
      ),
    )
    await expect(move).rejects.toMatchObject({ details: { reason: 'equipment_short' } })
    await setStatus(office, next, { to: 'cancelled', reason: 'Storm', cancelReason: 'weather' })
    expect(await freeFor(one, equipmentId)).toBe(5)
    await expect(issue(next, equipmentId, 1)).rejects.toMatchObject({ details: { reason: 'equipment_closed' } })
  })

  test('archived equipment is no longer issued, and issued equipment can be returned', async () => {
    const [one, same] = await departures()
    const id = await kind(5)
    await issue(one, id, 2)
    await office.call(verbOf(equipmentRecord.archive), { id, version: 1, archived: true })
    await expect(issue(same, id, 1)).rejects.toMatchObject({ code: 'not-found' })
    await issue(one, id, 0)
    expect(await issuedTo(one)).toEqual([])
  })

  test('is issued by who dispatches, within one organization', async () => {
    const [departureId] = await departures()
    const equipmentId = await kind(5)
    const viewer = await world.as('viewer', { orgId: office.orgId })
    await expect(issue(departureId, equipmentId, 1, viewer)).rejects.toMatchObject({ code: 'permission-denied' })
    await expect(issue(departureId, equipmentId, 1, await world.as('admin'))).rejects.toMatchObject({
      code: 'not-found',
    })
    await expect(issue(departureId, equipmentId, -1)).rejects.toMatchObject({ code: 'invalid-argument' })
  })
})
