import { Temporal } from 'temporal-polyfill'

/** A wall-clock time of a place, as a moment. */
export interface LocalMoment {
  readonly at: Date
  /** False where the clocks are set forward over this time; `at` is then the same time counted from before the jump. */
  readonly exists: boolean
}

/**
 * The moment of a local date and time. An hour that happens twice is its first occurrence.
 *
 * @param localDate `2026-11-20`.
 * @param localTime `09:00` or `09:00:00`.
 * @param timeZone IANA name.
 */
export function momentOf(localDate: string, localTime: string, timeZone: string): LocalMoment {
  const wanted = Temporal.PlainDate.from(localDate).toPlainDateTime(Temporal.PlainTime.from(localTime))
  const zoned = wanted.toZonedDateTime(timeZone, { disambiguation: 'compatible' })
  return { at: new Date(zoned.epochMilliseconds), exists: zoned.toPlainDateTime().equals(wanted) }
}

const zoned = (at: Date, timeZone: string): Temporal.ZonedDateTime =>
  Temporal.Instant.fromEpochMilliseconds(at.getTime()).toZonedDateTimeISO(timeZone)

/** How far the clocks of a zone are ahead of UTC at a moment, `+05:45`. */
export const offsetOf = (at: Date, timeZone: string): string => zoned(at, timeZone).offset

/** The civil date of a moment in a zone, `2026-11-20`. */
export const localDateOf = (at: Date, timeZone: string): string => zoned(at, timeZone).toPlainDate().toString()

/** The wall clock of a moment in a zone, `09:00`. */
export const localTimeOf = (at: Date, timeZone: string): string =>
  zoned(at, timeZone).toPlainTime().toString({ smallestUnit: 'minute' })

/** The date this many days later, or earlier when negative. */
export const addDays = (localDate: string, days: number): string =>
  Temporal.PlainDate.from(localDate).add({ days }).toString()

/** Whole days from one date to another; negative when the second is earlier. */
export const daysBetween = (from: string, to: string): number =>
  Temporal.PlainDate.from(from).until(Temporal.PlainDate.from(to), { largestUnit: 'days' }).days

/** First moment of a local day and first moment of the next: a day may have 23 or 25 hours. */
export function dayBounds(localDate: string, timeZone: string): { from: Date; to: Date } {
  const startOf = (date: Temporal.PlainDate): Date => new Date(date.toZonedDateTime(timeZone).epochMilliseconds)
  const day = Temporal.PlainDate.from(localDate)
  return { from: startOf(day), to: startOf(day.add({ days: 1 })) }
}

export const addMinutes = (at: Date, minutes: number): Date => new Date(at.getTime() + minutes * 60_000)

/** For so long a server that was down at the time of something daily makes up for it. */
const lateHours = 5

/** The moment at which something daily was due on a day, if that is past and not too long ago to be made up for. */
export function lateSince(now: Date, localDate: string, localTime: string, timeZone: string): Date | undefined {
  const due = momentOf(localDate, localTime, timeZone).at
  const waitedMs = now.getTime() - due.getTime()
  return waitedMs >= 0 && waitedMs < lateHours * 3_600_000 ? due : undefined
}
