/** Languages of the screens and of what the server writes to people. */
export const locales = ['en', 'de', 'es'] as const
export type Locale = (typeof locales)[number]
export const isLocale = (value: unknown): value is Locale => locales.some((locale) => locale === value)
