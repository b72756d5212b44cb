import type { UnitType } from '@tour-ops/contract/units'
import { m } from '../paraglide/messages.js'

export const unitLabels: Readonly<Record<UnitType, () => string>> = {
  adult: m.bookings_unit_adult,
  youth: m.bookings_unit_youth,
  child: m.bookings_unit_child,
  infant: m.bookings_unit_infant,
  family: m.bookings_unit_family,
  senior: m.bookings_unit_senior,
  student: m.bookings_unit_student,
  military: m.bookings_unit_military,
  other: m.bookings_unit_other,
}

/** `Adult`. */
export const unitLabel = (unit: UnitType): string => unitLabels[unit]()
