import { localDateOf, localTimeOf, utcOffsetMinutes, type Moment } from './format.ts'

/** Engines make a date of nearly anything. */
const wallForm = /^\d{4}-\d\d-\d\dT\d\d:\d\d$/

/** What calendar and clock of a zone show, `2026-11-20T09:00`, as a field of date and time holds it. */
export const wallTimeOf = (moment: Moment, zone: string): string =>
  `${localDateOf(moment, zone)}T${localTimeOf(moment, zone)}`

/** The moment at which calendar and clock of a zone show this, ISO 8601; null while it is not typed completely. */
export function momentOfWall(wall: string, zone: string): string | null {
  const asUtc = wallForm.test(wall) ? Date.parse(`${wall}:00Z`) : NaN
  if (Number.isNaN(asUtc)) return null
  const roughly = asUtc - utcOffsetMinutes(asUtc, zone) * 60_000
  // Clocks may be changed between the two.
  return new Date(asUtc - utcOffsetMinutes(roughly, zone) * 60_000).toISOString()
}
