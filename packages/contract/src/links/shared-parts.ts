import * as z from 'zod/mini'
import { Count, Id, Instant, LocalDate, LocalTime, timeFormats } from '../fields.ts'
import { statusesOf } from '../state-machines.ts'
import { tourStopKinds, travelModes } from '../tours/tour-terms.ts'

/** What every page of a link says of itself, whatever it shows. */
export const sharedHead = {
  /** The server's clock: minutes to go are counted against it. */
  now: Instant,
  /** What the sender chose; null leaves it to the reader's browser. */
  language: z.nullable(z.string()),
  organization: z.object({
    name: z.string(),
    phone: z.nullable(z.string()),
    /** When somebody answers the phone, as the clocks show it at the tour, where the reader is. */
    officeHours: z.object({ from: LocalTime, to: LocalTime }),
    timeFormat: z.enum(timeFormats),
  }),
  expiresAt: Instant,
  /** A member of the organization looks at it: nothing that guests may do is done. */
  isPreview: z.boolean(),
}

/** The departure that a page is about. */
export const SharedDeparture = z.object({
  code: z.string(),
  tourName: z.string(),
  startsAt: Instant,
  endsAt: Instant,
  /** When it really set out; null before. */
  startedAt: z.nullable(Instant),
  timeZone: z.string(),
  localDate: LocalDate,
  delaySeconds: z.int(),
  /** Up to here the organization calls it on time, minutes. */
  onTimeToleranceMin: Count,
})

/** Where and when a guest joins. */
export const SharedMeeting = z.object({
  placeName: z.string(),
  address: z.nullable(z.string()),
  at: Instant,
  /** The plan plus the delay that is known. */
  expectedAt: Instant,
  isPickup: z.boolean(),
  /** The bus has been and gone. */
  isPast: z.boolean(),
  /** Stops that come before it and are not done. */
  stopsBefore: Count,
  lat: z.nullable(z.number()),
  lng: z.nullable(z.number()),
})

/** A stop of the departure. */
export const SharedStop = z.object({
  id: Id,
  name: z.string(),
  kind: z.enum(tourStopKinds),
  status: z.enum(statusesOf('departure_stops')),
  plannedAt: Instant,
  etaAt: z.nullable(Instant),
  arrivedAt: z.nullable(Instant),
  departedAt: z.nullable(Instant),
  /** Of the stop where they are: when to be back. As `leavesAt` of the run sheet. */
  leavesAt: z.nullable(Instant),
  stayMin: Count,
  /** How they come here, where that differs from the rest of the tour. */
  travelMode: z.nullable(z.enum(travelModes)),
  lat: z.nullable(z.number()),
  lng: z.nullable(z.number()),
})
