import { inTurns, insideOrganization } from '../../platform/jobs/housekeeping.ts'
import type { Services } from '../../context.ts'
import type { SeatCall } from '../../platform/operations/seat-call.ts'

/** What writing to guests by itself needs. */
export type TellingServices = Pick<Services, 'db' | 'clock' | 'log' | 'jobs' | 'channels'>

/** Departures that are looked at together. */
export const departuresAtOnce = 200
/** Bookings of one transaction, which holds up sales of their departure. */
export const bookingsAtOnce = 25

/**
 * Writes to the bookings of a departure, a few in each transaction: a kill repeats none of them, and others may sell in between.
 *
 * @param some Writes to the next ones after a booking; the last of them, where there may be more.
 */
export const inBatches = (
  services: TellingServices,
  action: string,
  orgId: string,
  some: (call: SeatCall, after: string | null) => Promise<string | null>,
): Promise<void> =>
  inTurns((after) =>
    insideOrganization(services, orgId, action, (tx) => some({ tx, orgId, channels: services.channels }, after)),
  )
