import * as z from 'zod/mini'
import { Count, Instant } from '../fields.ts'
import { runningStatuses } from '../state-machines.ts'
import { sharedHead } from './shared-parts.ts'

/** Departures that one map shows at most. */
export const maxOnMap = 500

/** The departures that are out now, for a wall screen or a partner: no names of guests or crew, and no phones of either. */
export const SharedMap = z.strictObject({
  kind: z.literal('live_map'),
  ...sharedHead,
  /** The office's. */
  timeZone: z.string(),
  /** Null where all tours are shown. */
  tourName: z.nullable(z.string()),
  /** Up to here the organization calls it on time, minutes. */
  onTimeToleranceMin: Count,
  departures: z.array(
    z.strictObject({
      code: z.string(),
      tourName: z.string(),
      status: z.enum(runningStatuses),
      startsAt: Instant,
      timeZone: z.string(),
      delaySeconds: z.int(),
      /** Where they are, or come next and when; null where the link does not show it, and on the way back. */
      next: z.nullable(
        z.strictObject({
          name: z.string(),
          at: Instant,
          isHere: z.boolean(),
          /** Null where the link does not show places. */
          lat: z.nullable(z.number()),
          lng: z.nullable(z.number()),
        }),
      ),
      /** As on the guest's page: a while ago, in the middle of a circle of this many meters. */
      position: z.nullable(z.strictObject({ lat: z.number(), lng: z.number(), radiusM: Count, seenAt: Instant })),
    }),
  ),
  /** What starts next, where nothing is out. */
  upcoming: z.nullable(z.strictObject({ tourName: z.string(), startsAt: Instant, timeZone: z.string() })),
})
export type SharedMap = z.output<typeof SharedMap>
