import { createLink } from '@tour-ops/contract/links/links'
import { answerRollCall, getSharedPage } from '@tour-ops/contract/links/shared-page'
import { getAlert, listAlerts } from '@tour-ops/contract/monitoring/alerts'
import { getIncident, reportIncident, setIncidentStatus } from '@tour-ops/contract/monitoring/incidents'
import { askRollCall, recordRollCallAnswer } from '@tour-ops/contract/monitoring/roll-calls'
import type { Callable, In } from '@tour-ops/contract/callable'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { movableClock } from '../../platform/clock.ts'
import { guestOf } from '../../../testing/links.ts'
import { addDeparture, assignGuide, book, publishedTour } from '../../../testing/operations.ts'
import { notices } from '../../../testing/inbox.ts'
import { verbsOf } from '../../../testing/verbs.ts'
import { type TestCaller, testDatabase, type TestWorld } from '../../../testing/world.ts'
import { linksVerbs } from '../links/verbs.ts'
import { monitoringVerbs } from './verbs.ts'

let world: TestWorld
beforeAll(async () => {
  world = await testDatabase()
})
afterAll(() => world.close())

const verbOf = verbsOf([...monitoringVerbs, ...linksVerbs])
const clock = movableClock(new Date('2030-07-14T08:30:00Z'))

const asGuest = <C extends Callable>(callable: C, input: In<C>) => guestOf(world, clock)(callable, input)

async function incidentOnTour() {
  const caller = await world.as('operations_manager', { clock })
  const { tourId } = await publishedTour(caller)
  const departureId = await addDeparture(caller, tourId)
  const family = await book(caller, departureId, 2)
  const couple = await book(caller, departureId, 1)
  await assignGuide(caller, departureId)
  const { id } = await caller.call(verbOf(reportIncident), {
    category: 'medical',
    severity: 2,
    title: 'Guest unwell',
    departureId,
  })
  return { caller, departureId, family, couple, incidentId: id }
}

const linkTo = async (caller: TestCaller, kind: 'booking_guest' | 'departure_guest', subjectId: string) =>
  (await caller.call(verbOf(createLink), { kind, subjectId, label: 'For guests' })).token

const rollCallOf = async (caller: TestCaller, id: string) =>
  (await caller.call(verbOf(getIncident), { id })).rollCall ?? { people: [], question: null, askedByName: null }

test('everybody on the departure is asked, guests answer on their own link, and a call for help is an alert at once', async () => {
  const { caller, departureId, family, couple, incidentId } = await incidentOnTour()
  const token = await linkTo(caller, 'booking_guest', family.id)
  expect((await asGuest(getSharedPage, { token })).rollCall).toBeNull()
  expect(await caller.call(verbOf(askRollCall), { incidentId, question: 'A guest is unwell.' })).toMatchObject({
    people: 4,
  })
  const asked = await rollCallOf(caller, incidentId)
  expect(asked.people.map(({ answer, hasLink }) => `${answer} ${hasLink}`).toSorted()).toEqual([
    'no_answer false',
    'no_answer false',
    'no_answer true',
    'no_answer true',
  ])
  // crew come last
  expect(asked.people.map(({ travelerId }) => travelerId !== null)).toEqual([true, true, true, false])

  const { rollCall } = await asGuest(getSharedPage, { token })
  expect(rollCall).toMatchObject({ question: 'A guest is unwell.', people: [{ answer: null }, { answer: null }] })
  const [first, second] = rollCall?.people.map(({ id }) => id) ?? []
  if (!first || !second) throw new Error('The party of two is not asked.')
  await asGuest(answerRollCall, { token, people: [first, second], answer: 'safe' })
  expect(await asGuest(answerRollCall, { token, people: [second], answer: 'need_help' })).toMatchObject({
    people: expect.arrayContaining([expect.objectContaining({ id: second, answer: 'need_help' })]),
  })
  // answered twice, one alert
  await asGuest(answerRollCall, { token, people: [second], answer: 'need_help' })
  const answered = await rollCallOf(caller, incidentId)
  expect(answered.people.map(({ answer, answeredBy }) => `${answer} ${answeredBy}`)).toEqual([
    'need_help guest',
    'no_answer null',
    'no_answer null',
    'safe guest',
  ])
  const { rows } = await caller.call(verbOf(listAlerts), { filters: { departureId: [departureId] } })
  const help = rows.filter(({ kind }) => kind === 'sos')
  expect(help).toHaveLength(1)
  expect(await caller.call(verbOf(getAlert), { id: help[0]?.id ?? '' })).toMatchObject({
    severity: 'critical',
    status: 'open',
    incident: { id: incidentId },
  })

  // who taps wrongly says so on the board as well, and the office closes the call
  await asGuest(answerRollCall, { token, people: [second], answer: 'safe' })
  const corrected = await caller.call(verbOf(getAlert), { id: help[0]?.id ?? '' })
  expect(corrected).toMatchObject({ status: 'open', evidence: { over: clock.now().toISOString() } })
  await asGuest(answerRollCall, { token, people: [second], answer: 'need_help' })
  // the office is told at once, and once
  expect((await notices(world, caller)).map(({ link }) => link)).toEqual([`/tools/monitoring?alert=${help[0]?.id}`])

  // nobody answers for another party, and the link of a whole departure asks nobody
  const others = await linkTo(caller, 'booking_guest', couple.id)
  await expect(asGuest(answerRollCall, { token: others, people: [first], answer: 'safe' })).rejects.toMatchObject({
    code: 'not-found',
  })
  const open = await linkTo(caller, 'departure_guest', departureId)
  expect((await asGuest(getSharedPage, { token: open })).rollCall).toBeNull()
  await expect(asGuest(answerRollCall, { token: open, people: [first], answer: 'need_help' })).rejects.toMatchObject({
    code: 'not-found',
  })
  expect((await rollCallOf(caller, incidentId)).people.filter(({ answer }) => answer === 'need_help')).toHaveLength(1)
})

test('asked again, who has joined is added and answers stay; the office records what it hears and can undo it', async () => {
  const { caller, departureId, incidentId } = await incidentOnTour()
  await caller.call(verbOf(askRollCall), { incidentId })
  const [person] = (await rollCallOf(caller, incidentId)).people
  if (!person) throw new Error('Nobody is asked.')
  const saved = await caller.call(verbOf(recordRollCallAnswer), {
    id: person.id,
    version: person.version,
    answer: 'safe',
  })
  await expect(
    caller.call(verbOf(recordRollCallAnswer), { id: person.id, version: person.version, answer: 'need_help' }),
  ).rejects.toMatchObject({ code: 'aborted', details: { reason: 'version_conflict' } })
  await book(caller, departureId, 1)
  expect(await caller.call(verbOf(askRollCall), { incidentId, question: 'Once more.' })).toMatchObject({ people: 5 })
  const again = await rollCallOf(caller, incidentId)
  expect(again.question).toBe('Once more.')
  expect(again.people.find(({ id }) => id === person.id)).toMatchObject({ answer: 'safe', answeredBy: 'office' })
  await caller.call(verbOf(recordRollCallAnswer), { ...saved, answer: 'no_answer' })
  expect((await rollCallOf(caller, incidentId)).people.find(({ id }) => id === person.id)).toMatchObject({
    answer: 'no_answer',
    answeredAt: null,
    answeredBy: null,
  })
})

test('nobody is asked about an incident without a departure, nor after its end, and then guests are no longer asked', async () => {
  const { caller, family, incidentId } = await incidentOnTour()
  const token = await linkTo(caller, 'booking_guest', family.id)
  await caller.call(verbOf(askRollCall), { incidentId })
  let saved = { id: incidentId, version: 1 }
  for (const to of ['triaged', 'active', 'stabilised', 'resolved'] as const) {
    saved = await caller.call(verbOf(setIncidentStatus), { ...saved, to })
  }
  expect((await asGuest(getSharedPage, { token })).rollCall).toBeNull()
  await expect(caller.call(verbOf(askRollCall), { incidentId })).rejects.toMatchObject({
    details: { reason: 'roll_call_after_incident' },
  })
  const loose = await caller.call(verbOf(reportIncident), { category: 'weather', severity: 4, title: 'Storm' })
  await expect(caller.call(verbOf(askRollCall), { incidentId: loose.id })).rejects.toMatchObject({
    details: { reason: 'roll_call_without_departure' },
  })
})
