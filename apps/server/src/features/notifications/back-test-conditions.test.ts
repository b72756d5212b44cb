import { type GuestEvent, guestEvents, setGuestRule } from '@tour-ops/contract/notifications/guest-rules'
import { noConditions, type RuleConditions } from '@tour-ops/contract/notifications/rule-conditions'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { verbsOf } from '../../../testing/verbs.ts'
import {
  allTests,
  backTest,
  type Counts,
  days,
  reminders,
  ruleOffice,
  written,
} from '../../../testing/weeks-of-chance.ts'
import { type TestCaller, testDatabase, type TestWorld } from '../../../testing/world.ts'
import { guestRuleVerbs } from './guest-rules-service.ts'

let world: TestWorld
beforeAll(async () => {
  world = await testDatabase()
})
afterAll(() => world.close())

const verbOf = verbsOf(guestRuleVerbs)

/** Messages and occasions with the party as it was noted, which is otherwise than the audit log has it of that time. */
const notedOtherwise = async (caller: TestCaller) => {
  const { rows } = await caller.transaction((tx) =>
    sql`select from (
        select subject_id as booking, created_at as at, pax, owes from messages where rule_id is not null
        union all select booking_id::text, at, pax, owes from guest_occasions) n
      join bookings b on b.id::text = n.booking cross join lateral booking_at(b, n.at) was
      where (n.pax, n.owes) is distinct from (was.pax, due_minor(was) > 0)`.execute(tx),
  )
  return rows.length
}

/** A week of sales in which parties pay and change their seats, for an office whose rules of some events have conditions. */
async function week(seed: number, conditions = noConditions, events: readonly GuestEvent[] = guestEvents) {
  const office = await ruleOffice(world)
  for (const event of events) await office.caller.call(verbOf(setGuestRule), { event, conditions })
  await days(seed, office, true)
  return office.caller
}

// who was not told of the booking, or of a change, needs a reminder more often
const others = guestEvents.filter((event) => !reminders.includes(event))
const ofOthers = (counts: Counts): Counts => Object.fromEntries(others.map((event) => [event, counts[event]]))
const conditionsCount = (caller: TestCaller, conditions: RuleConditions) => allTests(caller, others, { conditions })

test(
  'over weeks of chance in which parties pay and change, a rule says what one with other conditions has written',
  { timeout: 400_000 },
  async () => {
    const tried = [
      [1, { atLeast: 2, atMost: 3, owes: 'something' }],
      [4, { ...noConditions, owes: 'nothing' }],
    ] as const satisfies [number, RuleConditions][]
    const all = new Map<number, TestCaller>()
    for (const [seed, conditions] of tried) {
      const everybody = all.get(seed) ?? (await week(seed))
      all.set(seed, everybody)
      const known = await written(everybody)
      const limited = await week(seed, conditions)
      const some = await written(limited)
      expect(some, JSON.stringify(conditions)).not.toEqual(known)
      expect(await allTests(limited)).toEqual(some)
      // as it was filled in for what is older than the notes
      expect([await notedOtherwise(everybody), await notedOtherwise(limited)]).toEqual([0, 0])
      expect(await conditionsCount(everybody, conditions)).toEqual(ofOthers(some))
      expect(await conditionsCount(limited, noConditions)).toEqual(ofOthers(known))
    }
  },
)

test.each(reminders)(
  '%s counts whom it would have reached by what they owed at its hour',
  { timeout: 400_000 },
  async (event) => {
    const conditions = { ...noConditions, owes: 'something' } as const
    const [all, limited] = [await week(3), await week(3, conditions, [event])]
    const [known, some] = [await written(all), await written(limited)]
    expect(some[event]).toBeGreaterThan(0)
    expect(some[event]).toBeLessThan(known[event] ?? 0)
    expect(await backTest(all, event, undefined, { conditions })).toBe(some[event])
    expect(await backTest(limited, event)).toBe(some[event])
    expect(await backTest(limited, event, undefined, { conditions: noConditions })).toBe(known[event])
  },
)
