import { exportReport, type Figure } from '@tour-ops/contract/reports/reports'
import { parse } from 'csv-parse/sync'
import { sql } from 'kysely'
import { reportsVerbs } from '../src/features/reports/reports-service.ts'
import { movableClock } from '../src/platform/clock.ts'
import { newId } from '../src/platform/ids.ts'
import { addDeparture, assignGuide, book, publishedTour } from './operations.ts'
import { verbsOf } from './verbs.ts'
import type { TestCaller, TestWorld } from './world.ts'

/** The month that the reports are asked for. */
export const july = { from: '2030-07-01', to: '2030-07-31' }

interface Course {
  noShow?: number
  delaySeconds?: number
  stopsVisited?: number
}

/** Lives through a departure: everybody boards but the first `noShow`, it starts late and ends. */
async function run(caller: TestCaller, id: string, { noShow = 0, delaySeconds = 0, stopsVisited = 4 }: Course = {}) {
  await caller.transaction(async (tx) => {
    const all = sql`org_id = ${caller.orgId} and departure_id = ${id} and status = `
    await sql`update departures set status = 'boarding' where org_id = ${caller.orgId} and id = ${id}`.execute(tx)
    await sql`update manifest_entries set status = 'no_show' where ${all} 'expected' and id in (
      select id from manifest_entries where ${all} 'expected' order by id limit ${noShow})`.execute(tx)
    await sql`update manifest_entries set status = 'checked_in' where ${all} 'expected'`.execute(tx)
    await sql`update manifest_entries set status = 'on_tour' where ${all} 'checked_in'`.execute(tx)
    await sql`update departures set status = 'in_progress', actual_start_at = starts_at + make_interval(secs => ${delaySeconds})
      where org_id = ${caller.orgId} and id = ${id}`.execute(tx)
    await sql`update departure_stops set status = 'arrived' where ${all} 'planned' and stop_order <= ${stopsVisited}`.execute(
      tx,
    )
    await sql`update manifest_entries set status = 'finished' where ${all} 'on_tour'`.execute(tx)
    await sql`update departures set status = 'completed', actual_end_at = ends_at where org_id = ${caller.orgId} and id = ${id}`.execute(
      tx,
    )
  })
}

/** Two tours in July: three departures that ran, one cancelled, one ahead; and one in June. */
export async function reportSeason(world: TestWorld) {
  const clock = movableClock(new Date('2030-06-01T08:00:00Z'))
  const caller = await world.as('operations_manager', { clock })
  const golden = await publishedTour(caller, { name: 'Golden Circle' })
  const south = await publishedTour(caller, { name: 'South Coast', defaultCapacity: 10 })
  const june = await addDeparture(caller, golden.tourId, { localDate: '2030-06-20' })
  const first = await addDeparture(caller, golden.tourId, { localDate: '2030-07-02' })
  const second = await addDeparture(caller, golden.tourId, { localDate: '2030-07-09' })
  const third = await addDeparture(caller, south.tourId, { localDate: '2030-07-09' })
  const cancelled = await addDeparture(caller, south.tourId, { localDate: '2030-07-10' })
  const ahead = await addDeparture(caller, golden.tourId, { localDate: '2030-07-30' })
  await book(caller, june, 4)
  await book(caller, first, 6)
  await book(caller, second, 10)
  await book(caller, third, 5)
  await book(caller, ahead, 2)
  await book(caller, first, 3, { mode: 'hold' })
  const björn = await assignGuide(caller, first)
  await assignGuide(caller, second, { staffId: björn })
  const ana = await assignGuide(caller, third)
  await run(caller, june)
  await run(caller, first, { noShow: 1, delaySeconds: 240, stopsVisited: 3 })
  await run(caller, second, { delaySeconds: 1200 })
  await run(caller, third, { delaySeconds: -60 })
  await caller.transaction((tx) =>
    sql`update departures set status = 'cancelled', cancel_reason = 'weather' where org_id = ${caller.orgId} and id = ${cancelled}`.execute(
      tx,
    ),
  )
  clock.set(new Date('2030-07-20T08:00:00Z'))
  return { caller, clock, björn, ana, tourId: golden.tourId, ran: [first, second, third] }
}

/** Values of figures by their names. */
export const valuesOf = (figures: readonly Figure[]): Record<string, number | null> =>
  Object.fromEntries(figures.map(({ metric, value }) => [metric, value]))

/** What July's report exports, line by line. */
export async function exportedRows(
  caller: TestCaller,
  report: 'tour-performance' | 'staff-performance' | 'traveler-insights',
) {
  const { csv } = await caller.call(verbsOf(reportsVerbs)(exportReport), { report, ...july })
  const rows: Record<string, string>[] = parse(csv, { columns: true, bom: true })
  return rows
}

/** Of a column. */
export const sumOf = (rows: readonly Record<string, string>[], column: string): number =>
  rows.reduce((total, row) => total + Number(row[column]), 0)

/** What parties of a departure answered, each 1 to 5 about the guide and 0 to 10 about recommending us. */
export const answerFeedback = (
  caller: TestCaller,
  departureId: string,
  staffId: string,
  opinions: readonly (readonly [number, number])[],
) =>
  caller.transaction(async (tx) => {
    for (const [guideRating, nps] of opinions) {
      await sql`insert into feedback (org_id, id, departure_id, staff_id, guide_rating, nps)
        values (${caller.orgId}, ${newId()}, ${departureId}, ${staffId}, ${guideRating}, ${nps})`.execute(tx)
    }
  })
