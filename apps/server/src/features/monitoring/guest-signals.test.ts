import { listAlerts } from '@tour-ops/contract/monitoring/alerts'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { addDeparture, assignGuide, book, officeWithTour, setStatus } from '../../../testing/operations.ts'
import { verbsOf } from '../../../testing/verbs.ts'
import { testDatabase, type TestCaller, type TestWorld } from '../../../testing/world.ts'
import { newId } from '../../platform/ids.ts'
import { evaluateAlerts } from './evaluate-alerts.ts'
import { monitoringVerbs } from './verbs.ts'

let world: TestWorld
beforeAll(async () => {
  world = await testDatabase()
})
afterAll(() => world.close())

const verbOf = verbsOf(monitoringVerbs)
/** The sample departure starts at 09:00 local time on this day, which is UTC in Reykjavik. */
const day = '2030-07-14'

type Kind = 'no_show' | 'document_missing'
const alertsOf = async (caller: TestCaller, departureId: string, kind: Kind) => {
  const { rows } = await caller.call(verbOf(listAlerts), { filters: { departureId: [departureId], kind: [kind] } })
  return rows.map(({ status, severity, resolution, evidence, resolutionFacts }) => ({
    status,
    severity,
    resolution,
    evidence,
    ...(status === 'resolved' ? { resolutionFacts } : {}),
  }))
}

/** Evaluates at a moment, and once more a minute later. */
const twiceAt =
  ({ caller, clock }: Awaited<ReturnType<typeof officeWithTour>>) =>
  async (moment: string) => {
    for (const secondsLater of [0, 60]) {
      clock.set(new Date(Date.parse(moment) + secondsLater * 1000))
      await caller.transaction((tx) => evaluateAlerts(tx, caller.orgId))
    }
  }

test('guests who did not show up are one alert of their departure, which ends when they come after all', async () => {
  const office = await officeWithTour(world, new Date(`${day}T08:00:00Z`))
  const { caller, tourId } = office
  const evaluate = twiceAt(office)
  const id = await addDeparture(caller, tourId, { localDate: day })
  await assignGuide(caller, id)
  const { guests } = await book(caller, id, 3)
  const mark = (from: number, status: string) =>
    caller.transaction((tx) =>
      sql`update manifest_entries set status = ${status}
        where org_id = ${caller.orgId} and id = any (${guests.slice(from).map(({ entryId }) => entryId)}::uuid[])`.execute(
        tx,
      ),
    )
  await setStatus(caller, id, { to: 'boarding', reason: 'Test' })
  // not decided yet
  await evaluate(`${day}T09:05:00Z`)
  expect(await alertsOf(caller, id, 'no_show')).toEqual([])
  await mark(1, 'no_show')
  await evaluate(`${day}T09:07:00Z`)
  const open = { status: 'open', severity: 'info', resolution: null }
  expect(await alertsOf(caller, id, 'no_show')).toEqual([{ ...open, evidence: { guests: 2, expected: 3 } }])
  await mark(2, 'checked_in')
  await evaluate(`${day}T09:09:00Z`)
  expect(await alertsOf(caller, id, 'no_show')).toEqual([{ ...open, evidence: { guests: 1, expected: 3 } }])
  await mark(1, 'checked_in')
  await evaluate(`${day}T09:11:00Z`)
  expect(await alertsOf(caller, id, 'no_show')).toMatchObject([
    { status: 'resolved', resolution: 'auto', resolutionFacts: { status: 'boarding', noShows: 0 } },
  ])
})

test('guests without a valid document raise an alert a week before a tour of several days, until the documents are there', async () => {
  const office = await officeWithTour(world, new Date('2030-07-01T08:00:00Z'), { durationDays: 3, durationMin: 3000 })
  const { caller, tourId } = office
  const evaluate = twiceAt(office)
  const id = await addDeparture(caller, tourId, { localDate: day })
  const { guests } = await book(caller, id, 3)
  const addDocument = (index: number, expires: string) =>
    caller.transaction((tx) =>
      sql`insert into traveler_documents (org_id, id, traveler_id, kind, expires_on)
        values (${caller.orgId}, ${newId()}, ${guests[index]?.travelerId}, 'passport', ${expires})`.execute(tx),
    )
  await evaluate('2030-07-07T08:00:00Z')
  expect(await alertsOf(caller, id, 'document_missing')).toEqual([])
  await addDocument(0, '2030-12-31')
  // ends while they are away
  await addDocument(1, '2030-07-15')
  await evaluate('2030-07-07T10:00:00Z')
  const told = { status: 'open', resolution: null, evidence: { guests: 2, startsAt: expect.any(String) } }
  expect(await alertsOf(caller, id, 'document_missing')).toEqual([{ ...told, severity: 'info' }])
  await evaluate('2030-07-12T10:00:00Z')
  expect(await alertsOf(caller, id, 'document_missing')).toEqual([{ ...told, severity: 'warning' }])
  await addDocument(1, '2030-12-31')
  await addDocument(2, '2030-12-31')
  await evaluate('2030-07-12T10:05:00Z')
  expect(await alertsOf(caller, id, 'document_missing')).toMatchObject([
    {
      status: 'resolved',
      resolution: 'auto',
      resolutionFacts: { status: 'scheduled', days: 3, guests: 3, lacking: 0, startsAt: `${day}T09:00:00+00:00` },
    },
  ])
})

test.each([
  ['guests who cancelled', sql`update manifest_entries set status = 'cancelled'`, { guests: 0, lacking: 0, days: 3 }],
  ['a tour of one day', sql`update tours set duration_days = 1`, { guests: 3, lacking: 0, days: 1 }],
  [
    'a departure that was moved',
    sql`update departures set starts_at = starts_at + interval '10 days', ends_at = ends_at + interval '10 days', local_date = local_date + 10`,
    { guests: 3, lacking: 3, startsAt: '2030-07-24T09:00:00+00:00' },
  ],
])('an alert about documents that ends because of %s stores that', async (_why, change, facts) => {
  const office = await officeWithTour(world, new Date('2030-07-12T08:00:00Z'), { durationDays: 3, durationMin: 3000 })
  const { caller, tourId } = office
  const id = await addDeparture(caller, tourId, { localDate: day })
  await book(caller, id, 3)
  await twiceAt(office)('2030-07-12T10:00:00Z')
  expect(await alertsOf(caller, id, 'document_missing')).toMatchObject([{ status: 'open', evidence: { guests: 3 } }])
  await caller.transaction((tx) => sql`${change} where org_id = ${caller.orgId}`.execute(tx))
  await twiceAt(office)('2030-07-12T10:05:00Z')
  expect(await alertsOf(caller, id, 'document_missing')).toMatchObject([
    { status: 'resolved', resolution: 'auto', resolutionFacts: facts },
  ])
})

test('a tour of one day needs no documents', async () => {
  const office = await officeWithTour(world, new Date('2030-07-13T08:00:00Z'))
  const id = await addDeparture(office.caller, office.tourId, { localDate: day })
  await book(office.caller, id, 3)
  await twiceAt(office)('2030-07-13T10:00:00Z')
  expect(await alertsOf(office.caller, id, 'document_missing')).toEqual([])
})
