import { baseLocale, getLocale, isLocale, overwriteGetLocale, setLocale } from '../paraglide/runtime.js'
import { locales, type Locale } from '@tour-ops/contract/locales'

/** Languages whose script runs from right to left; none is shipped yet, and layouts use logical properties throughout. */
const rightToLeft: ReadonlySet<string> = new Set(['ar', 'fa', 'he', 'ur'])

const directionOf = (locale: string): 'ltr' | 'rtl' => (rightToLeft.has(locale.split('-')[0] ?? '') ? 'rtl' : 'ltr')

/** Each language in its own words, for people who cannot read the present one. */
export const localeNames: Readonly<Record<Locale, string>> = { en: 'English', de: 'Deutsch', es: 'Español' }
export { locales, type Locale }

export const currentLocale = (): Locale => {
  const locale = getLocale()
  return isLocale(locale) ? locale : baseLocale
}

/**
 * Writes language and direction onto the document, before the first render. From here on the language is known: every sentence asks
 * for it, and would look it up in the browser's storage each time.
 */
export function applyLocale(): void {
  const locale = currentLocale()
  overwriteGetLocale(() => locale)
  document.documentElement.lang = locale
  document.documentElement.dir = directionOf(locale)
}

/** Switches the language and remembers it. Loads the page again: every sentence on screen was made in the old one. */
export async function switchLocale(locale: Locale): Promise<void> {
  if (locale !== currentLocale()) await setLocale(locale)
}
