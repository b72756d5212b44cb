import { zoneNameToday } from '@tour-ops/contract/zone-names'
import { type RawBuilder, sql } from 'kysely'
import { getCountries, getCountryCallingCode } from 'libphonenumber-js/min'
import type { Tx } from '../db/database.ts'
import { offsetOf } from '../local-time.ts'

/** Newer than the types of the language. Source: Intl Locale Info. */
interface LocaleWithZones extends Intl.Locale {
  getTimeZones?(): string[] | undefined
}

const zonesOf = (country: string): readonly string[] =>
  (new Intl.Locale(`und-${country}`) as LocaleWithZones).getTimeZones?.() ?? []

/** Zones of all countries that share a calling code, by the code. Source: libphonenumber for the codes, CLDR by way of `Intl` for the zones. */
const zonesByCode = (): ReadonlyMap<string, readonly string[]> =>
  new Map(
    [...Map.groupBy(getCountries(), (country) => getCountryCallingCode(country))].map(([code, countries]) => [
      code,
      countries.flatMap(zonesOf).map(zoneNameToday),
    ]),
  )

let ofCodes: ReturnType<typeof zonesByCode> | undefined

/**
 * The zone in which the owner of a phone number is at home, by the calling code of the number: where all zones of its countries have the same
 * clock at that moment. The others (+1, +7, +61 …) are left out, since the number does not say which zone it is.
 */
export function homeZonesAt(at: Date): ReadonlyMap<string, string> {
  ofCodes ??= zonesByCode()
  const homes = new Map<string, string>()
  for (const [code, [first, ...others]] of ofCodes) {
    if (first === undefined) continue
    const offset = others.length === 0 ? null : offsetOf(at, first)
    if (others.every((zone) => offsetOf(at, zone) === offset)) homes.set(code, first)
  }
  return homes
}

/** No zone changes its clock between the quarters of an hour. */
const quarter = 15 * 60_000
let latest: { readonly quarter: number; readonly homes: string } | undefined
let known: ReadonlySet<string> | undefined

/** The same as an object for statements, with zones that the database knows as well. */
export async function homeZonesNow(tx: Tx): Promise<HomeZones> {
  const { rows } = await sql<{ now: Date }>`select app_now() as now`.execute(tx)
  const now = rows[0]?.now ?? new Date()
  const at = Math.floor(now.getTime() / quarter)
  if (latest?.quarter === at) return latest.homes
  known ??= await selectKnownZones(tx)
  const homes = [...homeZonesAt(now)].filter(([, zone]) => known?.has(zone))
  latest = { quarter: at, homes: JSON.stringify(Object.fromEntries(homes)) }
  return latest.homes
}

/** JSON: zones by calling code. */
export type HomeZones = string

/** Slow, and the same as long as the database runs. */
async function selectKnownZones(tx: Tx): Promise<ReadonlySet<string>> {
  const { rows } = await sql<{ name: string }>`select name from pg_timezone_names`.execute(tx)
  return new Set(rows.map(({ name }) => name))
}

/** The zone of a number; null where it has none. No calling code begins with another one. */
const homeOf = (homes: HomeZones, phone: RawBuilder<unknown>): RawBuilder<string | null> => sql<string | null>`(
  select coalesce(h.zones ->> substr(${phone}, 2, 3), h.zones ->> substr(${phone}, 2, 2), h.zones ->> substr(${phone}, 2, 1))
  from (select ${homes}::jsonb as zones) h where ${phone} like '+%')`

/** Before the start and after the end, guests are where their tour is for so many hours. */
const onTourHours = 24

/**
 * The zone in which the contact of a booking `b` of a departure `d` is now: at home, but around the tour where that is. That of the tour as well
 * where nothing is known of their home.
 *
 * @see docs/decisions/0170
 */
export const guestZone = (homes: HomeZones): RawBuilder<string> => sql<string>`
  (case when d.starts_at > app_now() + make_interval(hours => ${onTourHours}) or d.ends_at < app_now() - make_interval(hours => ${onTourHours})
    then coalesce(${homeOf(homes, sql.ref('b.contact_phone'))}, d.time_zone) else d.time_zone end)`
