import type { Locale } from '@tour-ops/contract/locales'

/**
 * A count in a sentence, with the form that the language asks for.
 *
 * @param one The form for one (also for 0 in languages that say so); `#` is the number.
 * @param other The form for any other number.
 * @example plural(count, '# guest is booked', '# guests are booked')
 */
export function plural(count: number, one: string, other: string, locale: Locale = 'en'): string {
  const form = new Intl.PluralRules(locale).select(count) === 'one' ? one : other
  return form.replaceAll('#', new Intl.NumberFormat(locale).format(count))
}
