import { issueInvoice } from '@tour-ops/contract/bookings/billing'
import { issueCalendarFeed } from '@tour-ops/contract/calendar-feeds/calendar-feeds'
import { grants, openWithOffer, scopeOf } from '@tour-ops/contract/identity/access'
import { checkIn, getManifest, listCheckIns } from '@tour-ops/contract/bookings/manifest'
import { acceptAssignment, declineAssignment, listAssignments } from '@tour-ops/contract/field-staff/assignments'
import { getAvailability } from '@tour-ops/contract/bookings/availability'
import { exportBookings, getBooking, listBookings } from '@tour-ops/contract/bookings/bookings'
import type { Callable, In } from '@tour-ops/contract/callable'
import { listNoGoAreas } from '@tour-ops/contract/map/no-go-areas'
import { callables, records } from '@tour-ops/contract/callables'
import { departureHistory, getDeparture, listDepartures } from '@tour-ops/contract/departures/departures'
import { AppError } from '@tour-ops/contract/errors'
import { linkFile } from '@tour-ops/contract/files'
import { mayReadLive } from '@tour-ops/contract/live/live-access'
import { livePath, matchLivePath } from '@tour-ops/contract/live/live-paths'
import { reportIncident } from '@tour-ops/contract/monitoring/incidents'
import { markStop, recordHeadcount } from '@tour-ops/contract/departures/run-sheet'
import { callablesOf } from '@tour-ops/contract/record'
import { searchAll } from '@tour-ops/contract/search/search'
import { getTraveler, listTravelers } from '@tour-ops/contract/travelers/travelers'
import { assignVehicle, vehicleRecord } from '@tour-ops/contract/vehicles/vehicles'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { movableClock } from '../src/platform/clock.ts'
import type { Tx } from '../src/platform/db/database.ts'
import { insertSamples, sampledTables, updateRows, type Row, type Samples } from '../testing/sample-rows.ts'
import { newId } from '../src/platform/ids.ts'
import { addDeparture, assignGuide, book, coreVerbOf, publishedTour, setStatus } from '../testing/operations.ts'
import { foreignProbes, inputWith, type OwnRecords } from '../testing/foreign-inputs.ts'
import { testDatabase, type TestCaller, type TestWorld } from '../testing/world.ts'
import { sampleInput } from '../testing/records.ts'
import { verbsOf } from '../testing/verbs.ts'
import { allVerbs } from '../src/verbs.ts'

// Every callable that a guide may call, asked by guides about records of their own organization that are not theirs. What they hear must be
// the same as about records that do not exist; and lists, figures and counts must be the same whether the others' records exist or not.

const verbOf = verbsOf(allVerbs)
const open = callables.filter(({ permission }) => permission in grants.guide || permission === 'member')
const reads = open.filter(({ kind }) => kind === 'read')

/** Guides to whom the other departure does not belong. */
const strangers = [
  'with a departure',
  'with a completed departure',
  'without departures',
  'without a staff record',
] as const
/** Guides who were on the other departure, or asked for it, and no longer are, or not yet. */
const formers = ['draft', 'declined', 'expired', 'withdrawn', 'released', 'replaced'] as const
const guideNames = [...strangers, ...formers]
type GuideName = (typeof guideNames)[number]

const start = new Date('2031-06-02T09:00:00Z')
const clock = movableClock(start)
let world: TestWorld
let office: TestCaller
let own: OwnRecords
let foreign: Samples
const guides = new Map<GuideName, TestCaller>()
/** What guides saw before there was anything but their own. */
const before = new Map<string, unknown>()
let pristine: string
let otherDepartureId: string

beforeAll(async () => {
  world = await testDatabase()
  office = await world.as('admin', { clock })
  // the samples' links end a month from the real today
  const today = await world.as('admin', { orgId: office.orgId })
  own = await insertOwn()
  for (const name of strangers) {
    const guide = guides.get(name) as TestCaller
    for (const callable of reads)
      before.set(`${name} ${callable.name}`, await outcomeOf(guide, callable, asOwn(callable)))
  }
  foreign = await today.transaction((tx) => insertForeign(tx))
  await bookOwnGuestElsewhere()
  for (const name of formers) guides.set(name, await joinFormer(name))
  pristine = await foreignRows()
}, 120_000)
afterAll(() => world.close())

/** A departure that boards with one guest, with the records around it, and guides who have it, had one, or have none. */
async function insertOwn(): Promise<OwnRecords> {
  clock.set(new Date('2031-05-19T09:00:00Z'))
  const plan = await publishedTour(office, { minPax: 0 })
  const { tourId } = plan
  const earlier = await addDeparture(office, tourId, { localDate: '2031-05-20' })
  await book(office, earlier, 1)
  const formerStaffId = await assignGuide(office, earlier)
  await office.transaction((tx) => complete(tx, earlier))
  clock.set(new Date(start.getTime() - 20 * 60_000))
  const departureId = await addDeparture(office, tourId, { localDate: '2031-06-02' })
  const staffId = await assignGuide(office, departureId)
  const booking = await book(office, departureId, 1)
  await setStatus(office, departureId, { to: 'boarding' })
  clock.set(new Date(start.getTime() + 10 * 60_000))
  const idle = await office.transaction((tx) => insertStaff(tx))
  const as = (id?: string) => world.as('guide', { orgId: office.orgId, clock, ...(id && { staffId: id }) })
  const guide = await as(staffId)
  guides.set('with a departure', guide)
  guides.set('with a completed departure', await as(formerStaffId))
  guides.set('without departures', await as(idle))
  guides.set('without a staff record', await as())
  const { entryId = '', travelerId = '' } = booking.guests[0] ?? {}
  const { stops, crew } = await office.call(coreVerbOf(getDeparture), { id: departureId })
  const ids: Record<string, string> = {
    tours: tourId,
    places: plan.startPlaceId,
    departures: departureId,
    departure_stops: stops[1]?.id ?? '',
    bookings: booking.id,
    travelers: travelerId,
    manifest_entries: entryId ?? '',
    field_staff: staffId,
    assignments: crew[0]?.assignmentId ?? '',
    deliveries: await office.transaction((tx) => insertDelivery(tx, departureId)),
    saved_views: await guide.transaction((tx) => insertView(tx, guide.userId)),
    billing_documents: (
      await office.call(verbOf(issueInvoice), { bookingId: booking.id, buyer: { name: 'Amara Okafor' } })
    ).id,
    calendar_feeds: (await guide.call(verbOf(issueCalendarFeed), { subject: 'staff', subjectId: staffId })).id,
  }
  for (const record of records.filter(({ reach }) => reach === 'everyone')) {
    ids[record.table] = (await office.call(verbOf(record.create), sampleInput(record))).id
  }
  const bus = { ...sampleInput(vehicleRecord), plate: 'OWN 1' }
  const vehicle = await office.call(verbOf(vehicleRecord.create), bus as In<typeof vehicleRecord.create>)
  await office.call(verbOf(assignVehicle), { departureId, vehicleId: vehicle.id, driverStaffId: null })
  ids['vehicles'] = vehicle.id
  const id = (table: string): string => ids[table] ?? newId()
  return { userId: guide.userId, id, version: () => 1, running: { tourId, departureId, entryId: entryId ?? '' } }
}

async function insertStaff(tx: Tx): Promise<string> {
  const id = newId()
  await sql`insert into field_staff (org_id, id, code, first_name, last_name) values (${office.orgId}, ${id}, ${id.slice(-8)}, 'Idle', 'Guide')`.execute(
    tx,
  )
  return id
}

async function complete(tx: Tx, departureId: string): Promise<void> {
  const become = (status: string) => updateRows(tx, 'departures', { org_id: office.orgId, id: departureId }, { status })
  const come = (status: string) =>
    updateRows(tx, 'manifest_entries', { org_id: office.orgId, departure_id: departureId }, { status })
  await become('boarding')
  await come('checked_in')
  await become('in_progress')
  await come('on_tour')
  await come('finished')
  await become('completed')
  for (const status of ['on_duty', 'completed'])
    await updateRows(tx, 'assignments', { org_id: office.orgId, departure_id: departureId }, { status })
}

async function insertDelivery(tx: Tx, departureId: string): Promise<string> {
  const [messageId, id] = [newId(), newId()]
  await sql`insert into messages (org_id, id, body, departure_id) values (${office.orgId}, ${messageId}, 'Hello', ${departureId})`.execute(
    tx,
  )
  await sql`insert into deliveries (org_id, id, message_id, recipient, channel)
    values (${office.orgId}, ${id}, ${messageId}, 'guest@example.com', 'email')`.execute(tx)
  await updateRows(tx, 'deliveries', { org_id: office.orgId, id }, { status: 'failed' })
  return id
}

async function insertView(tx: Tx, userId: string): Promise<string> {
  const id = newId()
  await sql`insert into saved_views (org_id, id, user_id, screen, name) values (${office.orgId}, ${id}, ${userId}, 'travelers-list', 'Mine')`.execute(
    tx,
  )
  return id
}

/** One row of every table, around a departure that is on its way, with alerts, incidents and messages about it. */
async function insertForeign(tx: Tx): Promise<Samples> {
  // the sample departure is about a tour of its own; views belong to their makers
  const samples = await insertSamples(tx, office)
  const { orgId: org_id, id } = samples
  const set = (table: string, change: Row) => updateRows(tx, table, { org_id, id: id(table) }, change)
  const departure_id = id('departures')
  for (const status of ['scheduled', 'boarding', 'in_progress']) await set('departures', { status })
  await set('departure_stops', { place_id: id('places') })
  for (const table of ['alerts', 'incidents', 'messages']) await set(table, { departure_id })
  await set('departure_services', { supplier_id: id('suppliers') })
  await set('deliveries', { status: 'failed' })
  return samples
}

/** The same tour on another day with another guide, and on it somebody who is a guest of the own departure as well. */
async function bookOwnGuestElsewhere(): Promise<void> {
  otherDepartureId = await addDeparture(office, own.id('tours'), { localDate: '2031-06-03' })
  await assignGuide(office, otherDepartureId)
  await book(office, otherDepartureId, 1, {
    guests: [{ travelerId: own.id('travelers'), unitType: 'adult' }],
  })
}

/** The way to each status, as far as the state machine allows. */
const ways: Record<(typeof formers)[number], string[]> = {
  draft: [],
  declined: ['offered', 'declined'],
  expired: ['offered', 'expired'],
  withdrawn: ['offered', 'withdrawn'],
  released: ['accepted', 'released'],
  replaced: ['accepted', 'on_duty', 'replaced'],
}

async function joinFormer(name: (typeof formers)[number]): Promise<TestCaller> {
  const staffId = await office.transaction((tx) => assign(tx, ways[name]))
  return world.as('guide', { orgId: office.orgId, staffId, clock })
}

/** Somebody new with an assignment on the other departure that takes these steps. @returns the staff record. */
async function assign(tx: Tx, steps: readonly string[]): Promise<string> {
  const [staffId, calendarId, id] = [await insertStaff(tx), newId(), newId()]
  await sql`insert into staff_calendar_entries (org_id, id, staff_id, during, kind)
    select org_id, ${calendarId}, ${staffId}, tstzrange(starts_at, ends_at), 'assignment' from departures
    where org_id = ${office.orgId} and id = ${foreign.id('departures')}`.execute(tx)
  await sql`insert into assignments (org_id, id, calendar_entry_id, departure_id, staff_id, role, status, release_reason)
    values (${office.orgId}, ${id}, ${calendarId}, ${foreign.id('departures')}, ${staffId}, 'guide', 'draft', 'ill')`.execute(
    tx,
  )
  for (const status of steps) await updateRows(tx, 'assignments', { org_id: office.orgId, id }, { status })
  return staffId
}

/** The samples as they are now; what guides write of their own is not among them. */
async function foreignRows(): Promise<string> {
  const lines: string[] = []
  for (const table of sampledTables.filter((name) => foreign.rows.get(name)?.['id'] !== undefined)) {
    const id = foreign.id(table)
    const { rows } = await office.transaction((tx) =>
      sql<{
        row: string
      }>`select row_to_json(t)::text as row from ${sql.table(table)} t where org_id = ${office.orgId} and id = ${id}`.execute(
        tx,
      ),
    )
    lines.push(`${table} ${rows[0]?.row ?? 'gone'}`)
  }
  return lines.join('\n')
}

/** The callable's input about the own records. */
const asOwn = (callable: Callable): object => structuredClone(foreignProbes[callable.name]?.input?.(own) ?? {})

type Outcome = { answer: unknown } | Pick<AppError, 'code' | 'message' | 'details'>

/** The answer, or what the refusal says. */
async function outcomeOf(caller: TestCaller, callable: Callable, input: object): Promise<Outcome> {
  try {
    return { answer: await caller.call(verbOf(callable), input) }
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    return { code: error.code, message: error.message, details: error.details }
  }
}

const withoutId = (outcome: unknown, id: string): string => JSON.stringify(outcome).replaceAll(id, 'an id')

/** The answer to events of a phone names each by the id that the phone made for it. */
const withoutEventIds = (outcome: Outcome, { events = [] }: { events?: readonly { id: string }[] }): Outcome =>
  JSON.parse(events.reduce((text, { id }) => text.replaceAll(id, 'an event'), JSON.stringify(outcome))) as Outcome

/** A person who was assigned once still finds that in the list of their own assignments, which names the departure. */
const isAboutOneself = (callable: Callable, name: GuideName): boolean =>
  callable.name === 'assignments-list' && (formers as readonly string[]).includes(name)

const guideOf = (name: GuideName): TestCaller => guides.get(name) as TestCaller

/** Callables of records that every guide may see, their own departures or not. */
const forEveryone: ReadonlySet<string> = new Set([
  // nobody may go there
  listNoGoAreas.name,
  ...records
    .filter(({ reach }) => reach === 'everyone')
    .flatMap(callablesOf)
    .map(({ name }) => name),
])
const guarded = open.filter(({ name }) => !forEveryone.has(name))

const probes = guarded.flatMap((callable) =>
  Object.entries(foreignProbes[callable.name]?.fields ?? {}).map(([field, table]) => ({ callable, field, table })),
)

test('guides have callables to try, and each has a probe', () => {
  expect(open.length).toBeGreaterThan(40)
  expect(open.map(({ name }) => name).filter((name) => !(name in foreignProbes))).toEqual([])
})

describe('a record of the organization that is not the guide’s own', () => {
  test.each(probes.map((probe) => ({ ...probe, name: probe.callable.name })))(
    'is like none: $name $field',
    async ({ callable, field, table }) => {
      const theirs = table === 'members' ? office.userId : foreign.id(table)
      for (const name of guideNames) {
        if (isAboutOneself(callable, name)) continue
        const nobodys = newId()
        const ask = async (id: string) => {
          const input = inputWith(asOwn(callable), field, id)
          return withoutEventIds(await outcomeOf(guideOf(name), callable, input), input)
        }
        const told = withoutId(await ask(theirs), theirs)
        expect(told, `a guide ${name}`).toBe(withoutId(await ask(nobodys), nobodys))
      }
      if (callable.kind === 'write') expect(await foreignRows()).toBe(pristine)
    },
  )

  test.each(guarded.filter(({ kind }) => kind === 'read').map((callable) => ({ callable, name: callable.name })))(
    'is in no list and no figure: $name',
    async ({ callable, name }) => {
      for (const guide of strangers) {
        const told = await outcomeOf(guideOf(guide), callable, asOwn(callable))
        expect(told, `a guide ${guide}`).toEqual(before.get(`${guide} ${name}`))
      }
    },
  )

  test('is missing while own records are there: every read of a guide with a departure answers', () => {
    const refused = reads.filter(({ name }) => !('answer' in (before.get(`with a departure ${name}`) as object)))
    // its file belongs to nobody; guides read bookings and sell nothing, so there are no discount codes for them
    expect(refused.map(({ name }) => name)).toEqual(['files-link', 'discount-codes-get'])
  })

  test('is missing while own records are there: every write of a guide with a departure gets through to them', async () => {
    const more: Record<string, object> = { 'departures-record-headcount': { counted: 7, reason: 'Probe' } }
    const refused: Record<string, unknown> = {}
    for (const callable of open.filter(({ kind }) => kind === 'write')) {
      const input = { ...asOwn(callable), ...more[callable.name] }
      const told = await outcomeOf(guideOf('with a departure'), callable, input)
      if ('code' in told) refused[callable.name] = told.code
    }
    expect(refused).toEqual({
      // accepted just now, and changed just now
      'assignments-decline': 'aborted',
      'manifest-set-status': 'aborted',
      // of a colleague
      'push-subscriptions-test': 'not-found',
      // has a new address since
      'calendar-feeds-revoke': 'aborted',
      // boarding has begun the duty, and there is none after its end
      'duty-begin': 'aborted',
      'duty-break': 'aborted',
      // to a booking without an e-mail address, and of a message that a program wrote; with others they go through in `guest-messages.test.ts`
      'guest-messages-send': 'aborted',
      'guest-messages-stop': 'not-found',
      'guest-messages-test': 'aborted',
      // about no departure; with one it goes through below
      'incidents-report': 'invalid-argument',
    })
  })

  test('is not found through a guest who is on both departures', async () => {
    const guide = guideOf('with a departure')
    const travelerId = own.id('travelers')
    const told = JSON.stringify([
      await guide.call(verbOf(getTraveler), { id: travelerId }),
      await guide.call(verbOf(listTravelers), {}),
      await guide.call(verbOf(listBookings), { filters: { travelerId: [travelerId] } }),
    ])
    expect(told).not.toContain(otherDepartureId)
    const elsewhere = { filters: { departureId: [otherDepartureId] } }
    expect(await guide.call(verbOf(listTravelers), elsewhere)).toMatchObject({ total: 0 })
  })

  test('cannot be named in what a guide writes', async () => {
    const guide = guideOf('with a departure')
    const about = { departureId: own.running.departureId, category: 'other', severity: 4, title: 'Probe' } as const
    const report = (more: object) => guide.call(verbOf(reportIncident), { ...about, ...more })
    for (const [field, value] of [
      ['placeId', foreign.id('places')],
      ['affectedTravelerIds', [foreign.id('travelers')]],
      ['alertId', foreign.id('alerts')],
    ] as const) {
      await expect(report({ [field]: value })).rejects.toMatchObject({
        details: { fieldErrors: { [field]: [expect.any(String)] } },
      })
    }
    await expect(
      report({ placeId: own.id('places'), affectedTravelerIds: [own.id('travelers')] }),
    ).resolves.toHaveProperty('number')
  })

  test('has no live position for a guide, and no file', async () => {
    for (const name of guideNames) {
      const { orgId, userId, role } = guideOf(name)
      const person = { orgId, userId, role, staffId: name === 'without a staff record' ? null : own.id('field_staff') }
      for (const path of [livePath.position(orgId, foreign.id('field_staff')), livePath.positions(orgId)]) {
        const match = matchLivePath(path)
        expect(match && mayReadLive(match, person), `${name} ${path}`).toBe(false)
      }
      const photo = { id: await storedPhoto(), size: null }
      await expect(guideOf(name).call(verbOf(linkFile), photo)).rejects.toMatchObject({ code: 'not-found' })
      await expect(office.call(verbOf(linkFile), photo)).resolves.toHaveProperty('url')
    }
  })
})

async function storedPhoto(): Promise<string> {
  const id = newId()
  await office.transaction((tx) =>
    sql`insert into files (org_id, id, path, purpose, file_name, content_type, size_bytes, status, sha256)
      values (${office.orgId}, ${id}, ${id}, 'staff_photo', 'a.png', 'image/png', 1, 'stored', decode(repeat('ab', 32), 'hex'))`.execute(
      tx,
    ),
  )
  return id
}

test.each(records)('plain records have the reach that their definition says: $name ($reach)', async (record) => {
  const id = foreign.id(record.table)
  for (const name of strangers) {
    const { answer } = (await outcomeOf(guideOf(name), record.list, {})) as { answer?: { rows: { id: string }[] } }
    expect(
      answer?.rows.some((row) => row.id === id),
      `a guide ${name}`,
    ).toBe(record.reach === 'everyone')
    expect(await outcomeOf(guideOf(name), record.get, { id }), `a guide ${name}`).toHaveProperty(
      record.reach === 'everyone' ? 'answer' : 'code',
    )
  }
})

describe('an offer', () => {
  const offered = async (): Promise<TestCaller> => {
    const staffId = await office.transaction((tx) => assign(tx, ['offered']))
    return world.as('guide', { orgId: office.orgId, staffId, clock })
  }

  test('shows the departure that somebody is asked for', async () => {
    const guide = await offered()
    const id = foreign.id('departures')
    expect((await guide.call(verbOf(listDepartures), {})).rows.map((row) => row.id)).toEqual([id])
    expect(await guide.call(verbOf(getDeparture), { id })).toMatchObject({ id })
    const { hits } = await guide.call(verbOf(searchAll), { q: 'GOLD' })
    expect(new Set(hits.map(({ scope }) => scope))).toEqual(new Set(['departures', 'tours']))
  })

  test('does not open its guests, bookings and history, and lets nothing be written', async () => {
    const guide = await offered()
    const departureId = foreign.id('departures')
    const entry = { entryId: foreign.id('manifest_entries'), clientEventId: newId() }
    const refused = [
      guide.call(verbOf(getManifest), { departureId }),
      guide.call(verbOf(listCheckIns), { departureId }),
      guide.call(verbOf(departureHistory), { id: departureId }),
      guide.call(verbOf(getBooking), { id: foreign.id('bookings') }),
      guide.call(verbOf(getTraveler), { id: foreign.id('travelers') }),
      guide.call(verbOf(getAvailability), { tourId: foreign.id('tours'), from: '2031-06-02' }),
      guide.call(verbOf(checkIn), { departureId, entries: [entry] }),
      guide.call(verbOf(markStop), { id: foreign.id('departure_stops'), version: 1, to: 'arrived' }),
      guide.call(verbOf(recordHeadcount), { departureId, counted: 1 }),
      guide.call(verbOf(reportIncident), { departureId, category: 'other', severity: 4, title: 'Probe' }),
    ]
    await Promise.all(refused.map((call) => expect(call).rejects.toMatchObject({ code: 'not-found' })))
    expect(await guide.call(verbOf(listBookings), {})).toMatchObject({ total: 0 })
    expect(await guide.call(verbOf(listTravelers), {})).toMatchObject({ total: 0 })
    expect(await guide.call(verbOf(exportBookings), {})).toMatchObject({ rows: 0 })
    const { hits } = await guide.call(verbOf(searchAll), { q: 'Østergaard' })
    expect(hits).toEqual([])
  })

  test.each([
    { answer: acceptAssignment, status: 'accepted', calendar: 'confirmed' },
    { answer: declineAssignment, status: 'declined', calendar: 'cancelled' },
  ])('is answered by whom it was made to: $status', async ({ answer, status, calendar }) => {
    const guide = await offered()
    const { rows } = await guide.call(verbOf(listAssignments), {})
    const [{ id, version } = { id: '', version: 0 }] = rows
    await guide.call(verbOf(answer), { id, version })
    const after = await office.transaction((tx) =>
      sql`select a.status, e.status as calendar from assignments a join staff_calendar_entries e on e.org_id = a.org_id and e.id = a.calendar_entry_id
        where a.org_id = ${office.orgId} and a.id = ${id}`.execute(tx),
    )
    expect(after.rows).toEqual([{ status, calendar }])
  })

  test('is decided for permissions that a guide has', () => {
    expect(openWithOffer.filter((permission) => scopeOf('guide', permission) !== 'own')).toEqual([])
  })
})
