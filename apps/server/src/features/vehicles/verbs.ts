import type { Verb } from '../../platform/verb.ts'
import { vehicleCalendarVerbs } from './calendar-service.ts'
import { serviceVerbs } from './supplier-services.ts'
import { vehicleVerbs as fleetVerbs } from './vehicles-service.ts'

export const vehiclesVerbs: Verb[] = [...fleetVerbs, ...vehicleCalendarVerbs, ...serviceVerbs]
