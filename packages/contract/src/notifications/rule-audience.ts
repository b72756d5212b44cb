import * as z from 'zod/mini'
import { Channel } from '../bookings/channels.ts'
import { Id } from '../fields.ts'

/** Tours that a rule can name. */
export const maxAudienceTours = 200

/** Guests whom a rule is for, by their booking. An empty list is no limit. */
export const RuleAudience = z.object({
  tourIds: z.array(Id).check(z.maxLength(maxAudienceTours)),
  channels: z.array(Channel).check(z.maxLength(20)),
})
export type RuleAudience = z.output<typeof RuleAudience>

export const everybody: RuleAudience = { tourIds: [], channels: [] }

export const isEverybody = ({ tourIds, channels }: RuleAudience): boolean =>
  tourIds.length === 0 && channels.length === 0
