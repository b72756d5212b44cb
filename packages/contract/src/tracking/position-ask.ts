import * as z from 'zod/mini'
import { callable } from '../callable.ts'
import { Id, Instant, write } from '../fields.ts'
import { askRefusals } from './ask-terms.ts'

export const PositionAsk = z.object({
  /** The last time in this duty; null before the first. */
  askedAt: z.nullable(Instant),
  /** Of the newest position, where it was taken after that; null until there is one. */
  answeredAt: z.nullable(Instant),
  /** Why nobody can be asked now; null where somebody can. */
  because: z.nullable(z.enum(askRefusals)),
})
export type PositionAsk = z.output<typeof PositionAsk>

export const getPositionAsk = callable({
  name: 'tracking-ask-get',
  kind: 'read',
  permission: 'departures:dispatch',
  summary: 'Whether somebody can be asked where they are, when they last were, and whether their phone has answered.',
  input: z.object({ staffId: Id }),
  output: PositionAsk,
  topics: ['devices', 'duty_sessions', 'field_staff'],
})

export const askPosition = callable({
  name: 'tracking-ask',
  kind: 'write',
  permission: 'departures:dispatch',
  summary:
    'Asks the phone of somebody on duty where it is now. Asked again within half a minute, it is the same question.',
  input: write({ staffId: Id }),
  output: PositionAsk,
  writes: ['duty_sessions'],
})
