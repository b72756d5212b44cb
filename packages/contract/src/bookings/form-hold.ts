import * as z from 'zod/mini'
import { Count, Instant } from '../fields.ts'

/** Seats that somebody is about to sell. Apart from the callables, since every board reads departures, and none of them sells. */
export const FormHold = z.object({
  /** Null where the person has no name. */
  byName: z.nullable(z.string()),
  seats: Count,
  until: Instant,
})
export type FormHold = z.output<typeof FormHold>
