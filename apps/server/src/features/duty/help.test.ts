import {
  getDutyDay,
  getLinkedDutyDay,
  type NewDutyEvent,
  sendDutyEvents,
  sendLinkedDutyEvents,
} from '@tour-ops/contract/duty/duty-phone'
import { createLink } from '@tour-ops/contract/links/links'
import { acknowledgeAlert, getAlert, listAlerts, resolveAlert, snoozeAlert } from '@tour-ops/contract/monitoring/alerts'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { notices } from '../../../testing/inbox.ts'
import { addDeparture, assignGuide, officeWithTour } from '../../../testing/operations.ts'
import { verbsOf } from '../../../testing/verbs.ts'
import { testDatabase, type TestWorld } from '../../../testing/world.ts'
import { newId } from '../../platform/ids.ts'
import { execute } from '../../platform/verb.ts'
import { allVerbs } from '../../verbs.ts'

// A guide, or a freelancer with a link, calls for help from the phone: the office hears of it at once, and the phone of what became of it.

const verbOf = verbsOf(allVerbs)

let world: TestWorld
beforeAll(async () => {
  world = await testDatabase()
})
afterAll(() => world.close())

const start = new Date('2030-07-14T08:00:00Z')
const after = (seconds: number): Date => new Date(start.getTime() + seconds * 1000)
const here = { lat: 64.1406, lng: -21.9127, at: start.toISOString() }
const stamp = (at = start) => ({ id: newId(), at: at.toISOString() })

async function tourOut() {
  const office = await officeWithTour(world, start)
  const { caller, clock, tourId } = office
  const departureId = await addDeparture(caller, tourId)
  const staffId = await assignGuide(caller, departureId)
  const guide = await world.as('guide', { orgId: caller.orgId, staffId, clock })
  const dispatcher = await world.as('dispatcher', { orgId: caller.orgId, clock })
  const viewer = await world.as('viewer', { orgId: caller.orgId, clock })
  const send = (...events: NewDutyEvent[]) =>
    guide.call(verbOf(sendDutyEvents), { sentAt: clock.now().toISOString(), events })
  const standing = async () => (await guide.call(verbOf(getDutyDay), {})).help
  const calls = async () => (await caller.call(verbOf(listAlerts), {})).rows.filter(({ kind }) => kind === 'sos')
  const theCall = async () => {
    const [alert] = await calls()
    if (!alert) throw new Error('Nobody called.')
    return caller.call(verbOf(getAlert), { id: alert.id })
  }
  const told = async (who = dispatcher) => (await notices(world, who)).map(({ title }) => title)
  return { ...office, departureId, staffId, guide, dispatcher, viewer, send, standing, calls, theCall, told }
}

const outcomesOf = (answer: { outcomes: readonly { outcome: string }[] }) =>
  answer.outcomes.map(({ outcome }) => outcome)

test('a call for help is a critical alert with place and caller, whoever deals with alerts is told at once, and nobody else', async () => {
  const { send, standing, theCall, told, dispatcher, viewer, guide, staffId, departureId } = await tourOut()
  expect(await standing()).toBeNull()
  expect(outcomesOf(await send({ kind: 'help', ...stamp(), departureId, place: here }))).toEqual(['done'])
  const alert = await theCall()
  expect(alert).toMatchObject({
    kind: 'sos',
    severity: 'critical',
    status: 'open',
    departure: { id: departureId },
    contact: { id: staffId },
    place: { lat: here.lat, lng: here.lng, at: here.at },
    evidence: { calledAt: start.toISOString() },
  })
  // whoever watches finds them, without the right to look into where people have been
  expect((await dispatcher.call(verbOf(getAlert), { id: alert.id })).place).toMatchObject({
    lat: here.lat,
    lng: here.lng,
  })
  const [title] = await told()
  expect(await told()).toHaveLength(1)
  expect(title).toMatch(/calls for help$/)
  expect(await told(viewer)).toEqual([])
  expect(await told(guide)).toEqual([])
  expect(await standing()).toEqual({ calledAt: start.toISOString(), takenBy: null, overAt: null, closedAt: null })
})

test('where the phone is comes after the call, the caller reads who takes it, says when it is over, and the office closes it', async () => {
  const { caller, clock, dispatcher, send, standing, theCall, departureId } = await tourOut()
  expect(outcomesOf(await send({ kind: 'help_place', ...stamp(), place: here }))).toEqual(['met'])
  await send({ kind: 'help', ...stamp(), departureId, place: null })
  expect((await theCall()).place).toBeNull()
  await send({ kind: 'help_place', ...stamp(after(20)), place: here })
  expect((await theCall()).place).toMatchObject({ lat: here.lat, lng: here.lng })
  const { id, version } = await theCall()
  await dispatcher.call(verbOf(acknowledgeAlert), { id, version })
  expect((await standing())?.takenBy).toBe('Test dispatcher')
  clock.set(after(300))
  await send({ kind: 'help_over', ...stamp(after(290)) })
  const over = await theCall()
  expect(over).toMatchObject({ status: 'acknowledged', evidence: { over: after(290).toISOString() } })
  expect(await standing()).toMatchObject({ overAt: after(290).toISOString(), closedAt: null })
  await caller.call(verbOf(resolveAlert), { id, version: over.version, resolution: 'manual', reason: 'Fine again' })
  expect((await standing())?.closedAt).toBe(after(300).toISOString())
  clock.set(after(3 * 60 * 60))
  expect(await standing()).toBeNull()
})

test('a place that the phone knew before keeps its time, and is not shown any more once the call is closed', async () => {
  const { caller, dispatcher, send, theCall, departureId } = await tourOut()
  // of a phone whose clock is an hour ahead
  const [tappedAt, seenAt] = [after(3600), after(3600 - 900)].map((time) => time.toISOString())
  const place = { lat: here.lat, lng: here.lng, at: seenAt ?? '' }
  await send({ kind: 'help', id: newId(), at: tappedAt ?? '', departureId, place })
  const { id, version, place: seen } = await theCall()
  expect(seen?.at).toBe(after(-900).toISOString())
  await caller.call(verbOf(resolveAlert), { id, version, resolution: 'manual', reason: 'Fine again' })
  expect((await dispatcher.call(verbOf(getAlert), { id })).place).toBeNull()
})

test('called again after somebody took it, a call is nobody’s, waits from then on and escalates anew', async () => {
  const { caller, clock, dispatcher, send, theCall, departureId } = await tourOut()
  await send({ kind: 'help', ...stamp(), departureId, place: null })
  const { id, version } = await theCall()
  await caller.transaction((tx) => sql`update alerts set escalation_level = 2 where id = ${id}`.execute(tx))
  await dispatcher.call(verbOf(acknowledgeAlert), { id, version: version + 1 })
  clock.set(after(3600))
  await send({ kind: 'help', ...stamp(after(3600)), departureId, place: null })
  expect(await theCall()).toMatchObject({
    status: 'open',
    owner: null,
    escalationLevel: 0,
    openedAt: after(3600).toISOString(),
  })
})

test('who calls again is one alert, which is back on the board and told of again, but not for each press', async () => {
  const { clock, dispatcher, send, calls, theCall, told, departureId } = await tourOut()
  const call = (at: Date) => {
    clock.set(at)
    return send({ kind: 'help', ...stamp(at), departureId, place: null })
  }
  await call(start)
  await call(after(5))
  expect(await told()).toHaveLength(1)
  const { id, version } = await theCall()
  await dispatcher.call(verbOf(snoozeAlert), { id, version, until: after(3600).toISOString() })
  await send({ kind: 'help_over', ...stamp(after(60)) })
  await call(after(120))
  expect(await calls()).toHaveLength(1)
  const again = await theCall()
  expect(again).toMatchObject({ id, status: 'open', snoozedUntil: null, evidence: { again: after(120).toISOString() } })
  expect(again.evidence).not.toHaveProperty('over')
  expect(await told()).toHaveLength(2)
})

test('a call is taken whatever departure it names, and written once however often it is sent', async () => {
  const { caller, clock, tourId, send, calls, staffId } = await tourOut()
  const notOwn = await addDeparture(caller, tourId, { startTimeLocal: '12:00' })
  const event = { kind: 'help', ...stamp(), departureId: notOwn, place: null } as const
  expect(outcomesOf(await send(event))).toEqual(['done'])
  clock.set(after(600))
  await send(event)
  const [alert, ...others] = await calls()
  expect(others).toEqual([])
  expect(alert).toMatchObject({ departure: null, subjectType: 'staff', subjectId: staffId })
  expect(alert?.evidence).not.toHaveProperty('again')
  // not even a departure that there is not
  expect(outcomesOf(await send({ kind: 'help', ...stamp(), departureId: newId(), place: null }))).toEqual(['done'])
})

test('a freelancer with a run sheet link calls for help and reads what became of it; another one reads nothing of that', async () => {
  const { caller, clock, departureId, calls, standing, told } = await tourOut()
  const phoneOf = async (label: string) => {
    const { token } = await caller.call(verbOf(createLink), {
      kind: 'staff_runsheet',
      subjectId: departureId,
      label,
      scopes: { checkin: true },
    })
    const services = { ...world.services, clock }
    const request = { requestId: newId(), ip: null, signal: new AbortController().signal }
    return {
      day: () => execute(services, request, null, verbOf(getLinkedDutyDay), { token }),
      send: (...events: NewDutyEvent[]) =>
        execute(services, request, null, verbOf(sendLinkedDutyEvents), { token, sentAt: start.toISOString(), events }),
    }
  }
  const [ana, ben] = [await phoneOf('Freelancer Ana'), await phoneOf('Freelancer Ben')]
  await ana.send({ kind: 'help', ...stamp(), departureId, place: here })
  expect(await calls()).toMatchObject([{ evidence: { by: 'Freelancer Ana' }, departure: { id: departureId } }])
  expect(await told()).toEqual(['Freelancer Ana calls for help'])
  expect((await ana.day()).help).toMatchObject({ takenBy: null })
  expect((await ben.day()).help).toBeNull()
  expect(await standing()).toBeNull()
  // nobody ends the call of another
  await ben.send({ kind: 'help_over', ...stamp() })
  expect((await calls())[0]?.evidence).not.toHaveProperty('over')
})

test('where somebody called from is kept with the call and nowhere else', async () => {
  const { caller, clock, send, departureId } = await tourOut()
  await send({ kind: 'help', ...stamp(), departureId, place: here }, { kind: 'help_place', ...stamp(), place: here })
  const { rows } = await caller.transaction((tx) =>
    sql<{ event: object }>`select event from duty_events where org_id = ${caller.orgId} order by kind`.execute(tx),
  )
  expect(rows.map(({ event }) => event)).toEqual([{ departureId }, {}])
  // not even of a call that comes too late to be taken
  clock.set(after(80 * 60 * 60))
  expect(outcomesOf(await send({ kind: 'help', ...stamp(), departureId, place: here }))).toEqual(['refused'])
  const { rows: all } = await caller.transaction((tx) =>
    sql<{ text: string }>`select event::text as text from duty_events where org_id = ${caller.orgId}`.execute(tx),
  )
  expect(all.filter(({ text }) => text.includes('64.1406'))).toEqual([])
})
