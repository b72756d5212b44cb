import * as z from 'zod/mini'
import { whole } from '../fields.ts'

/** Guests that a condition can name. */
export const maxConditionPax = 999

/** Whether something is due of a booking: any, only where it is, only where it is not. */
export const dueConditions = ['any', 'something', 'nothing'] as const
export type DueCondition = (typeof dueConditions)[number]

const Pax = z.nullable(whole(1, maxConditionPax))

/** What has to be so of a party when a rule would write to it. A limit of null is none. An unknown condition is refused, since it would not be asked. */
export const RuleConditions = z
  .strictObject({ atLeast: Pax, atMost: Pax, owes: z.enum(dueConditions) })
  .check(({ value: { atLeast, atMost }, issues }) => {
    if (atLeast !== null && atMost !== null && atMost < atLeast)
      issues.push({
        code: 'custom',
        message: 'too_small',
        params: { min: atLeast },
        path: ['atMost'],
        input: atMost,
        continue: true,
      })
  })
export type RuleConditions = z.output<typeof RuleConditions>

export const noConditions: RuleConditions = { atLeast: null, atMost: null, owes: 'any' }

export const isUnconditional = ({ atLeast, atMost, owes }: RuleConditions): boolean =>
  atLeast === null && atMost === null && owes === 'any'
