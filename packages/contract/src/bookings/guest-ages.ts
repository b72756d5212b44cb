import * as z from 'zod/mini'
import { callable } from '../callable.ts'
import { Id } from '../fields.ts'
import { type TourUnit, unitTypes } from '../units.ts'

/** Youngest and oldest that somebody may be on a day; the same where the age is known. */
export interface Ages {
  readonly from: number
  readonly to: number
}

/** Years that somebody said, and the day for which they said them. */
export interface StatedAge {
  readonly years: number
  readonly on: string
}

/** One that is stored in two columns, which are null together. */
export const statedAge = (years: number | null, on: string | null): StatedAge | null =>
  years === null || on === null ? null : { years, on }

/** Whole years from one day to another, both `2030-07-01`; negative towards earlier days. */
export function wholeYearsBetween(first: string, last: string): number {
  const years = Number(last.slice(0, 4)) - Number(first.slice(0, 4))
  return last.slice(5) < first.slice(5) ? years - 1 : years
}

/** Age of somebody born on a day. */
const agesOfBirth = (born: string, day: string): Ages => {
  const years = Math.max(0, wholeYearsBetween(born, day))
  return { from: years, to: years }
}

/** Since nobody knows the birthday, an age is a year more or not on every day but the one of the year for which it was said. */
function agesSaid({ years, on }: StatedAge, day: string): Ages {
  const passed = wholeYearsBetween(on, day)
  const from = years + passed
  return { from: Math.max(0, from), to: Math.max(0, from + (on.slice(5) === day.slice(5) ? 0 : 1)) }
}

/**
 * How old a guest is on a day: as was said for that day, else by the date of birth, else as was said for their trip on another day, or for another trip. Null
 * where nothing is known.
 */
export function agesOn(
  day: string,
  {
    here = null,
    born,
    elsewhere = null,
  }: { readonly here?: StatedAge | null; readonly born: string | null; readonly elsewhere?: StatedAge | null },
): Ages | null {
  if (here?.on === day) return agesSaid(here, day)
  if (born !== null) return agesOfBirth(born, day)
  const said = here ?? elsewhere
  return said && agesSaid(said, day)
}

/** Whether ages are within the limits of a kind of seat; `unknown` where only some of them are. */
export type AgeFit = 'fits' | 'unfit' | 'unknown'

/** Whether somebody of these ages may sit on a kind of seat. */
export function fitOf({ from, to }: Ages, { minAge, maxAge }: Pick<TourUnit, 'minAge' | 'maxAge'>): AgeFit {
  const [least, most] = [minAge ?? 0, maxAge ?? Number.POSITIVE_INFINITY]
  if (to < least || from > most) return 'unfit'
  return from >= least && to <= most ? 'fits' : 'unknown'
}

/** Whether the price of a kind depends on the age of who sits there. */
export const hasAgeLimit = ({ minAge, maxAge }: Pick<TourUnit, 'minAge' | 'maxAge'>): boolean =>
  minAge !== null || maxAge !== null

export const getGuestAges = callable({
  name: 'bookings-guest-ages',
  kind: 'read',
  permission: 'bookings:manage',
  summary:
    'Which kinds of seats of a departure fit the ages of guests who are known, and the ages for who may see them; guests of whom no age is known are left out.',
  input: z.object({
    departureId: Id,
    travelerIds: z.array(Id).check(z.maxLength(500)),
    /** A booking that is changed: what was said for it counts first. */
    bookingId: z.optional(Id),
  }),
  output: z.object({
    guests: z.array(
      z.object({
        travelerId: Id,
        /** On the day of the departure; null where the caller may not see it. */
        age: z.nullable(z.object({ from: z.int(), to: z.int() })),
        /** Kinds with a limit that fit for certain. */
        fits: z.array(z.enum(unitTypes)),
        /** Kinds that fit under no circumstances. */
        unfit: z.array(z.enum(unitTypes)),
        /** By their age; null where that is not certain. */
        needsChildSeat: z.nullable(z.boolean()),
      }),
    ),
  }),
  topics: ['manifest_entries', 'org_settings', 'tour_revisions', 'traveler_private'],
  rowTopics: ['departures', 'travelers'],
})
