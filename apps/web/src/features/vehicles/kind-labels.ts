import type { VehicleEntry } from '@tour-ops/contract/vehicles/vehicle-calendar'
import { m } from '../../paraglide/messages.js'

/** What a vehicle is reserved for. */
export const kindLabels: Readonly<Record<VehicleEntry['kind'], () => string>> = {
  departure: m.vehicles_kind_departure,
  pickup: m.vehicles_kind_pickup,
  drop_off: m.vehicles_kind_drop_off,
  maintenance: m.vehicles_kind_maintenance,
  hire: m.vehicles_kind_hire,
  cleaning: m.vehicles_kind_cleaning,
}
