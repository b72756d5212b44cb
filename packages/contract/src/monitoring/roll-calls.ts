import * as z from 'zod/mini'
import { callable } from '../callable.ts'
import { Count, Id, Instant, optionalText, Saved, Version, write } from '../fields.ts'

/** What the message that asks guests is called in the log. */
export const rollCallMessage = 'roll_call'

export const rollCallAnswers = ['need_help', 'no_answer', 'safe'] as const

/** Who of a departure is safe: one for each incident. */
export const RollCall = z.object({
  id: Id,
  /** What guests read under "Are you safe?"; null asks nothing more. */
  question: z.nullable(z.string()),
  askedAt: Instant,
  askedByName: z.nullable(z.string()),
  people: z.array(
    z.object({
      id: Id,
      version: Version,
      name: z.string(),
      /** Null for crew. */
      travelerId: z.nullable(Id),
      answer: z.enum(rollCallAnswers),
      answeredAt: z.nullable(Instant),
      /** Null while nobody answered. */
      answeredBy: z.nullable(z.enum(['guest', 'office'])),
      /** Whether a link of their booking is open, on which they can answer themselves. */
      hasLink: z.boolean(),
    }),
  ),
})

export type RollCall = z.output<typeof RollCall>

/** Whether parties are written to, with the page on which they answer. */
export const isTold = z._default(z.boolean(), true)
/** Parties that were. */
export const written = Count

export const askRollCall = callable({
  name: 'roll-calls-ask',
  kind: 'write',
  permission: 'incidents:manage',
  summary:
    "Asks everybody on the incident's departure whether they are safe, and writes to those who have not answered. Repeated, it adds people who have joined and keeps earlier answers.",
  input: write({ incidentId: Id, question: optionalText(300), isTold }),
  output: z.object({ id: Id, people: Count, written }),
  writes: ['deliveries', 'messages', 'roll_call_responses', 'roll_calls'],
})

export const recordRollCallAnswer = callable({
  name: 'roll-calls-record',
  kind: 'write',
  permission: 'incidents:manage',
  summary: 'Records an answer given on the phone or to the guide.',
  input: write({ id: Id, version: Version, answer: z.enum(rollCallAnswers) }),
  output: Saved,
  writes: ['roll_call_responses'],
})
