import type { In } from '@tour-ops/contract/callable'
import {
  archiveTour,
  createTour,
  duplicateTour,
  getTour,
  listTours,
  publishTour,
  restoreTour,
  saveTourDraft,
  saveTourWizard,
  updateTour,
} from '@tour-ops/contract/tours/tours'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { newId } from '../../platform/ids.ts'
import { testDatabase, type TestCaller, type TestWorld } from '../../../testing/world.ts'
import { verbsOf } from '../../../testing/verbs.ts'
import { toursVerbs } from './tours-service.ts'

let world: TestWorld
beforeAll(async () => {
  world = await testDatabase()
})
afterAll(() => world.close())

const verbOf = verbsOf(toursVerbs)

async function addPlace(caller: TestCaller): Promise<string> {
  const id = newId()
  await caller.transaction((tx) =>
    sql`insert into places (org_id, id, name, kind, lat, lng) values (${caller.orgId}, ${id}, 'BSÍ terminal', 'meeting_point', 64.13, -21.93)`.execute(
      tx,
    ),
  )
  return id
}

const golden: In<typeof createTour> = {
  code: 'gold',
  name: 'Golden Circle',
  kind: 'day',
  timeZone: 'Atlantic/Reykjavik',
  durationMin: 480,
  defaultCapacity: 19,
  minPax: 4,
}
const contentAt = (placeId: string) => ({
  stops: [
    { dayIndex: 1, order: 1, placeId, kind: 'start' as const, offsetMin: 0 },
    { dayIndex: 1, order: 2, placeId, kind: 'end' as const, offsetMin: 480 },
  ],
  units: [{ unitType: 'adult' as const, priceMinor: 8900, currency: 'EUR' }],
})

const create = (caller: TestCaller, change: Partial<In<typeof createTour>> = {}) =>
  caller.call(verbOf(createTour), { ...golden, ...change })

test('a tour starts as a draft, is published as revision 1, and the revision never changes again', async () => {
  const designer = await world.as('tour_designer')
  const placeId = await addPlace(designer)
  const { id } = await create(designer, { content: contentAt(placeId) })
  const draft = await designer.call(verbOf(getTour), { id })
  expect(draft).toMatchObject({ code: 'GOLD', status: 'draft', revision: null, problems: [] })
  expect(draft.places).toEqual([expect.objectContaining({ id: placeId, name: 'BSÍ terminal' })])

  const published = await designer.call(verbOf(publishTour), { id, version: draft.version })
  expect(published.revisionNumber).toBe(1)
  const after = await designer.call(verbOf(getTour), { id })
  expect(after).toMatchObject({ status: 'published', draft: null, revision: { number: 1 } })
  await expect(
    designer.transaction((tx) => sql`update tour_revisions set content = '{}' where tour_id = ${id}`.execute(tx)),
  ).rejects.toThrow()
})

test('editing a published tour makes a draft next to the revision', async () => {
  const designer = await world.as('tour_designer')
  const placeId = await addPlace(designer)
  const { id } = await create(designer, { content: contentAt(placeId) })
  const first = await designer.call(verbOf(publishTour), { id, version: 1 })
  const content = contentAt(placeId)
  const saved = await designer.call(verbOf(saveTourDraft), {
    id,
    version: first.version,
    content: { ...content, units: [{ ...content.units[0], unitType: 'adult', priceMinor: 9900, currency: 'EUR' }] },
  })
  const tour = await designer.call(verbOf(getTour), { id })
  expect(tour.revision?.content.units[0]?.priceMinor).toBe(8900)
  expect(tour.draft?.units[0]?.priceMinor).toBe(9900)
  expect(saved.version).toBe(first.version + 1)
  await expect(designer.call(verbOf(saveTourDraft), { id, version: first.version, content })).rejects.toMatchObject({
    code: 'aborted',
    details: { reason: 'version_conflict', current: saved.version },
  })
})

test('a draft without stops or prices is not published, and says why', async () => {
  const designer = await world.as('tour_designer')
  const { id } = await create(designer)
  const refused = designer.call(verbOf(publishTour), { id, version: 1 })
  await expect(refused).rejects.toMatchObject({ details: { reason: 'not_ready_to_publish' } })
  const tour = await designer.call(verbOf(getTour), { id })
  expect(tour.problems.map((problem) => problem.reason)).toEqual(['no_stops', 'no_prices'])
})

test('a place of another organization is refused by the path of the stop', async () => {
  const stranger = await world.as('admin')
  const designer = await world.as('tour_designer')
  const foreign = await addPlace(stranger)
  await expect(create(designer, { content: contentAt(foreign) })).rejects.toMatchObject({
    code: 'invalid-argument',
    details: { fieldErrors: { 'content.stops.0.placeId': [expect.any(String)] } },
  })
})

test('the list filters, sorts, searches without accents, and shows only this organization', async () => {
  const designer = await world.as('tour_designer')
  await create(designer, { code: 'ALFA', name: 'Passeio por São Jorge', kind: 'walking' })
  await create(designer, { code: 'SOUTH', name: 'South Coast' })
  const all = await designer.call(verbOf(listTours), { sort: [{ by: 'name', descending: true }] })
  expect(all.rows.map((tour) => tour.code)).toEqual(['SOUTH', 'ALFA'])
  const found = await designer.call(verbOf(listTours), { q: 'sao jorge' })
  expect(found).toMatchObject({ total: 1, rows: [{ code: 'ALFA', hasDraft: true, revisionNumber: null }] })
  const walking = await designer.call(verbOf(listTours), { filters: { kind: ['walking', 'private'] } })
  expect(walking.total).toBe(1)
  const stranger = await world.as('admin')
  expect(await stranger.call(verbOf(listTours), {})).toEqual({ rows: [], total: 0 })
})

test('archiving is a legal step only from published, and comes back as a draft', async () => {
  const designer = await world.as('tour_designer')
  const placeId = await addPlace(designer)
  const { id } = await create(designer, { content: contentAt(placeId) })
  await expect(designer.call(verbOf(archiveTour), { id, version: 1 })).rejects.toMatchObject({
    details: { reason: 'illegal_transition' },
  })
  const { version } = await designer.call(verbOf(publishTour), { id, version: 1 })
  const archived = await designer.call(verbOf(archiveTour), { id, version })
  const restored = await designer.call(verbOf(restoreTour), { id, version: archived.version })
  const tour = await designer.call(verbOf(getTour), { id })
  expect(tour).toMatchObject({ status: 'draft', version: restored.version })
  expect(tour.draft?.stops).toHaveLength(2)
})

test('a copy is a draft with the same content under its own code', async () => {
  const designer = await world.as('tour_designer')
  const placeId = await addPlace(designer)
  const { id } = await create(designer, { content: contentAt(placeId) })
  const copy = await designer.call(verbOf(duplicateTour), { id, code: 'GOLD2', name: 'Golden Circle, evening' })
  const tour = await designer.call(verbOf(getTour), { id: copy.id })
  expect(tour).toMatchObject({ code: 'GOLD2', status: 'draft', minPax: 4 })
  expect(tour.draft?.stops).toHaveLength(2)
})

test('a guide may look but not change, and a refusal writes nothing', async () => {
  const designer = await world.as('tour_designer')
  const { id } = await create(designer)
  const guide = await world.as('guide', { orgId: designer.orgId })
  await expect(
    guide.call(verbOf(updateTour), { id, version: 1, ...golden, defaultCapacity: 20, name: 'Mine' }),
  ).rejects.toMatchObject({
    code: 'permission-denied',
  })
  expect(await guide.call(verbOf(listTours), {})).toEqual({ rows: [], total: 0 })
  const tour = await designer.call(verbOf(getTour), { id })
  expect(tour).toMatchObject({ name: 'Golden Circle', version: 1 })
})

test('the guided path is resumed where anybody left it, and a stale page cannot overwrite it', async () => {
  const designer = await world.as('tour_designer')
  const { id, version } = await create(designer)
  const fresh = await designer.call(verbOf(getTour), { id })
  expect(fresh.wizard).toEqual({ done: [], schedule: null })
  const schedule = {
    rrule: 'FREQ=WEEKLY;BYDAY=MO',
    from: '2030-01-01',
    to: '2030-03-01',
    startTimesLocal: ['09:00'],
    exceptDates: ['2030-01-07'],
    capacity: null,
  }
  await designer.call(verbOf(saveTourWizard), { id, version, wizard: { done: ['basics'], schedule } })
  const colleague = await world.as('operations_manager', { orgId: designer.orgId })
  expect((await colleague.call(verbOf(getTour), { id })).wizard).toEqual({ done: ['basics'], schedule })
  await expect(colleague.call(verbOf(saveTourWizard), { id, version, wizard: {} })).rejects.toMatchObject({
    details: { reason: 'version_conflict' },
  })
})
