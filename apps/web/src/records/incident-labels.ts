import type { incidentCategories } from '@tour-ops/contract/monitoring/incidents'
import { m } from '../paraglide/messages.js'

export type IncidentCategory = (typeof incidentCategories)[number]

export const categoryLabels: Record<IncidentCategory, () => string> = {
  medical: m.monitoring_category_medical,
  missing_person: m.monitoring_category_missing_person,
  vehicle: m.monitoring_category_vehicle,
  weather: m.monitoring_category_weather,
  security: m.monitoring_category_security,
  supplier: m.monitoring_category_supplier,
  complaint: m.monitoring_category_complaint,
  lost_item: m.monitoring_category_lost_item,
  near_miss: m.monitoring_category_near_miss,
  other: m.monitoring_category_other,
}

/** 1 is the gravest. Source: contract, `IncidentRow`. */
export const gravityLabels: Record<number, () => string> = {
  1: m.monitoring_gravity_1,
  2: m.monitoring_gravity_2,
  3: m.monitoring_gravity_3,
  4: m.monitoring_gravity_4,
}
