import * as z from 'zod/mini'
import { Latitude, Longitude, whole } from '../fields.ts'

/** The drawn way of one day. */
export const TourRoute = z.object({
  dayIndex: whole(1, 60),
  /** Longitude, latitude. */
  line: z.array(z.tuple([Longitude, Latitude])).check(z.minLength(2), z.maxLength(2000)),
  source: z.enum(['drawn', 'gpx', 'kml', 'router']),
  lengthM: whole(0, 5_000_000),
})
