import * as z from 'zod/mini'
import { stopSources } from '../departures/run-sheet.ts'
import { Instant } from '../fields.ts'

/** What is known of the phones on a departure. */
export const lastSignal = {
  /** Where no signal is expected on the way ahead: until about when. */
  quietUntil: z.nullable(Instant),
  /** Of the newest position of crew or vehicle, and the battery of the device that sent it. */
  lastFixAt: z.nullable(Instant),
  batteryPct: z.nullable(z.number()),
}

/**
 * What the time of the next stop rests on, and of when that is: where they were seen (`gps`), or the last mark of a stop. Null where nothing but
 * the plan is known.
 */
export const EstimateBasis = z.nullable(z.object({ source: z.enum(stopSources), at: Instant }))
export type EstimateBasis = z.output<typeof EstimateBasis>
