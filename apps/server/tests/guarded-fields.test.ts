import { isPermission, roles, scopeOf, type Role } from '@tour-ops/contract/identity/access'
import type { Callable, In } from '@tour-ops/contract/callable'
import { callables } from '@tour-ops/contract/callables'
import { getDeparture, noteDeparture } from '@tour-ops/contract/departures/departures'
import { AppError } from '@tour-ops/contract/errors'
import { declineAssignment, offerAssignment, releaseAssignment } from '@tour-ops/contract/field-staff/assignments'
import { createFieldStaff, getFieldStaff, listFieldStaff } from '@tour-ops/contract/field-staff/field-staff'
import { addLeave } from '@tour-ops/contract/field-staff/staff-planner'
import { guardOf, type FieldGuard } from '@tour-ops/contract/guarded-fields'
import { discountRecord } from '@tour-ops/contract/bookings/discount-codes'
import { checkIn, getManifest, listCheckIns } from '@tour-ops/contract/bookings/manifest'
import { reportIncident } from '@tour-ops/contract/monitoring/incidents'
import { getOverview } from '@tour-ops/contract/overview/overview'
import {
  revealTraveler,
  saveTravelerDocument,
  updateTraveler,
  getTraveler,
} from '@tour-ops/contract/travelers/travelers'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { movableClock } from '../src/platform/clock.ts'
import { newId } from '../src/platform/ids.ts'
import { addDeparture, assignGuide, book, publishedTour, setStatus } from '../testing/operations.ts'
import { sampleDiscount } from '../testing/sample-rows.ts'
import { foreignProbes, type OwnRecords } from '../testing/foreign-inputs.ts'
import { testDatabase, type TestCaller, type TestWorld } from '../testing/world.ts'
import { verbsOf } from '../testing/verbs.ts'
import { allVerbs } from '../src/verbs.ts'

// Every read of every role in an organization where each guarded field holds something. Fields are looked up in the contract's table; marks
// in the values find what an answer says elsewhere, in exports and histories too.

const verbOf = verbsOf(allVerbs)
const reads = callables.filter(({ kind }) => kind === 'read')

/** Who asks: each role on the day of a departure, and the dispatcher once more ten days before it. */
const readers = [...roles, 'dispatcher, early'] as const
type Reader = (typeof readers)[number]
const roleOf = (reader: Reader): Role => (reader === 'dispatcher, early' ? 'dispatcher' : reader)

const start = new Date('2031-06-02T09:00:00Z')
const clock = movableClock(start)
let world: TestWorld
let office: TestCaller
let own: OwnRecords
let otherStaffId: string
const asking = new Map<Reader, TestCaller>()
const ask = (reader: Reader): TestCaller => asking.get(reader) as TestCaller

/** Texts that say whose secret they are, and who may read it anywhere. */
const marks: readonly { readonly text: string; readonly mayRead: (reader: Reader) => boolean }[] = [
  { text: 'private of the other', mayRead: (reader) => scopeOf(roleOf(reader), 'staff_private:read') === 'all' },
  { text: '+35450001', mayRead: (reader) => scopeOf(roleOf(reader), 'staff_private:read') === 'all' },
  { text: 'private of the guide', mayRead: (reader) => scopeOf(roleOf(reader), 'staff_private:read') !== undefined },
  { text: '+35450002', mayRead: (reader) => scopeOf(roleOf(reader), 'staff_private:read') !== undefined },
  { text: 'incident of today', mayRead: (reader) => scopeOf(roleOf(reader), 'monitoring:read') !== undefined },
  { text: 'alert of today', mayRead: (reader) => scopeOf(roleOf(reader), 'monitoring:read') !== undefined },
  { text: 'note of the office', mayRead: (reader) => scopeOf(roleOf(reader), 'departures:read') === 'all' },
  { text: 'asthma', mayRead: () => false },
  { text: 'PASSQXZW', mayRead: () => false },
  {
    // the end that a masked number shows; letters that are in no id, where digits are by chance
    text: 'QXZW',
    mayRead: (reader) =>
      scopeOf(roleOf(reader), 'travelers_sensitive:read') === 'all' && reader !== 'dispatcher, early',
  },
  { text: 'nameless@example.com', mayRead: (reader) => scopeOf(roleOf(reader), 'members:read') !== undefined },
]

beforeAll(async () => {
  world = await testDatabase()
  office = await world.as('admin', { clock })
  own = await populate()
  const early = movableClock(new Date(start.getTime() - 10 * 86_400_000))
  for (const reader of readers) {
    const { orgId } = office
    const options = { orgId, clock: reader === 'dispatcher, early' ? early : clock }
    asking.set(
      reader,
      await world.as(roleOf(reader), reader === 'guide' ? { ...options, staffId: own.id('field_staff') } : options),
    )
  }
}, 120_000)
afterAll(() => world.close())

const staffMember = (lastName: string, phone: string, secret: string): In<typeof createFieldStaff> => ({
  firstName: 'Ada',
  lastName,
  kinds: ['guide'],
  employment: 'freelance',
  phone,
  email: `${secret.replaceAll(' ', '.')}@example.com`,
  emergencyContact: { name: secret, relation: null, phone },
  costPerDayMinor: 4_200,
  costCurrency: 'EUR',
  notes: secret,
})

/** A departure that boards today, its crew and guests, what went wrong on it, and what not everybody may read about the staff. */
async function populate(): Promise<OwnRecords> {
  clock.set(new Date(start.getTime() - 20 * 60_000))
  const { tourId, startPlaceId } = await publishedTour(office, { minPax: 0 })
  const departureId = await addDeparture(office, tourId, { localDate: '2031-06-02' })
  const { id: guideId } = await office.call(
    verbOf(createFieldStaff),
    staffMember('Guide', '+35450002', 'private of the guide'),
  )
  const other = await office.call(verbOf(createFieldStaff), staffMember('Other', '+35450001', 'private of the other'))
  otherStaffId = other.id
  await assignGuide(office, departureId, { staffId: otherStaffId })
  await assignGuide(office, departureId, { staffId: guideId, role: 'guide' })
  await answerOffers(departureId)
  for (const [staffId, secret] of [
    [guideId, 'private of the guide'],
    [otherStaffId, 'private of the other'],
  ] as const) {
    const span = { startsAt: '2031-06-05T08:00:00Z', endsAt: '2031-06-05T18:00:00Z' }
    await office.call(verbOf(addLeave), { staffId, kind: 'time_off', ...span, note: secret })
  }
  const booking = await book(office, departureId, 1, {
    contact: { name: 'Amara Okafor', email: 'amara@example.com', phone: '+35460001' },
    amountTotalMinor: 8_900,
    amountPaidMinor: 8_900,
  })
  const { entryId, travelerId = '' } = booking.guests[0] ?? {}
  await office.call(verbOf(discountRecord.create), { code: sampleDiscount, kind: 'percent', value: 10 })
  await makeSensitive(travelerId)
  await goWrong(departureId)
  await checkInByNameless(departureId, entryId ?? '')
  clock.set(new Date(start.getTime() + 10 * 60_000))
  const { stops, crew } = await office.call(verbOf(getDeparture), { id: departureId })
  const { rows } = await office.transaction((tx) =>
    sql<{
      alert: string
      incident: string
    }>`select (select id from alerts where org_id = ${office.orgId} limit 1) as alert,
      (select id from incidents where org_id = ${office.orgId} limit 1) as incident`.execute(tx),
  )
  const ids: Record<string, string> = {
    tours: tourId,
    places: startPlaceId,
    departures: departureId,
    departure_stops: stops[0]?.id ?? '',
    bookings: booking.id,
    travelers: travelerId,
    manifest_entries: entryId ?? '',
    field_staff: guideId,
    assignments: crew[0]?.assignmentId ?? '',
    alerts: rows[0]?.alert ?? '',
    incidents: rows[0]?.incident ?? '',
  }
  const id = (table: string): string => ids[table] ?? newId()
  return { userId: office.userId, id, version: () => 1, running: { tourId, departureId, entryId: entryId ?? '' } }
}

/** Somebody was asked over their hours and declined, and somebody was released, each with a reason of their own. */
async function answerOffers(departureId: string): Promise<void> {
  const respondBy = new Date(start.getTime() + 3_600_000).toISOString()
  const elsewhere = await addDeparture(office, (await office.call(verbOf(getDeparture), { id: departureId })).tourId, {
    localDate: '2031-06-09',
  })
  await office.transaction((tx) =>
    sql`update field_staff set contracted_hours_per_week = 0 where org_id = ${office.orgId} and id = ${otherStaffId}`.execute(
      tx,
    ),
  )
  const { ids } = await office.call(verbOf(offerAssignment), {
    departureId: elsewhere,
    role: 'backup',
    staffIds: [otherStaffId],
    respondBy,
    overrideReason: 'private of the other',
  })
  await office.call(verbOf(declineAssignment), { id: ids[0] ?? '', version: 1, reason: 'private of the other' })
  const third = await assignGuide(office, departureId, { role: 'porter' })
  const { crew } = await office.call(verbOf(getDeparture), { id: departureId })
  const { assignmentId = '', version = 1 } = crew.find(({ staffId }) => staffId === third) ?? {}
  await office.call(verbOf(releaseAssignment), { id: assignmentId, version, reason: 'private of the other' })
}

async function makeSensitive(travelerId: string): Promise<void> {
  const { version } = await office.call(verbOf(getTraveler), { id: travelerId })
  await office.call(verbOf(updateTraveler), {
    id: travelerId,
    version,
    firstName: 'Amara',
    lastName: 'Okafor',
    email: 'amara@example.com',
    phone: '+35460001',
    dietary: ['vegan'],
    dietaryNote: 'no honey',
    mobility: 'cane',
    mobilityNote: 'slow on stairs',
    emergencyContact: { name: 'Chi', relation: null, phone: '+35460002' },
    dateOfBirth: '1990-05-04',
    medicalNote: 'asthma',
  })
  await office.call(verbOf(saveTravelerDocument), { travelerId, kind: 'passport', number: 'PASSQXZW' })
}

async function goWrong(departureId: string): Promise<void> {
  const { version } = await office.call(verbOf(getDeparture), { id: departureId })
  await office.call(verbOf(noteDeparture), { id: departureId, version, internalNote: 'note of the office' })
  await office.transaction((tx) =>
    sql`insert into alerts (org_id, id, kind, severity, subject_type, subject_id, departure_id, title, dedupe_key)
      values (${office.orgId}, ${newId()}, 'sos', 'critical', 'departure', ${departureId}, ${departureId}, 'alert of today', 'today')`.execute(
      tx,
    ),
  )
  const { rows } = await office.transaction((tx) =>
    sql<{ id: string }>`select id from alerts where org_id = ${office.orgId}`.execute(tx),
  )
  await office.call(verbOf(reportIncident), {
    category: 'medical',
    severity: 2,
    title: 'incident of today',
    departureId,
    alertId: rows[0]?.id ?? null,
  })
  await office.transaction((tx) =>
    sql`insert into alerts (org_id, id, kind, severity, subject_type, subject_id, departure_id, title, dedupe_key)
      values (${office.orgId}, ${newId()}, 'sos', 'critical', 'departure', ${departureId}, ${departureId}, 'alert of today', 'again')`.execute(
      tx,
    ),
  )
}

/** People without a name are shown by an address that not everyone may read. */
async function checkInByNameless(departureId: string, entryId: string): Promise<void> {
  const nameless = await world.as('dispatcher', { orgId: office.orgId, clock })
  await world.database.ownerPool.query(
    `update members set name = null, email = 'nameless@example.com' where user_id = $1`,
    [nameless.userId],
  )
  await setStatus(nameless, departureId, { to: 'boarding' })
  await nameless.call(verbOf(checkIn), { departureId, entries: [{ entryId, clientEventId: newId() }] })
}

/** Inputs about what there is; a guide reads the own record. */
const inputsOf = (callable: Callable): object[] => {
  const input = structuredClone(foreignProbes[callable.name]?.input?.(own) ?? {})
  if (callable.name === 'field-staff-get') return [input, { id: otherStaffId }]
  if (callable.name === 'field-staff-calendar') return [{ from: '2031-06-02', days: 7 }]
  if (callable.name === 'search-all') return ['today', 'private', '35450', 'Amara', 'Other'].map((q) => ({ q }))
  return [input]
}

async function answersOf(reader: Reader, callable: Callable): Promise<unknown[]> {
  const found: unknown[] = []
  for (const input of inputsOf(callable)) {
    try {
      found.push(await ask(reader).call(verbOf(callable), input))
    } catch (error) {
      if (!(error instanceof AppError) || !['permission-denied', 'not-found'].includes(error.code)) throw error
    }
  }
  return found
}

interface Held {
  readonly path: string
  readonly guard: FieldGuard
}

const isNothing = (value: unknown): boolean =>
  value === null ||
  value === undefined ||
  value === '' ||
  (typeof value === 'object' && Object.keys(value).length === 0)

/** Guarded fields of an answer that hold something. */
function heldIn(callable: string, value: unknown, path = ''): Held[] {
  if (isNothing(value)) return []
  const guard = guardOf(callable, path)
  const here = guard ? [{ path, guard }] : []
  if (typeof value !== 'object' || value === null) return here
  const inside = Array.isArray(value)
    ? value.flatMap((item) => heldIn(callable, item, path ? `${path}.*` : '*'))
    : Object.entries(value).flatMap(([name, item]) => heldIn(callable, item, path ? `${path}.${name}` : name))
  return [...here, ...inside]
}

function mayRead(reader: Reader, { needs, isOffice, isNearTour }: FieldGuard): boolean {
  const scope = scopeOf(roleOf(reader), needs)
  if (isNearTour && reader === 'dispatcher, early') return false
  return isOffice ? scope === 'all' : scope !== undefined
}

const mayAsk = (reader: Reader, { permission }: Callable): boolean =>
  !isPermission(permission) || scopeOf(roleOf(reader), permission) !== undefined

const asks = reads.flatMap((callable) =>
  readers.filter((reader) => mayAsk(reader, callable)).map((reader) => ({ callable, name: callable.name, reader })),
)

/** Fields that hold something in this organization, so that leaving them out changes something. */
const filled = [
  'field-staff-list rows.*.phone',
  'field-staff-get notes',
  'field-staff-get emergencyContact.phone',
  'field-staff-get costPerDayMinor',
  'field-staff-calendar blocks.*.note',
  'assignments-list rows.*.declineReason',
  'assignments-list rows.*.brokenRules',
  'assignments-list rows.*.overrideReason',
  'departures-get crew.*.phone',
  'departures-get internalNote',
  'departures-get counts.incidents',
  'alerts-get contact.phone',
  'manifest-get groups.*.parties.*.entries.*.age',
  'travelers-get documents.*.numberHint',
  'overview-get figures.openAlerts',
  'overview-get figures.oldestAlertAt',
  'overview-get attention.*.alertId',
  'overview-get attention.*.incidentId',
  'overview-get departures.*.openAlerts',
  'departures-list rows.*.openAlerts',
  'map-today departures.*.openAlerts',
  'members-list rows.*.email',
  'audit-list rows.*.changes',
  'bookings-get guests',
  'bookings-list rows.*.contact.email',
  'manifest-get groups.*.parties.*.contactPhone',
  'travelers-get emergencyContact.phone',
]

describe('an answer says to its reader what the reader may read', () => {
  test.each(asks)('$name to $reader', async ({ callable, name, reader }) => {
    const answers = await answersOf(reader, callable)
    const told = answers.flatMap((answer) => heldIn(name, answer))
    const guarded = told.filter(({ guard }) => !mayRead(reader, guard)).map(({ path }) => path)
    expect([...new Set(guarded)], 'guarded fields').toEqual([])
    const text = JSON.stringify(answers)
    const secrets = marks.filter((mark) => text.includes(mark.text) && !mark.mayRead(reader))
    expect(
      secrets.map((mark) => mark.text),
      'what somebody else keeps',
    ).toEqual([])
  })

  test.each(filled)('while there is something to guard: %s', async (field) => {
    const [name, path] = field.split(' ')
    const callable = reads.find((each) => each.name === name) as Callable
    const told = (await answersOf('admin', callable)).flatMap((answer) => heldIn(callable.name, answer))
    expect(told.map((held) => held.path)).toContain(path)
  })

  test('and guides have their own phone', async () => {
    const answer = await ask('guide').call(verbOf(getFieldStaff), { id: own.id('field_staff') })
    expect(answer).toMatchObject({ phone: '+35450002', notes: 'private of the guide' })
  })
})

describe('outside of the hours around a tour a dispatcher', () => {
  const hours = { code: 'permission-denied', details: { reason: 'outside_duty_window' } }
  const travelerId = () => own.id('travelers')

  test('neither sees nor writes documents, dates of birth and medical notes', async () => {
    const early = ask('dispatcher, early')
    const { version, lastName } = await early.call(verbOf(getTraveler), { id: travelerId() })
    const reveal = early.call(verbOf(revealTraveler), { id: travelerId(), fields: ['documents'] })
    await expect(reveal).rejects.toMatchObject(hours)
    const save = early.call(verbOf(saveTravelerDocument), { travelerId: travelerId(), kind: 'visa', number: 'V1' })
    await expect(save).rejects.toMatchObject(hours)
    const overwrite = early.call(verbOf(updateTraveler), { id: travelerId(), version, lastName, medicalNote: null })
    await expect(overwrite).rejects.toMatchObject(hours)
  })

  test('changes everything else, and within the hours those as well', async () => {
    const [early, dispatcher] = [ask('dispatcher, early'), ask('dispatcher')]
    const { version, lastName } = await early.call(verbOf(getTraveler), { id: travelerId() })
    const saved = await early.call(verbOf(updateTraveler), { id: travelerId(), version, lastName })
    await dispatcher.call(verbOf(updateTraveler), {
      id: travelerId(),
      version: saved.version,
      lastName,
      medicalNote: 'asthma',
    })
    await dispatcher.call(verbOf(saveTravelerDocument), { travelerId: travelerId(), kind: 'visa', number: 'V1' })
    const { documents } = await dispatcher.call(verbOf(revealTraveler), { id: travelerId(), fields: ['documents'] })
    expect(documents.map(({ number }) => number).toSorted()).toEqual(['PASSQXZW', 'V1'])
  })
})

test('people who plan tours see a day without alerts and incidents, not one that is all clear', async () => {
  const day = await ask('tour_designer').call(verbOf(getOverview), {})
  expect(day.figures).toMatchObject({ openAlerts: null, oldestAlertAt: null, departures: 1 })
  expect(day.attention.filter(({ kind }) => kind === 'alert' || kind === 'incident')).toEqual([])
  const watched = await ask('viewer').call(verbOf(getOverview), {})
  expect(watched.figures.openAlerts).toBe(1)
  expect(new Set(watched.attention.map(({ kind }) => kind))).toEqual(new Set(['alert', 'incident']))
})

test('phones that somebody may not see are not found by their digits', async () => {
  const byPhone = (reader: Reader) => ask(reader).call(verbOf(listFieldStaff), { q: '50001' })
  expect((await byPhone('viewer')).total).toBe(0)
  expect((await byPhone('dispatcher')).total).toBe(1)
})

test('what a member without a name did is signed for those who may read addresses', async () => {
  const said = async (reader: Reader) => {
    const { events } = await ask(reader).call(verbOf(listCheckIns), { departureId: own.id('departures') })
    const { groups } = await ask(reader).call(verbOf(getManifest), { departureId: own.id('departures') })
    return [events[0]?.byName, groups.flatMap(({ parties }) => parties)[0]?.entries[0]?.checkInByName]
  }
  expect(await said('dispatcher')).toEqual(['nameless@example.com', 'nameless@example.com'])
  expect(await said('viewer')).toEqual([null, null])
})
