import type { In } from '@tour-ops/contract/callable'
import { createLink, listLinks, pauseLink, revokeLink } from '@tour-ops/contract/links/links'
import { confirmParty, getSharedPage, giveFeedback } from '@tour-ops/contract/links/shared-page'
import { SharedReport } from '@tour-ops/contract/links/shared-report'
import { type Figure, type Report, tourPerformance, travelerInsights } from '@tour-ops/contract/reports/reports'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { guestOf } from '../../../testing/links.ts'
import { addDeparture, book } from '../../../testing/operations.ts'
import { answerFeedback, july, reportSeason, valuesOf } from '../../../testing/report-season.ts'
import { verbsOf } from '../../../testing/verbs.ts'
import { type TestCaller, testDatabase, type TestWorld } from '../../../testing/world.ts'
import { newId } from '../../platform/ids.ts'
import { allVerbs } from '../../verbs.ts'

let world: TestWorld
beforeAll(async () => {
  world = await testDatabase()
})
afterAll(() => world.close())

const verbOf = verbsOf(allVerbs)
const gone = { code: 'not-found', details: { reason: 'shared_link_over' } }
const missing = { code: 'invalid-argument', details: { fieldIssues: { report: [{ code: 'subject_missing' }] } } }
const dayMs = 86_400_000

type Season = Awaited<ReturnType<typeof reportSeason>>
const ofJuly: In<typeof createLink>['report'] = {
  name: 'tour-performance',
  period: { kind: 'dates', ...july },
  compare: 'previous',
}
const lastWeek = { kind: 'days', days: 7 } as const

const newLink = (caller: TestCaller, more: Partial<In<typeof createLink>> = {}) =>
  caller.call(verbOf(createLink), { kind: 'report', report: ofJuly, label: 'Owner', ...more })

/** The page as it leaves the server. */
const asSent = async ({ clock }: Pick<Season, 'clock'>, token: string): Promise<unknown> =>
  guestOf(world, clock)(getSharedPage, { token })
/** The page, which holds what its shape names and nothing else. */
const open = async (season: Pick<Season, 'clock'>, token: string): Promise<SharedReport> =>
  SharedReport.parse(await asSent(season, token))

const ofPage = (report: Report, left: (figure: Figure) => boolean): Report => ({
  ...report,
  columns: report.figures.filter(left).map(({ metric }) => metric),
  figures: report.figures.filter(left),
  rows: report.rows.map((row) => ({ ...row, figures: row.figures.filter(left) })),
  trend: report.trend.map(({ from, figures }) => ({
    from,
    figures: figures.filter(({ metric }) => metric === 'pax_carried'),
  })),
})

test('a link shows what the screen shows: without money, or with it where that is chosen', async () => {
  const season = await reportSeason(world)
  const { caller } = season
  const screen = await caller.call(verbOf(tourPerformance), { ...july, compare: 'previous' })
  const rich = await newLink(caller, { scopes: { money: true } })
  expect((await open(season, rich.token)).report).toEqual(ofPage(screen, () => true))
  const plain = await newLink(caller, { scopes: { contacts: true, crew: true, manifestNames: true, stops: true } })
  const page = await open(season, plain.token)
  expect(page).toMatchObject({
    kind: 'report',
    name: 'tour-performance',
    timeZone: 'UTC',
    organization: { phone: null },
  })
  expect(page.report).toEqual(ofPage(screen, ({ unit }) => unit !== 'money'))
  const sent = JSON.stringify(await asSent(season, plain.token))
  expect(sent).not.toMatch(/revenue|money|EUR|8900/)
  const { rows } = await caller.call(verbOf(listLinks), { filters: { kind: ['report'] }, sort: [] })
  expect(rows.find(({ id }) => id === plain.id)).toMatchObject({
    report: ofJuly,
    departureId: null,
    scopes: { contacts: false, crew: false, manifestNames: false, stops: false, map: false, money: false },
  })
})

test('who travels is shown in groups, and nobody by name', async () => {
  const season = await reportSeason(world)
  const { caller } = season
  const { token } = await newLink(caller, {
    report: { name: 'traveler-insights', period: { kind: 'dates', ...july }, compare: 'none' },
  })
  const page = await open(season, token)
  expect(page.report).toEqual(await caller.call(verbOf(travelerInsights), july))
  expect(page.report.mixes.length).toBeGreaterThan(0)
  const sent = JSON.stringify(await asSent(season, token))
  const { rows: people } = await caller.transaction((tx) =>
    sql<{ name: string }>`select last_name as name from field_staff where org_id = ${caller.orgId}
      union select last_name from travelers where org_id = ${caller.orgId}`.execute(tx),
  )
  expect(people.length).toBeGreaterThan(0)
  for (const { name } of people) expect(sent).not.toContain(name)
})

test('what fewer than five parties say stays on the screen', async () => {
  const season = await reportSeason(world)
  const { caller, ran, björn, ana } = season
  const [first = '', second = '', third = ''] = ran
  await answerFeedback(caller, first, björn, [
    [5, 10],
    [5, 9],
    [4, 9],
  ])
  await answerFeedback(caller, second, björn, [
    [5, 10],
    [5, 3],
  ])
  await answerFeedback(caller, third, ana, [[1, 0]])
  const npsOf = ({ rows, figures }: Report) =>
    [figures, ...rows.map((row) => row.figures)].map((each) => valuesOf(each)['nps'])
  const { token } = await newLink(caller)
  // the larger tour has five answers: taken from all, they would say what the sixth is
  expect(npsOf((await open(season, token)).report)).toEqual([expect.closeTo(200 / 6), null, null])
  expect(npsOf(await caller.call(verbOf(tourPerformance), july))[2]).toBe(-100)
  const opinions = [5, 5, 5, 5].map((guideRating) => [guideRating, 10] as const)
  await answerFeedback(caller, third, ana, opinions)
  season.clock.set(new Date(season.clock.now().getTime() + 60_000))
  expect(npsOf((await open(season, token)).report)).toEqual([60, 60, 60])
})

test('what is hidden of a period is hidden where another one is compared with it', async () => {
  const season = await reportSeason(world)
  const { caller, ran, tourId, björn, ana } = season
  const [first = '', second = '', third = ''] = ran
  for (const [departure, staff] of [
    [first, björn],
    [second, björn],
  ] as const)
    await answerFeedback(caller, departure, staff, [
      [5, 10],
      [5, 9],
      [4, 9],
    ])
  await answerFeedback(caller, third, ana, [[1, 0]])
  await book(caller, await addDeparture(caller, tourId, { localDate: '2030-08-05' }), 2)
  const { token } = await newLink(caller, {
    report: {
      name: 'tour-performance',
      period: { kind: 'dates', from: '2030-08-01', to: '2030-08-31' },
      compare: 'previous',
    },
  })
  const { report } = await open(season, token)
  const before = (figures: Report['figures']) => figures.find(({ metric }) => metric === 'nps')?.before
  // six of seven answers of July are this tour's: taken from all, they would say what the seventh is
  expect(before(report.figures)).toBeCloseTo(500 / 7)
  expect(report.rows.map((row) => before(row.figures))).toEqual([null])
})

test('days until today follow the calendar of the organization, and figures are at most a minute old', async () => {
  const season = await reportSeason(world)
  const { caller, clock, tourId } = season
  await caller.transaction((tx) => sql`update org_settings set time_zone = 'Pacific/Auckland'`.execute(tx))
  const { token } = await newLink(caller, {
    report: { name: 'tour-performance', period: lastWeek, compare: 'previous' },
  })
  clock.set(new Date('2030-07-20T11:59:30Z'))
  const before = (await open(season, token)).report
  expect(before).toMatchObject({ timeZone: 'Pacific/Auckland', from: '2030-07-14', to: '2030-07-20' })
  expect(before.comparedWith).toEqual({ from: '2030-07-07', to: '2030-07-13' })
  clock.set(new Date('2030-07-20T12:00:00Z'))
  const { report } = await open(season, token)
  expect(report).toMatchObject({ from: '2030-07-15', to: '2030-07-21', asOf: '2030-07-20T12:00:00.000Z' })
  expect(report.rows).toEqual([])
  const departure = await addDeparture(caller, tourId, { localDate: '2030-07-21' })
  await book(caller, departure, 2)
  clock.set(new Date('2030-07-20T12:00:59Z'))
  expect((await open(season, token)).report).toEqual(report)
  clock.set(new Date('2030-07-20T12:01:00Z'))
  expect((await open(season, token)).report.rows).toMatchObject([{ label: 'Golden Circle' }])
})

test('only who reads all reports and manages links shares one, and never that of the staff', async () => {
  const { caller } = await reportSeason(world)
  for (const role of ['viewer', 'guide'] as const) {
    const small = await world.as(role, { orgId: caller.orgId })
    await expect(newLink(small)).rejects.toMatchObject({ code: 'permission-denied' })
  }
  const dispatcher = await world.as('dispatcher', { orgId: caller.orgId })
  await newLink(dispatcher)
  const staff = { ...ofJuly, name: 'staff-performance' } as unknown as typeof ofJuly
  await expect(newLink(caller, { report: staff })).rejects.toMatchObject({ code: 'invalid-argument' })
  await expect(newLink(caller, { report: null })).rejects.toMatchObject(missing)
  await expect(newLink(caller, { kind: 'live_map' })).rejects.toMatchObject(missing)
  await expect(newLink(caller, { subjectId: newId() })).rejects.toMatchObject({ code: 'invalid-argument' })
  const reversed = { kind: 'dates', from: july.to, to: july.from } as const
  await expect(
    newLink(caller, { report: { name: 'tour-performance', period: reversed, compare: 'none' } }),
  ).rejects.toMatchObject({ code: 'invalid-argument' })
})

test('a report is that of the organization that shares it, for whoever opens it', async () => {
  const season = await reportSeason(world)
  const stranger = await world.as('admin', { clock: season.clock })
  const theirs = await newLink(stranger, { scopes: { money: true } })
  const { report } = await open(season, theirs.token)
  expect(report.rows).toEqual([])
  expect(valuesOf(report.figures)).toMatchObject({ departures_run: 0, net_revenue: 0 })
  const own = await newLink(season.caller)
  await expect(
    stranger.call(verbOf(revokeLink), { ids: [own.id] }).then(() => open(season, own.token)),
  ).resolves.toMatchObject({ name: 'tour-performance' })
})

test('a report is for looking, and ends when it is paused, revoked or thirty days old', async () => {
  const season = await reportSeason(world)
  const { caller, clock } = season
  const link = await newLink(caller)
  const guest = guestOf(world, clock)
  await expect(guest(confirmParty, { token: link.token, people: [] })).rejects.toMatchObject(gone)
  await expect(guest(giveFeedback, { token: link.token, tourRating: 5 })).rejects.toMatchObject(gone)
  const paused = await caller.call(verbOf(pauseLink), { id: link.id, version: link.version, paused: true })
  await expect(open(season, link.token)).rejects.toMatchObject(gone)
  await caller.call(verbOf(pauseLink), { ...paused, paused: false })
  await open(season, link.token)
  const second = await newLink(caller)
  await caller.call(verbOf(revokeLink), { ids: [link.id] })
  await expect(open(season, link.token)).rejects.toMatchObject(gone)
  clock.set(new Date(clock.now().getTime() + 30 * dayMs - 1000))
  await open(season, second.token)
  clock.set(new Date(clock.now().getTime() + 1000))
  await expect(open(season, second.token)).rejects.toMatchObject(gone)
})

test('the database keeps a report on links of reports alone, whole, and of one period', async () => {
  const { caller, ran, tourId } = await reportSeason(world)
  const insert = (chosen: Record<string, string | number>) => {
    const link = { kind: 'report', subject_id: 'tour-performance', report: 'tour-performance', report_compare: 'none' }
    const row = { org_id: caller.orgId, id: newId(), label: 'Test', expires_at: '2030-08-01', ...link, ...chosen }
    return caller.transaction((tx) =>
      sql`insert into shared_links (${sql.join(Object.keys(row).map((name) => sql.ref(name)))})
        values (${sql.join(Object.values(row))})`.execute(tx),
    )
  }
  await insert({ report_days: 28 })
  await insert({ report_from: july.from, report_to: july.to })
  const refused: Record<string, string | number>[] = [
    {},
    { report_days: 28, report_from: july.from, report_to: july.to },
    { report_from: july.from },
    { report_from: july.to, report_to: july.from },
    { report_days: 28, report: 'staff-performance', subject_id: 'staff-performance' },
    { report_days: 28, subject_id: 'traveler-insights' },
    { report_days: 28, kind: 'live_map', subject_id: 'all' },
    { report_days: 28, departure_id: ran[0] ?? '' },
    { report_days: 28, tour_id: tourId },
  ]
  for (const columns of refused) await expect(insert(columns)).rejects.toMatchObject({ code: '23514' })
})
