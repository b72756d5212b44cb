import { recordPayment } from '@tour-ops/contract/bookings/payments'
import { reviseBooking } from '@tour-ops/contract/bookings/revise'
import { backTestGuestRule, listGuestRules, setGuestRule } from '@tour-ops/contract/notifications/guest-rules'
import { noConditions, type RuleConditions } from '@tour-ops/contract/notifications/rule-conditions'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { move } from '../../../testing/bookings.ts'
import { withoutQuietHours } from '../../../testing/guest-mail.ts'
import { addDeparture, book, coreVerbOf, officeWithTour } from '../../../testing/operations.ts'
import { verbsOf } from '../../../testing/verbs.ts'
import { type TestCaller, testDatabase, type TestWorld } from '../../../testing/world.ts'
import { guestRuleVerbs } from './guest-rules-service.ts'
import { remindGuests } from './remind-guests.ts'

let world: TestWorld
beforeAll(async () => {
  world = await testDatabase()
})
afterAll(() => world.close())

const verbOf = verbsOf(guestRuleVerbs)
const contact = { name: 'Ana López', email: 'ana@example.com' }
const when = (conditions: Partial<RuleConditions>): RuleConditions => ({ ...noConditions, ...conditions })

async function desk() {
  const office = await officeWithTour(world, new Date('2030-07-10T08:00:00Z'))
  await withoutQuietHours(office.caller)
  const departureId = await addDeparture(office.caller, office.tourId, { localDate: '2030-07-15' })
  return { ...office, departureId }
}

const kinds = async (caller: TestCaller, bookingId: string) => {
  const { rows } = await caller.transaction((tx) =>
    sql<{ kind: string }>`select kind from messages where subject_id = ${bookingId} order by created_at, id`.execute(
      tx,
    ),
  )
  return rows.map(({ kind }) => kind)
}

const pay = (caller: TestCaller, { id, amountTotalMinor }: { id: string; amountTotalMinor: number }) =>
  caller.call(coreVerbOf(recordPayment), {
    bookingId: id,
    kind: 'payment',
    method: 'cash',
    amountMinor: amountTotalMinor,
  })

test('a rule for parties of a size tells those, and counts back what another size would have been told', async () => {
  const { caller, departureId } = await desk()
  const event = 'booking_confirmed' as const
  const told = async (pax: number) => kinds(caller, (await book(caller, departureId, pax, { contact })).id)
  const set = (conditions: RuleConditions) => caller.call(verbOf(setGuestRule), { event, conditions })
  await set(when({ atLeast: 3 }))
  expect([await told(2), await told(3)]).toEqual([[], [event]])
  await set(when({ atMost: 2 }))
  expect([await told(2), await told(3)]).toEqual([[event], []])
  await set(when({ atLeast: 2, atMost: 2 }))
  expect([await told(1), await told(2), await told(3)]).toEqual([[], [event], []])
  const counted = async (conditions?: RuleConditions) =>
    (await caller.call(verbOf(backTestGuestRule), { event, conditions })).written7d
  expect(await counted()).toBe(3)
  expect(await counted(noConditions)).toBe(7)
  expect(await counted(when({ atLeast: 3 }))).toBe(3)
  expect(await counted(when({ atLeast: 4 }))).toBe(0)
})

test('who pays before the reminder does not owe any more; what was so then stays counted', async () => {
  const { caller, clock, departureId } = await desk()
  const event = 'pickup_reminder' as const
  await caller.call(verbOf(setGuestRule), { event, conditions: when({ owes: 'something' }) })
  const sale = { contact, tellGuest: false }
  const [owes, paid, later] = [
    await book(caller, departureId, 1, sale),
    await book(caller, departureId, 1, sale),
    await book(caller, departureId, 1, sale),
  ]
  // an agent pays: its guest owes nothing
  const invoiced = await book(caller, departureId, 1, { ...sale, isOnAgentCredit: true })
  await pay(caller, paid)
  clock.set(new Date('2030-07-14T18:00:00Z'))
  for (let twice = 0; twice < 2; twice += 1) await remindGuests({ ...world.services, clock })
  clock.set(new Date('2030-07-14T19:00:00Z'))
  await pay(caller, later)
  expect(await Promise.all([owes, paid, later, invoiced].map(({ id }) => kinds(caller, id)))).toEqual([
    [event],
    [],
    [event],
    [],
  ])
  const counted = async (due: RuleConditions['owes']) =>
    (await caller.call(verbOf(backTestGuestRule), { event, conditions: when({ owes: due }) })).written7d
  expect([await counted('any'), await counted('something'), await counted('nothing')]).toEqual([4, 2, 2])
})

test('the size counts when the message would be written, and is noted as it was then', async () => {
  const { caller, clock, tourId, departureId } = await desk()
  const event = 'booking_changed' as const
  await caller.call(verbOf(setGuestRule), { event, conditions: when({ atLeast: 3 }) })
  const laterId = await addDeparture(caller, tourId, { localDate: '2030-07-16' })
  const small = await book(caller, departureId, 2, { contact })
  const { parties } = await move(caller, [small], laterId)
  expect(await kinds(caller, small.id)).toEqual(['booking_confirmed'])
  clock.set(new Date('2030-07-10T09:00:00Z'))
  const [moved] = parties
  if (!moved) throw new Error('The party has moved')
  const units = [{ unitType: 'adult' as const, quantity: 3 }]
  await caller.call(coreVerbOf(reviseBooking), { id: moved.id, version: moved.version, units })
  expect(await kinds(caller, small.id)).toEqual(['booking_confirmed', event])
  const counted = async (conditions: RuleConditions) =>
    (await caller.call(verbOf(backTestGuestRule), { event, conditions })).written7d
  expect([await counted(when({ atMost: 2 })), await counted(when({ atLeast: 3 }))]).toEqual([1, 1])
})

test('conditions stay where something else is changed, and are of one organization', async () => {
  const [{ caller }, { caller: stranger }] = [await desk(), await desk()]
  const conditions = { atLeast: 6, atMost: 12, owes: 'something' } as const
  const event = 'pickup_reminder' as const
  await caller.call(verbOf(setGuestRule), { event, conditions })
  await caller.call(verbOf(setGuestRule), { event, isOn: false, setting: 7 })
  const ruleOf = async (of: TestCaller) =>
    (await of.call(verbOf(listGuestRules), {})).rules.find((rule) => rule.event === event)
  expect(await ruleOf(caller)).toMatchObject({ isOn: false, setting: 7, conditions })
  expect(await ruleOf(stranger)).toMatchObject({ isOn: true, conditions: noConditions })
})

test('sizes that nobody can have, and conditions that nobody knows, are refused by shape and by schema', async () => {
  const { caller } = await desk()
  const event = 'booking_confirmed' as const
  for (const [conditions, path, code] of [
    [when({ atLeast: 0 }), 'conditions.atLeast', 'too_small'],
    [when({ atMost: 1000 }), 'conditions.atMost', 'too_large'],
    [when({ atLeast: 6, atMost: 5 }), 'conditions.atMost', 'too_small'],
    [{ ...noConditions, language: 'en' }, 'conditions.language', 'not_belonging'],
    [{ ...noConditions, owes: 'all' }, 'conditions.owes', 'not_listed'],
  ] as const) {
    const given = { event, conditions: conditions as RuleConditions }
    const refused = { code: 'invalid-argument', details: { fieldIssues: { [path]: [{ code }] } } }
    await expect(caller.call(verbOf(setGuestRule), given)).rejects.toMatchObject(refused)
    await expect(caller.call(verbOf(backTestGuestRule), given)).rejects.toMatchObject(refused)
  }
  await caller.call(verbOf(setGuestRule), { event, conditions: when({ atLeast: 2 }) })
  for (const stored of [
    '{"language": "en"}',
    '{"atLeast": 0}',
    '{"atLeast": 1.5}',
    '{"atLeast": 3, "atMost": 2}',
    '[]',
  ])
    await expect(
      caller.transaction((tx) => sql`update notification_rules set conditions = ${stored}::jsonb`.execute(tx)),
    ).rejects.toThrow(/notification_rules_conditions_known/)
})
