import { baseLocale, getLocale, isLocale, setLocale } from '../paraglide/runtime.js'
import { locales, type Locale } from '@tour-ops/contract/page-config'

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

/** Writes language and direction onto the document; before the first render and after a switch. */
export function applyLocale(): void {
  document.documentElement.lang = currentLocale()
  document.documentElement.dir = directionOf(currentLocale())
}

/** Switches the language and remembers it. Loads the page again: every sentence on screen was made in the old one. */
export async function switchLocale(locale: Locale): Promise<void> {
  if (locale !== currentLocale()) await setLocale(locale)
}
