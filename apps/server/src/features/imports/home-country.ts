import { regionCodes } from './recognized-values.ts'

/** The types of the platform lack it. Source: ECMA-402, Intl.Locale.prototype.getTimeZones. */
interface ZonedLocale extends Intl.Locale {
  getTimeZones?(): readonly string[]
}

let countries: Map<string, string> | undefined

/** The country of a time zone; null where it is that of none or of several. */
export function countryOfZone(timeZone: string): string | null {
  countries ??= zonesOfCountries()
  return countries.get(timeZone) ?? null
}

function zonesOfCountries(): Map<string, string> {
  const found = new Map<string, string>()
  for (const country of regionCodes) {
    const locale: ZonedLocale = new Intl.Locale(`und-${country}`)
    for (const zone of locale.getTimeZones?.() ?? []) {
      // a zone of two countries says nothing
      found.set(zone, found.has(zone) ? '' : country)
    }
  }
  for (const [zone, country] of found) if (country === '') found.delete(zone)
  return found
}
