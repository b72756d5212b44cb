import * as z from 'zod/mini'
import { Count, Id, Instant, OpaqueId } from '../fields.ts'

export const DepartureRef = z.object({
  id: Id,
  code: z.string(),
  tourName: z.string(),
  startsAt: Instant,
  timeZone: z.string(),
  /** Seats confirmed. */
  guests: Count,
  vehicleName: z.nullable(z.string()),
})

export const MemberRef = z.object({ userId: OpaqueId, name: z.string() })
