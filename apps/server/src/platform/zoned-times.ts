import type { TimeFormat } from '@tour-ops/contract/fields'
import type { Locale } from '@tour-ops/contract/locales'

/** `Kathmandu` of `Asia/Kathmandu`: what an e-mail or notice writes behind a time, since its reader's clock is not known. */
const zoneName = (timeZone: string): string => (timeZone.split('/').at(-1) ?? timeZone).replaceAll('_', ' ')

/** The tag of a language whose dates are written to guests and staff: in English the day comes first. */
export const dateTag = (locale: Locale): string => (locale === 'en' ? 'en-GB' : locale)

/** `Mon 15 Jul` or `Monday 15 July` of a local date. */
export const dayName = (localDate: string, locale: Locale, style: 'short' | 'long'): string =>
  new Intl.DateTimeFormat(dateTag(locale), { weekday: style, day: 'numeric', month: style, timeZone: 'UTC' }).format(
    new Date(`${localDate}T00:00:00Z`),
  )

type Styles = Pick<Intl.DateTimeFormatOptions, 'dateStyle' | 'timeStyle'>

/** Writes moments by the clock of a zone that the reader knows: `09:00`. The parameters are those of `zonedTimes`. */
export function timesIn(
  locale: string,
  timeZone: string,
  timeFormat: TimeFormat,
  options: Styles,
): (at: Date) => string {
  const format = new Intl.DateTimeFormat(locale, {
    ...options,
    timeZone,
    hourCycle: timeFormat === '24h' ? 'h23' : 'h12',
  })
  return (at) => format.format(at)
}

/**
 * Writes moments with the name of their zone: `20 Nov 2026, 09:00 (Kathmandu)`.
 *
 * @param locale BCP 47.
 * @param timeZone IANA name.
 * @param timeFormat How the organization writes times.
 */
export function zonedTimes(
  locale: string,
  timeZone: string,
  timeFormat: TimeFormat,
  options: Styles,
): (at: Date) => string {
  const timeOf = timesIn(locale, timeZone, timeFormat, options)
  return (at) => `${timeOf(at)} (${zoneName(timeZone)})`
}
