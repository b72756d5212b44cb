import type { vehicleClasses } from '@tour-ops/contract/tours/tour-terms'
import { m } from '../paraglide/messages.js'

/** A class of vehicles, as it is called where a tour asks for one and where a vehicle has one. */
export const vehicleClassLabels: Record<(typeof vehicleClasses)[number], () => string> = {
  minibus: m.tours_vehicle_minibus,
  coach: m.tours_vehicle_coach,
  '4x4': m.tours_vehicle_4x4,
  van: m.tours_vehicle_van,
  boat: m.tours_vehicle_boat,
  other: m.tours_vehicle_other,
}
