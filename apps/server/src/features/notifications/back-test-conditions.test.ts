import { type GuestEvent, guestEvents, setGuestRule } from '@tour-ops/contract/notifications/guest-rules'
import { noConditions, type RuleConditions } from '@tour-ops/contract/notifications/rule-conditions'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { verbsOf } from '../../../testing/verbs.ts'
import { allTests, backTest, type Counts, days, ruleOffice, written } from '../../../testing/weeks-of-chance.ts'
import { type TestCaller, testDatabase, type TestWorld } from '../../../testing/world.ts'
import { guestRuleVerbs } from './guest-rules-service.ts'

let world: TestWorld
beforeAll(async () => {
  world = await testDatabase()
})
afterAll(() => world.close())

const verbOf = verbsOf(guestRuleVerbs)

/** A week of sales in which parties pay and change their seats, for an office whose rules of some events have conditions. */
async function week(seed: number, conditions = noConditions, events: readonly GuestEvent[] = guestEvents) {
  const office = await ruleOffice(world)
  for (const event of events) await office.caller.call(verbOf(setGuestRule), { event, conditions })
  await days(seed, office, true)
  return office.caller
}

// who was not told of the booking, or of a change, needs a reminder more often
const others = guestEvents.filter((event) => event !== 'pickup_reminder')
const ofOthers = ({ pickup_reminder: _, ...counts }: Counts): Counts => counts
const conditionsCount = (caller: TestCaller, conditions: RuleConditions) => allTests(caller, others, { conditions })

test(
  'over weeks of chance in which parties pay and change, a rule says what one with other conditions has written',
  { timeout: 400_000 },
  async () => {
    const tried = [
      [1, { ...noConditions, atLeast: 3 }],
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
      expect(await conditionsCount(everybody, conditions)).toEqual(ofOthers(some))
      expect(await conditionsCount(limited, noConditions)).toEqual(ofOthers(known))
    }
  },
)

test('a reminder counts whom it would have reminded by what they owed at its hour', { timeout: 400_000 }, async () => {
  const conditions = { ...noConditions, owes: 'something' } as const
  const [all, limited] = [await week(3), await week(3, conditions, ['pickup_reminder'])]
  const [known, some] = [await written(all), await written(limited)]
  expect(some.pickup_reminder).toBeGreaterThan(0)
  expect(some.pickup_reminder).toBeLessThan(known.pickup_reminder ?? 0)
  expect(await backTest(all, 'pickup_reminder', undefined, { conditions })).toBe(some.pickup_reminder)
  expect(await backTest(limited, 'pickup_reminder')).toBe(some.pickup_reminder)
  expect(await backTest(limited, 'pickup_reminder', undefined, { conditions: noConditions })).toBe(
    known.pickup_reminder,
  )
})
