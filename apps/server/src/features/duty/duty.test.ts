import type { Departure } from '@tour-ops/contract/departures/departures'
import { getDeparture } from '@tour-ops/contract/departures/departures'
import {
  type DutyDay,
  getDutyDay,
  getLinkedDutyDay,
  type NewDutyEvent,
  sendDutyEvents,
  sendLinkedDutyEvents,
} from '@tour-ops/contract/duty/duty-phone'
import { createLink, revokeLink } from '@tour-ops/contract/links/links'
import { getManifest, listCheckIns } from '@tour-ops/contract/bookings/manifest'
import { offerAssignment } from '@tour-ops/contract/field-staff/assignments'
import { ownDuty } from '@tour-ops/contract/tracking/duty'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { addDeparture, assignGuide, book, officeWithTour, setStatus } from '../../../testing/operations.ts'
import { verbsOf } from '../../../testing/verbs.ts'
import { testDatabase, type TestCaller, type TestWorld } from '../../../testing/world.ts'
import { newId } from '../../platform/ids.ts'
import { execute } from '../../platform/verb.ts'
import { allVerbs } from '../../verbs.ts'

const verbOf = verbsOf(allVerbs)

let world: TestWorld
beforeAll(async () => {
  world = await testDatabase()
})
afterAll(() => world.close())

const start = new Date('2030-07-14T08:00:00Z')
const minutes = (count: number): string => new Date(start.getTime() + count * 60_000).toISOString()

/** A departure at nine with a party of three and its lead guide, an hour before; and the guide's phone. */
async function morning() {
  const { caller, clock, tourId } = await officeWithTour(world, start)
  const departureId = await addDeparture(caller, tourId)
  await book(caller, departureId, 3)
  const staffId = await assignGuide(caller, departureId)
  const guide = await world.as('guide', { orgId: caller.orgId, staffId, clock })
  const day = await guide.call(verbOf(getDutyDay), {})
  const entries = entriesOf(day)
  const send = (events: readonly NewDutyEvent[], sentAt = clock.now().toISOString()) =>
    guide.call(verbOf(sendDutyEvents), { sentAt, events: [...events] })
  const departure = (who: TestCaller = caller): Promise<Departure> =>
    who.call(verbOf(getDeparture), { id: departureId })
  return { caller, guide, clock, tourId, departureId, staffId, day, entries, send, departure }
}

const entriesOf = ({ departures }: DutyDay): string[] =>
  departures
    .flatMap(({ manifest }) => manifest?.groups ?? [])
    .flatMap((group) => group.parties.flatMap((party) => party.entries.map(({ id }) => id)))

type Morning = Awaited<ReturnType<typeof morning>>
type Kind<K> = Extract<NewDutyEvent, { kind: K }>
const stamp = (at = start.toISOString()) => ({ id: newId(), at })
const board = (
  { departureId }: Morning,
  to: Kind<'status'>['to'] = 'boarding',
  reason: string | null = null,
): NewDutyEvent => ({
  kind: 'status',
  ...stamp(),
  departureId,
  to,
  reason,
})
const checkInOf = ({ departureId }: Morning, entryId = '', at?: string): NewDutyEvent => ({
  kind: 'check_in',
  ...stamp(at),
  departureId,
  entryId,
})
const outcomesOf = (answer: { outcomes: readonly { outcome: string; reason: string | null }[] }) =>
  answer.outcomes.map(({ outcome, reason }) => [outcome, reason])

test('a phone gets its departures of today and tomorrow with run sheet and manifest, and no others', async () => {
  const { caller, tourId, guide, day, departureId } = await morning()
  await addDeparture(caller, tourId, { startTimeLocal: '11:00' })
  expect(day.departures.map(({ departure }) => departure.id)).toEqual([departureId])
  expect(day.departures[0]).toMatchObject({ can: { mark: true, lead: true }, assignment: { role: 'lead_guide' } })
  expect(entriesOf(day)).toHaveLength(3)
  expect(day).toMatchObject({ asOf: start.toISOString(), duty: { session: null }, organization: { noShowFromMin: 5 } })
  const office = await world.as('operations_manager', { orgId: caller.orgId })
  await expect(office.call(verbOf(getDutyDay), {})).rejects.toMatchObject({ details: { reason: 'no_staff_record' } })
  expect((await guide.call(verbOf(getDutyDay), {})).departures).toHaveLength(1)
})

test('an offered departure shows its plan and nobody of its guests, until it is accepted on the phone', async () => {
  const { caller, guide, tourId, staffId, send } = await morning()
  const offeredId = await addDeparture(caller, tourId, { localDate: '2030-07-15' })
  await book(caller, offeredId, 2)
  await caller.call(verbOf(offerAssignment), {
    departureId: offeredId,
    staffIds: [staffId],
    role: 'lead_guide',
    respondBy: minutes(60),
  })
  const before = await guide.call(verbOf(getDutyDay), {})
  const offered = before.departures.find(({ departure }) => departure.id === offeredId)
  expect(offered).toMatchObject({
    manifest: null,
    assignment: { status: 'offered' },
    can: { mark: false, lead: false },
  })
  const note: NewDutyEvent = { kind: 'note', ...stamp(), departureId: offeredId, text: 'Too early' }
  expect(outcomesOf(await send([note]))).toEqual([['refused', 'not_found']])
  const yes: NewDutyEvent = { kind: 'answer', ...stamp(), assignmentId: offered?.assignment?.id ?? '', accept: true }
  expect(outcomesOf(await send([yes]))).toEqual([['done', null]])
  const after = await guide.call(verbOf(getDutyDay), {})
  expect(after.departures.find(({ departure }) => departure.id === offeredId)?.manifest?.counts.total).toBe(2)
})

test('a whole tour is led from the phone: boarding, guests, count, start, stops and the end', async () => {
  const here = await morning()
  const { clock, send, departureId, entries, departure } = here
  const stops = (await departure()).stops
  expect(outcomesOf(await send([board(here), ...entries.map((id) => checkInOf(here, id))]))).toEqual(
    Array.from({ length: 4 }, () => ['done', null]),
  )
  clock.set(new Date(minutes(58)))
  const count: NewDutyEvent = { kind: 'headcount', ...stamp(minutes(55)), departureId, counted: 3 }
  const setOut: NewDutyEvent = { ...board(here, 'in_progress'), at: minutes(57) }
  expect(outcomesOf(await send([count, setOut]))).toEqual([
    ['done', null],
    ['done', null],
  ])
  expect(await departure()).toMatchObject({
    status: 'in_progress',
    actualStartAt: minutes(57),
    lastHeadcount: { counted: 3, expected: 3, at: minutes(55) },
  })
  clock.set(new Date(minutes(600)))
  const geysir = stops.find(({ placeName }) => placeName === 'Geysir')?.id ?? ''
  const end = stops.at(-1)?.id ?? ''
  const at = (moment: number, stopId: string, to: Kind<'stop'>['to'], reason: string | null = null): NewDutyEvent => ({
    kind: 'stop',
    ...stamp(minutes(moment)),
    departureId,
    stopId,
    to,
    reason,
  })
  const rest = [
    at(260, geysir, 'arrived'),
    at(330, geysir, 'departed', 'Counted twice'),
    at(545, end, 'arrived'),
    { ...board(here, 'completed'), at: minutes(550) },
  ]
  expect(outcomesOf(await send(rest))).toEqual(rest.map(() => ['done', null]))
  const over = await departure()
  expect(over).toMatchObject({ status: 'completed', actualEndAt: minutes(550) })
  expect(over.stops.find(({ id }) => id === geysir)).toMatchObject({
    actualArriveAt: minutes(260),
    actualDepartAt: minutes(330),
    source: 'guide',
  })
})

test('what comes twice is written once and answered the same, also from two senders at once', async () => {
  const here = await morning()
  const { guide, send, departureId, entries } = here
  const events = [board(here), ...entries.map((id) => checkInOf(here, id))]
  const [first, second] = await Promise.all([send(events), send(events)])
  expect(second).toEqual(first)
  expect(await send(events)).toEqual(first)
  const { events: log } = await guide.call(verbOf(listCheckIns), { departureId })
  expect(log).toHaveLength(3)
})

test('one event that is refused keeps none of the others back, and says what counts at the office', async () => {
  const here = await morning()
  const { caller, send, departureId, entries } = here
  const [ok = '', cancelled = ''] = entries
  await send([board(here)])
  await caller.transaction((tx) =>
    sql`update manifest_entries set status = 'cancelled' where org_id = ${caller.orgId} and id = ${cancelled}`.execute(
      tx,
    ),
  )
  const answer = await send([checkInOf(here, cancelled), checkInOf(here, newId()), checkInOf(here, ok)])
  expect(outcomesOf(answer)).toEqual([
    ['refused', 'guest_status_differs'],
    ['refused', 'not_found'],
    ['done', null],
  ])
  expect(answer.outcomes[0]?.office).toMatchObject({ status: 'cancelled' })
  const { counts } = await caller.call(verbOf(getManifest), { departureId })
  expect(counts.aboard).toBe(1)
})

test('a mark that the office has made already is met, and its time stays', async () => {
  const here = await morning()
  const { caller, clock, send, entries } = here
  await send([board(here)])
  clock.set(new Date(minutes(5)))
  const [entryId = ''] = entries
  await send([checkInOf(here, entryId, minutes(1))])
  expect(outcomesOf(await send([checkInOf(here, entryId, minutes(3)), board(here)]))).toEqual([
    ['met', null],
    ['met', null],
  ])
  const { events } = await caller.call(verbOf(listCheckIns), { departureId: here.departureId })
  expect(events.map(({ at }) => at)).toHaveLength(1)
})

test('a phone whose clock is wrong by hours reports the right times', async () => {
  const here = await morning()
  const { caller, clock, guide, entries } = here
  await here.send([board(here)])
  clock.set(new Date(minutes(20)))
  const wrong = (moment: number): string => new Date(new Date(minutes(moment)).getTime() + 5 * 3_600_000).toISOString()
  const answer = await guide.call(verbOf(sendDutyEvents), {
    sentAt: wrong(20),
    events: [checkInOf(here, entries[0], wrong(12))],
  })
  expect(outcomesOf(answer)).toEqual([['done', null]])
  const { groups } = await caller.call(verbOf(getManifest), { departureId: here.departureId })
  const entry = groups
    .flatMap((group) => group.parties.flatMap((party) => party.entries))
    .find(({ id }) => id === entries[0])
  expect(entry?.checkInAt).toBe(minutes(12))
})

test('events of more than three days ago are refused and change nothing', async () => {
  const here = await morning()
  const old = new Date(start.getTime() - 73 * 3_600_000).toISOString()
  expect(outcomesOf(await here.send([{ ...board(here), at: old }]))).toEqual([['refused', 'event_too_old']])
  expect((await here.departure()).status).not.toBe('boarding')
})

test('only the leader opens boarding, and a guide of another departure finds nothing', async () => {
  const here = await morning()
  const { caller, tourId, clock, departureId, entries } = here
  const otherId = await addDeparture(caller, tourId, { startTimeLocal: '13:00' })
  const strangerStaff = await assignGuide(caller, otherId)
  const stranger = await world.as('guide', { orgId: caller.orgId, staffId: strangerStaff, clock })
  const sentAt = start.toISOString()
  const tried = await stranger.call(verbOf(sendDutyEvents), {
    sentAt,
    events: [
      board(here),
      checkInOf(here, entries[0]),
      { kind: 'note', ...stamp(), departureId, text: 'Not mine' },
      { kind: 'incident', ...stamp(), departureId, category: 'other', severity: 4, title: 'Not mine' },
    ],
  })
  expect(tried.outcomes.map(({ outcome, office }) => [outcome, office])).toEqual(
    Array.from({ length: 4 }, () => ['refused', null]),
  )
  const viewer = await world.as('viewer', { orgId: caller.orgId, clock })
  const seen = await viewer.call(verbOf(sendDutyEvents), { sentAt, events: [checkInOf(here, entries[0]), board(here)] })
  expect(outcomesOf(seen)).toEqual([
    ['refused', 'missing_permission'],
    ['refused', 'leads_no_departure'],
  ])
})

test('after the departure has set out a guide reaches no further than before', async () => {
  const here = await morning()
  const { guide, caller, departureId } = here
  await here.send([board(here), { kind: 'headcount', ...stamp(), departureId, counted: 0 }])
  const foreignId = await addDeparture(caller, here.tourId, { startTimeLocal: '15:00' })
  const answer = await here.send([
    board(here, 'in_progress', 'Nobody came'),
    { kind: 'note', ...stamp(), departureId: foreignId, text: 'Elsewhere' },
  ])
  expect(outcomesOf(answer)).toEqual([
    ['done', null],
    ['refused', 'not_found'],
  ])
  await expect(guide.call(verbOf(getDeparture), { id: foreignId })).rejects.toMatchObject({ code: 'not-found' })
})

test('notes of the way are read in the departure, with the time of writing', async () => {
  const here = await morning()
  const { clock, departureId, send, departure } = here
  clock.set(new Date(minutes(30)))
  await send([{ kind: 'note', ...stamp(minutes(10)), departureId, text: 'Lunch at Geysir is paid.' }])
  expect((await departure()).notes).toMatchObject([{ at: minutes(10), text: 'Lunch at Geysir is paid.' }])
})

test('duty begins, pauses and ends from the phone; a second begin is met', async () => {
  const { guide, send } = await morning()
  const duty = (to: Kind<'duty'>['to']): NewDutyEvent => ({ kind: 'duty', ...stamp(), to })
  expect(outcomesOf(await send([duty('begin'), duty('begin')]))).toEqual([
    ['done', null],
    ['met', null],
  ])
  expect(outcomesOf(await send([duty('break')]))).toEqual([['done', null]])
  expect((await guide.call(verbOf(ownDuty), {})).session?.breakStartedAt).not.toBeNull()
  await send([{ kind: 'consent', ...stamp(), agrees: true }, duty('resume'), duty('end'), duty('end')])
  expect(await guide.call(verbOf(ownDuty), {})).toMatchObject({ session: null, consent: { version: '2026-11' } })
})

/** A run sheet link, and what is called with it by nobody in particular. */
async function linked(here: Morning, checkin: boolean) {
  const { caller, clock, departureId } = here
  const { id, token } = await caller.call(verbOf(createLink), {
    kind: 'staff_runsheet',
    subjectId: departureId,
    label: 'Freelancer Ana',
    scopes: { checkin },
  })
  const services = { ...world.services, clock }
  const request = { requestId: newId(), ip: null, signal: new AbortController().signal }
  const day = () => execute(services, request, null, verbOf(getLinkedDutyDay), { token })
  const send = (events: readonly NewDutyEvent[]) =>
    execute(services, request, null, verbOf(sendLinkedDutyEvents), { token, sentAt: clock.now().toISOString(), events })
  return { id, day, send }
}

test('a run sheet link that opens check-in does the guests of its departure and nothing else', async () => {
  const here = await morning()
  const { caller, tourId, departureId, entries } = here
  const other = await addDeparture(caller, tourId, { startTimeLocal: '12:00' })
  const { day, send, id } = await linked(here, true)
  await setStatus(caller, departureId, { to: 'boarding' })
  const seen = await day()
  expect(seen).toMatchObject({ duty: null, departures: [{ can: { mark: true, lead: false }, assignment: null }] })
  expect(seen.departures[0]?.departure.id).toBe(departureId)
  const answer = await send([
    checkInOf(here, entries[0]),
    { kind: 'note', ...stamp(), departureId, text: 'All here' },
    { kind: 'note', ...stamp(), departureId: other, text: 'Elsewhere' },
    board(here, 'in_progress'),
    { kind: 'duty', ...stamp(), to: 'begin' },
  ])
  expect(outcomesOf(answer)).toEqual([
    ['done', null],
    ['done', null],
    ['refused', 'not_found'],
    ['refused', 'link_opens_no_more'],
    ['refused', 'link_opens_no_more'],
  ])
  expect((await here.departure()).notes).toMatchObject([{ byName: 'Freelancer Ana' }])
  await caller.call(verbOf(revokeLink), { ids: [id] })
  await expect(send([checkInOf(here, entries[1])])).rejects.toMatchObject({ code: 'not-found' })
  await expect(day()).rejects.toMatchObject({ code: 'not-found' })
})

test('a run sheet link without check-in gives a phone the same answer as an unknown one', async () => {
  const here = await morning()
  const { day, send } = await linked(here, false)
  await expect(day()).rejects.toMatchObject({ details: { reason: 'shared_link_over' } })
  await expect(send([checkInOf(here, here.entries[0])])).rejects.toMatchObject({
    details: { reason: 'shared_link_over' },
  })
})

test('a phone knows what the organization calls late and dials in danger', async () => {
  const { caller, guide, day } = await morning()
  expect(day.organization).toMatchObject({ onTimeToleranceMin: 5, atRiskMin: 45, emergencyNumber: null })
  await caller.transaction((tx) =>
    sql`update org_settings set on_time_tolerance_minutes = 8, tour_rules = '{"atRiskMin": 20}', general = '{"emergencyNumber": "102"}'
      where org_id = ${caller.orgId}`.execute(tx),
  )
  expect((await guide.call(verbOf(getDutyDay), {})).organization).toMatchObject({
    onTimeToleranceMin: 8,
    atRiskMin: 20,
    emergencyNumber: '102',
  })
})

test('what was written about the revisions since the one seen is on the phone, until they are seen', async () => {
  const { caller, guide, tourId, departureId, send } = await morning()
  await send([{ kind: 'seen', ...stamp(), departureId }])
  const notes = async () => (await guide.call(verbOf(getDutyDay), {})).departures[0]?.assignment?.changeNotes
  expect(await notes()).toEqual([])
  await caller.transaction(async (tx) => {
    for (const [number, note] of [
      [2, 'Lunch is at Geysir.'],
      [3, ' '],
      [4, 'Kerið is left out.'],
      [5, 'Not applied here.'],
    ] as const) {
      const id = newId()
      await sql`insert into tour_revisions (org_id, id, tour_id, number, note, content, published_at, published_by)
        select org_id, ${id}, tour_id, ${number}, ${note}, content, published_at, published_by from tour_revisions
        where org_id = ${caller.orgId} and tour_id = ${tourId} and number = 1`.execute(tx)
      if (number < 5) await sql`update departures set revision_id = ${id} where id = ${departureId}`.execute(tx)
    }
  })
  expect(await notes()).toEqual(['Lunch is at Geysir.', 'Kerið is left out.'])
  await send([{ kind: 'seen', ...stamp(), departureId }])
  expect(await notes()).toEqual([])
})

test('a receipt that arrives late is for the revision that was on the phone, and never replaces a newer one', async () => {
  const { caller, tourId, departureId, send, departure } = await morning()
  for (const number of [2, 3]) {
    await caller.transaction(async (tx) => {
      const id = newId()
      await sql`insert into tour_revisions (org_id, id, tour_id, number, content, published_at, published_by)
        select org_id, ${id}, tour_id, ${number}, content, published_at, published_by from tour_revisions
        where org_id = ${caller.orgId} and tour_id = ${tourId} and number = 1`.execute(tx)
      await sql`update departures set revision_id = ${id} where id = ${departureId}`.execute(tx)
    })
  }
  const seenAfter = async (revisionNumber: number | null) => {
    expect(outcomesOf(await send([{ kind: 'seen', ...stamp(), departureId, revisionNumber }]))).toEqual([
      ['done', null],
    ])
    return (await departure()).crew[0]?.seenVersion
  }
  expect(await seenAfter(2)).toBe(2)
  expect(await seenAfter(1)).toBe(2)
  expect(await seenAfter(null)).toBe(3)
  expect(await seenAfter(9)).toBe(3)
})

test('who was marked as having left early by mistake is on tour again', async () => {
  const here = await morning()
  const { clock, send, departureId, entries, guide } = here
  const [entryId = ''] = entries
  await send([board(here), ...entries.map((id) => checkInOf(here, id))])
  clock.set(new Date(minutes(61)))
  await send([{ kind: 'headcount', ...stamp(minutes(60)), departureId, counted: 3 }, board(here, 'in_progress')])
  const guest = (to: Kind<'guest'>['to']): NewDutyEvent => ({ kind: 'guest', ...stamp(), departureId, entryId, to })
  const outcomes = outcomesOf(await send([guest('left_early'), guest('on_tour')]))
  expect(outcomes).toEqual([
    ['done', null],
    ['done', null],
  ])
  const { groups } = await guide.call(verbOf(getManifest), { departureId })
  const found = groups.flatMap(({ parties }) => parties.flatMap((one) => one.entries)).find(({ id }) => id === entryId)
  expect(found?.status).toBe('on_tour')
})
