/** Most fixes of one request of the duty page. */
export const maxFixesOfRequest = 500

/** One fix as the duty page sends it: SI units, moments in ISO 8601 by the phone's clock. What is not known is left out or null. */
export interface DutyFix {
  readonly recordedAt: string
  readonly lat: number
  readonly lng: number
  readonly accuracyM?: number | null
  readonly speedMps?: number | null
  readonly headingDeg?: number | null
  readonly altitudeM?: number | null
  readonly batteryPct?: number | null
  readonly isMoving?: boolean | null
}

/** `POST /track/{token}` of the duty page: oldest first. */
export interface DutyFixes {
  readonly fixes: readonly DutyFix[]
  /** The phone's clock at the moment of sending. */
  readonly sentAt: string
}

/** Why a fix was not stored. It is not to be sent again. */
export const dropReasons = [
  'outside_session',
  'foreign_session',
  'no_consent',
  'on_break',
  'too_old',
  'clock_wrong',
  'malformed',
] as const
export type DropReason = (typeof dropReasons)[number]

/** The answer: everything up to and including `lastRecordedAt` is stored for good, or counted as dropped, and may be forgotten. */
export interface DutyFixesTaken {
  readonly received: number
  readonly lastRecordedAt: string | null
  readonly dropped: Partial<Record<DropReason, number>>
}

/** By whom the token of a device was ended, in the answer `device_not_paired`: the office ended the device, or a phone that came later has its place. */
export type TokenEnd = 'by_office' | 'by_other_phone'
