import * as z from 'zod/mini'
import { roomTypes } from '../bookings/room-types.ts'
import { Count, LocalDate } from '../fields.ts'
import { statusesOf } from '../state-machines.ts'
import { dietaryNeeds, mobilityNeeds } from '../travelers/needs.ts'
import { unitTypes } from '../units.ts'
import { serviceKinds } from '../vehicles/vehicles.ts'
import { SharedDeparture, sharedHead, SharedMeeting, SharedStop } from './shared-parts.ts'

/**
 * What a supplier sees of one departure: how many come and what they need, as numbers. Names only with the scope for it; never phones, medical
 * notes, documents or money.
 */
export const SharedManifest = z.strictObject({
  kind: z.literal('supplier_manifest'),
  ...sharedHead,
  /** `released`: the supplier of the link has no service on the departure any more. Nothing of the guests is shown then, nor once it is cancelled. */
  state: z.enum(['before', 'during', 'after', 'cancelled', 'released']),
  departure: SharedDeparture,
  /** Whom the link is for; null where it is for no supplier in particular. */
  supplierName: z.nullable(z.string()),
  /** What this supplier does for the departure. */
  services: z.array(
    z.strictObject({
      kind: z.enum(serviceKinds),
      description: z.string(),
      quantity: Count,
      date: LocalDate,
      status: z.enum(statusesOf('departure_services')),
    }),
  ),
  meeting: z.nullable(SharedMeeting),
  stops: z.array(SharedStop),
  guests: z.nullable(
    z.strictObject({
      total: Count,
      units: z.array(z.strictObject({ unitType: z.enum(unitTypes), n: Count })),
      /** Of the total: seats on which nobody is named yet, whose needs are not known. */
      unnamed: Count,
      /** Of the total: who did not come. */
      noShow: Count,
      childSeats: Count,
    }),
  ),
  /** Null where the link does not show needs. Those who did not come are not counted. */
  needs: z.nullable(
    z.strictObject({
      dietary: z.array(z.strictObject({ need: z.enum(dietaryNeeds), n: Count })),
      mobility: z.array(z.strictObject({ need: z.enum(mobilityNeeds), n: Count })),
    }),
  ),
  /** Each room of each night. */
  rooms: z.array(
    z.strictObject({
      night: LocalDate,
      placeName: z.nullable(z.string()),
      type: z.enum(roomTypes),
      guests: Count,
      /** Empty where the link does not show names. */
      names: z.array(z.string()),
    }),
  ),
  names: z.array(z.strictObject({ name: z.string(), unitType: z.enum(unitTypes) })),
})
export type SharedManifest = z.output<typeof SharedManifest>
