import * as z from 'zod/mini'
import { whole } from '../fields.ts'
import type { vehicleClasses } from '../tours/tour-terms.ts'

/** When alerts of an organization open, where the number is not also a rule of something else. See docs/domain.md, "Alerts". */
export const alertLimitFields = {
  lateStartMin: whole(1, 240),
  offRouteM: whole(50, 20_000),
  offRouteWalkM: whole(20, 5000),
  offRouteMin: whole(1, 120),
  longStopMin: whole(5, 600),
  absentMin: whole(1, 120),
  signalLostMin: whole(2, 240),
  /** On tours of several days, treks among them. */
  signalLostDaysMin: whole(2, 1440),
  batteryPct: whole(1, 90),
  speedCoachKmh: whole(20, 300),
  speedMinibusKmh: whole(20, 300),
  speedVanKmh: whole(20, 300),
  speed4x4Kmh: whole(20, 300),
  speedBoatKmh: whole(10, 300),
}

export type AlertLimits = Record<keyof typeof alertLimitFields, number>

/** Who can be notified that nobody acknowledges a critical alert: the roles that see the whole office. */
export const escalationRoles = ['dispatcher', 'operations_manager', 'admin'] as const
export type EscalationRole = (typeof escalationRoles)[number]

/** When a critical alert that nobody takes goes to whom, in two levels; 0 minutes is never. */
export const escalationFields = {
  escalateAfterMin: whole(0, 1440),
  escalateTo: z.enum(escalationRoles),
  escalateAgainMin: whole(0, 1440),
  escalateAgainTo: z.enum(escalationRoles),
}

export const defaultEscalation = {
  escalateAfterMin: 10,
  escalateTo: 'operations_manager',
  escalateAgainMin: 30,
  escalateAgainTo: 'admin',
} as const

export const defaultAlertLimits: AlertLimits = {
  lateStartMin: 10,
  offRouteM: 500,
  offRouteWalkM: 150,
  offRouteMin: 3,
  longStopMin: 30,
  absentMin: 5,
  signalLostMin: 10,
  signalLostDaysMin: 30,
  batteryPct: 15,
  speedCoachKmh: 100,
  speedMinibusKmh: 100,
  speedVanKmh: 110,
  speed4x4Kmh: 110,
  speedBoatKmh: 70,
}

/** The limit of a class of vehicles, kilometers an hour; null for others, of which nobody knows what they are. */
export function speedLimitOf(vehicleClass: (typeof vehicleClasses)[number], limits: AlertLimits): number | null {
  switch (vehicleClass) {
    case 'coach':
      return limits.speedCoachKmh
    case 'minibus':
      return limits.speedMinibusKmh
    case 'van':
      return limits.speedVanKmh
    case '4x4':
      return limits.speed4x4Kmh
    case 'boat':
      return limits.speedBoatKmh
    default:
      return null
  }
}
