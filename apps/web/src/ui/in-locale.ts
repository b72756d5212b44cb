import { overwriteGetLocale } from '../paraglide/runtime.js'
import { setFormatLocale } from './format.ts'
import { currentLocale, type Locale } from './locale.ts'

/**
 * Says something in another language than that of the page, for what is handed to guests: sentences and formats alike.
 *
 * @param run Makes texts at once; a component that renders later speaks the language of the page again.
 */
export function inLocale<T>(locale: Locale, run: () => T): T {
  const before = currentLocale()
  overwriteGetLocale(() => locale)
  setFormatLocale(locale)
  try {
    return run()
  } finally {
    overwriteGetLocale(() => before)
    setFormatLocale(null)
  }
}
