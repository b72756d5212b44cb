/**
 * Words for times, dates, money and numbers. Formatters are cached: making one costs a hundred times what using it does.
 * Times of a tour are shown in the tour's own zone; pass its IANA name. Without one the viewer's zone holds.
 */

let chosenLocale: string | null = null

/** Sets the language of all formats; the page's `lang` holds otherwise. */
export function setFormatLocale(locale: string | null): void {
  chosenLocale = locale
}

interface Region {
  /** 1 Monday … 7 Sunday; the reader's language says it when null. */
  readonly firstWeekday: number | null
  readonly units: 'metric' | 'imperial'
  /** Zone of the office; null on pages of guests, whose clock is the tour's. */
  readonly timeZone: string | null
  /** 24 hours where it is left out. */
  readonly timeFormat?: TimeFormat | undefined
}

/** Whether distances and heights are written in miles and feet. */
export const countsInMiles = (): boolean => region.units !== 'metric'

let region: Region = { firstWeekday: null, units: 'metric', timeZone: null }

/** `14:30` or `2:30 pm`. */
export type TimeFormat = '24h' | '12h'

/** Sets what the organization has chosen for calendars, distances and its clock. */
export function setFormatRegion(chosen: Region): void {
  region = chosen
  if (typeof document !== 'undefined') document.documentElement.dataset['hours'] = timeFormat()
  for (const listener of regionListeners) listener()
}

const regionListeners = new Set<() => void>()

/** The office's clock becomes known after the first paint: what depends on it listens. Returns how to stop. */
export function onFormatRegion(listener: () => void): () => void {
  regionListeners.add(listener)
  return () => regionListeners.delete(listener)
}

/** English dates are written the British way: `Fri 20 Nov`, `09:00`. */
function formatLocale(): string {
  const locale = chosenLocale ?? (typeof document === 'undefined' ? '' : document.documentElement.lang)
  return locale === '' || locale === 'en' ? 'en-GB' : locale
}

/** Keeps what was made, by language and options. */
function kept<Options, Format>(make: (locale: string, options: Options) => Format): (options: Options) => Format {
  const formats = new Map<string, Format>()
  return (options) => {
    const locale = formatLocale()
    const key = `${locale} ${JSON.stringify(options)}`
    const known = formats.get(key)
    if (known) return known
    const made = make(locale, options)
    formats.set(key, made)
    return made
  }
}

export const dateFormat = kept(
  (locale, options: Intl.DateTimeFormatOptions) => new Intl.DateTimeFormat(locale, options),
)
const numberFormat = kept((locale, options: Intl.NumberFormatOptions) => new Intl.NumberFormat(locale, options))
const listFormat = kept((locale, options: Intl.ListFormatOptions) => new Intl.ListFormat(locale, options))
const displayNames = kept((locale, options: Intl.DisplayNamesOptions) => new Intl.DisplayNames(locale, options))
const relativeFormat = kept((locale, options: Intl.RelativeTimeFormatOptions) => {
  // German's narrow form writes minutes as "m".
  const style = locale.startsWith('de') ? 'short' : 'narrow'
  return new Intl.RelativeTimeFormat(locale, { ...options, style })
})

export type Moment = Date | string | number

const asDate = (moment: Moment): Date => (moment instanceof Date ? moment : new Date(moment))

/** `Fri, 20 Nov` → `Fri 20 Nov`: fewer marks in a column of dates. */
const withoutCommas = (text: string): string => text.replaceAll(',', '')

const zoned = (zone: string | undefined): Intl.DateTimeFormatOptions => (zone === undefined ? {} : { timeZone: zone })

const clocks = {
  '24h': { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' },
  '12h': { hour: 'numeric', minute: '2-digit', hourCycle: 'h12' },
} as const

/** How times of day are written here: as the organization chose. */
export const timeFormat = (): TimeFormat => region.timeFormat ?? '24h'
const shortDay = { weekday: 'short', day: 'numeric', month: 'short' } as const

/** `9:00 am` is never broken. */
const inOneLine = (time: string): string => time.replaceAll(' ', '\u00a0')

/** `09:00` in the zone given, or `9:00 am` where the organization writes 12 hours. */
export const formatTime = (moment: Moment, zone?: string): string =>
  inOneLine(dateFormat({ ...clocks[timeFormat()], ...zoned(zone) }).format(asDate(moment)))

/** `09:00:07`, or `9:00:07 am`: for a replay. */
export const formatTimeToTheSecond = (moment: Moment): string =>
  inOneLine(dateFormat({ ...clocks[timeFormat()], second: '2-digit' }).format(asDate(moment)))

/** `Fri 20 Nov` in the zone given. */
export const formatDay = (moment: Moment, zone?: string): string =>
  withoutCommas(dateFormat({ ...shortDay, ...zoned(zone) }).format(asDate(moment)))

/** `Friday 20 November` in the zone given, for page heads. */
export const formatLongDay = (moment: Moment, zone?: string): string =>
  withoutCommas(dateFormat({ weekday: 'long', day: 'numeric', month: 'long', ...zoned(zone) }).format(asDate(moment)))

/** `20 Nov 2026` in the zone given. */
export const formatDate = (moment: Moment, zone?: string): string =>
  dateFormat({ dateStyle: 'medium', ...zoned(zone) }).format(asDate(moment))

/** `Fri 20 Nov 09:00` in the zone given. */
export const formatDayTime = (moment: Moment, zone?: string): string =>
  `${formatDay(moment, zone)} ${formatTime(moment, zone)}`

/** `09:00–17:00`. */
export const formatTimeRange = (start: Moment, end: Moment, zone?: string): string =>
  `${formatTime(start, zone)}–${formatTime(end, zone)}`

/** A civil date (`2026-11-20`) as a moment that every format with zone `UTC` shows as that date. */
const civil = (date: string): Date => new Date(`${date}T12:00:00Z`)

/** `Fri 20 Nov` of a civil date `2026-11-20`. */
export const formatLocalDay = (date: string): string => formatDay(civil(date), 'UTC')
/** `Friday 20 November` of a civil date. */
export const formatLocalLongDay = (date: string): string => formatLongDay(civil(date), 'UTC')
/** `20 Nov 2026` of a civil date. */
export const formatLocalDate = (date: string): string => formatDate(civil(date), 'UTC')
/** `09:00` of a wall-clock time `09:00` or `09:00:00`; `9:00 am` where the organization writes 12 hours, or as `format` says. */
export const formatLocalTime = (time: string, format = timeFormat()): string =>
  format === '24h'
    ? time.slice(0, 5)
    : inOneLine(dateFormat({ ...clocks[format], timeZone: 'UTC' }).format(new Date(`1970-01-01T${time.slice(0, 5)}Z`)))

/** `November 2026` of a month `2026-11`. */
export const formatMonth = (month: string): string =>
  dateFormat({ month: 'long', year: 'numeric', timeZone: 'UTC' }).format(civil(`${month}-01`))

/** `Reykjavík`-like name of a zone: the last part of its IANA name, as text. */
export const formatZone = (zone: string): string => (zone.split('/').at(-1) ?? zone).replaceAll('_', ' ')

/** The civil date (`2026-11-20`) that a moment has in a zone. */
export function localDateOf(moment: Moment, zone?: string): string {
  const parts = partsIn(asDate(moment), zone)
  return `${parts.year}-${parts.month}-${parts.day}`
}

/** The wall-clock time (`09:00`) that a moment has in a zone. */
export function localTimeOf(moment: Moment, zone?: string): string {
  const parts = partsIn(asDate(moment), zone)
  return `${parts.hour}:${parts.minute}`
}

const wall = new Map<string, Intl.DateTimeFormat>()

function partsIn(date: Date, zone: string | undefined): Record<string, string> {
  const key = zone ?? ''
  let format = wall.get(key)
  if (!format) {
    format = new Intl.DateTimeFormat('en-CA', {
      dateStyle: 'short',
      timeStyle: 'medium',
      hourCycle: 'h23',
      ...zoned(zone),
    })
    wall.set(key, format)
  }
  return Object.fromEntries(format.formatToParts(date).map((part) => [part.type, part.value.padStart(2, '0')]))
}

/** `+01:00`: how far a zone is from UTC at a moment; it changes with summer time. */
export function utcOffsetMinutes(moment: Moment, zone: string): number {
  const date = asDate(moment)
  const parts = partsIn(date, zone)
  const asUtc = Date.parse(`${parts.year}-${parts.month}-${parts.day}T${parts.hour}:${parts.minute}:${parts.second}Z`)
  return Math.round((asUtc - Math.floor(date.getTime() / 1000) * 1000) / 60_000)
}

/** Whether two zones show different clocks at a moment: then a screen names the zone. */
export const zonesDiffer = (moment: Moment, zone: string, other: string): boolean =>
  zone !== other && utcOffsetMinutes(moment, zone) !== utcOffsetMinutes(moment, other)

/** `Kathmandu` where the office's clock shows another time than the zone's; empty where they agree. */
export const foreignZone = (moment: Moment, zone: string): string =>
  region.timeZone !== null && zonesDiffer(moment, zone, region.timeZone) ? formatZone(zone) : ''

/** `GMT+5:45`, for columns, where the office's clock shows another time than the zone's; empty where they agree. */
export function foreignOffset(moment: Moment, zone: string): string {
  if (foreignZone(moment, zone) === '') return ''
  const parts = dateFormat({ timeZone: zone, timeZoneName: 'shortOffset' }).formatToParts(asDate(moment))
  return parts.find((part) => part.type === 'timeZoneName')?.value ?? formatZone(zone)
}

const withZone = (text: string, moment: Moment, zone: string | undefined): string =>
  zone === undefined ? text : [text, foreignZone(moment, zone)].filter(Boolean).join(' ')

/** `09:00` in the zone given, and its name where the office's clock shows another time: `09:00 Kathmandu`. */
export const formatTimeThere = (moment: Moment, zone?: string): string =>
  withZone(formatTime(moment, zone), moment, zone)

/** `Fri 20 Nov 09:00`, and the zone's name where the office's clock shows another time. */
export const formatDayTimeThere = (moment: Moment, zone?: string): string =>
  withZone(formatDayTime(moment, zone), moment, zone)

/** `18:00` today, `Sat 21 Nov 18:00` on other days, both as the zone counts them; with its name where the office's clock shows another time. */
export const formatMoment = (moment: Moment, zone?: string, now: Moment = Date.now()): string =>
  localDateOf(moment, zone) === localDateOf(now, zone)
    ? formatTimeThere(moment, zone)
    : formatDayTimeThere(moment, zone)

/** IANA zone of the person at the screen. */
export const viewerZone = (): string => (knownViewerZone ??= new Intl.DateTimeFormat().resolvedOptions().timeZone)
/** Asked once: the answer takes milliseconds, and every screen asks. */
let knownViewerZone: string | undefined

/** A civil date `days` later. */
export function addDays(date: string, days: number): string {
  const moved = civil(date)
  moved.setUTCDate(moved.getUTCDate() + days)
  return moved.toISOString().slice(0, 10)
}

/**
 * `€178.00` from minor units; the digits after the point are the currency's own. Where a symbol is used by several currencies the code is
 * written (`ISK 12,900`): a screen shows departures that are paid in different ones.
 */
export function formatMoney(minor: number, currency: string): string {
  const format = numberFormat({ style: 'currency', currency })
  return format.format(minor / 10 ** fractionDigitsOf(currency))
}

/** Digits after the point of a currency: 2 for EUR, 0 for ISK. Source: ISO 4217 as the browser knows it. */
export const fractionDigitsOf = (currency: string): number =>
  numberFormat({ style: 'currency', currency }).resolvedOptions().maximumFractionDigits ?? 2

/** `100,000`. */
export const formatNumber = (value: number, maximumFractionDigits = 0): string =>
  numberFormat({ maximumFractionDigits }).format(value)

/** `4.50`: with exactly this many digits after the point, so that figures below each other compare. */
export const formatFixed = (value: number, digits: number): string =>
  numberFormat({ minimumFractionDigits: digits, maximumFractionDigits: digits }).format(value)

/** `87 %` from a share of 0.87. */
export const formatPercent = (share: number, maximumFractionDigits = 0): string =>
  numberFormat({ style: 'percent', maximumFractionDigits }).format(share)

/** `1.4 MB`. */
export function formatBytes(bytes: number): string {
  const units = ['byte', 'kilobyte', 'megabyte', 'gigabyte'] as const
  const step = Math.min(units.length - 1, Math.floor(Math.log10(Math.max(bytes, 1)) / 3))
  const unit = units[step] ?? 'byte'
  return numberFormat({ style: 'unit', unit, maximumFractionDigits: step === 0 ? 0 : 1 }).format(bytes / 1000 ** step)
}

const bytesOfLimit = 1024 * 1024

/** `64 MB`: how large a file may be. Limits are whole binary megabytes and are called by their round number, as the server calls them. */
export const formatSizeLimit = (bytes: number): string =>
  numberFormat({ style: 'unit', unit: 'megabyte' }).format(Math.floor(bytes / bytesOfLimit))

export const metersPerMile = 1609.344
export const metersPerFoot = 0.3048

const lengthText = (value: number, unit: string, maximumFractionDigits: number): string =>
  numberFormat({ style: 'unit', unit, maximumFractionDigits }).format(value)

/** `9 km` or `350 m`; `5.6 mi` or `820 ft` where the organization counts in miles. */
export function formatDistance(meters: number): string {
  if (region.units === 'metric') {
    return meters < 1000
      ? lengthText(meters, 'meter', 0)
      : lengthText(meters / 1000, 'kilometer', meters < 10_000 ? 1 : 0)
  }
  const miles = meters / metersPerMile
  return miles < 0.5 ? lengthText(meters / metersPerFoot, 'foot', 0) : lengthText(miles, 'mile', miles < 10 ? 1 : 0)
}

/** `1,250 m`, or `4,101 ft` where the organization counts in miles. */
export const formatHeight = (meters: number): string =>
  region.units === 'metric' ? lengthText(meters, 'meter', 0) : lengthText(meters / metersPerFoot, 'foot', 0)

/** `54 km/h`, or `34 mph` where the organization counts in miles. */
export const formatSpeed = (metersPerSecond: number): string =>
  region.units === 'metric'
    ? lengthText(metersPerSecond * 3.6, 'kilometer-per-hour', 0)
    : lengthText((metersPerSecond * 3600) / metersPerMile, 'mile-per-hour', 0)

/** `45 min`, `8 h`, `1 h 30 min`. */
export function formatDuration(minutes: number): string {
  const whole = Math.round(minutes)
  const hours = Math.floor(whole / 60)
  const rest = whole % 60
  const unit = (value: number, name: 'hour' | 'minute') =>
    numberFormat({ style: 'unit', unit: name, unitDisplay: 'short' }).format(value)
  const parts = [
    hours > 0 && shortUnits(unit(hours, 'hour')),
    (rest > 0 || hours === 0) && shortUnits(unit(rest, 'minute')),
  ]
  return parts.filter(Boolean).join(' ')
}

const ageSteps = [
  { unit: 'second', ms: 1000, upToMs: 60_000 },
  { unit: 'minute', ms: 60_000, upToMs: 3_600_000 },
  { unit: 'hour', ms: 3_600_000, upToMs: 86_400_000 },
  { unit: 'day', ms: 86_400_000, upToMs: 30 * 86_400_000 },
] as const

/** `2 s ago`, `in 11 min`; beyond 30 days the date. `now` is given so that a screen repaints with its own clock. */
export function formatAge(moment: Moment, now: Moment, zone?: string): string {
  const ms = asDate(moment).getTime() - asDate(now).getTime()
  const step = ageSteps.find(({ upToMs }) => Math.abs(ms) < upToMs)
  if (!step) return formatDate(moment, zone)
  // Toward zero: an age never claims more than has passed. Minus zero reads "0 s ago", zero would read "in 0 s".
  const count = Math.trunc(ms / step.ms)
  const age = relativeFormat({ numeric: 'always' }).format(count === 0 && ms <= 0 ? -0 : count, step.unit)
  // a number is not parted from its unit
  return shortUnits(age).replace(/(\d) /, '$1\u00a0')
}

/** The age of what has happened, never in the future: a screen's clock may be some seconds behind the server's. */
export const formatPastAge = (moment: Moment, now: Moment, zone?: string): string =>
  formatAge(moment, Math.max(asDate(moment).getTime(), asDate(now).getTime()), zone)

/** Unit signs, `2 s ago`, `3 h ago`, in all languages. */
const shortUnits = (text: string): string =>
  text
    .replace(/\bsec\b|\bSek\.(?=\s|$)/, 's')
    .replace(/\bmins?\b|\bMin\.(?=\s|$)/, 'min')
    .replace(/\bhrs?\b|\bStd\.(?=\s|$)/, 'h')

/** `A, B and C`. */
export const formatList = (words: readonly string[]): string => listFormat({}).format(words)

/** Name of a country code in the reader's language; the code itself where it is unknown. */
export const formatCountry = (code: string): string => displayName(code, 'region')
/** Name of a language code in the reader's language. */
export const formatLanguage = (code: string): string => displayName(code, 'language')

function displayName(code: string, type: 'region' | 'language'): string {
  try {
    return displayNames({ type }).of(code) ?? code
  } catch {
    // A code that is no code at all is shown as it is.
    return code
  }
}

/** First day of the week, as the organization or the reader's language has it: 1 Monday … 7 Sunday. */
export function firstWeekday(): number {
  if (region.firstWeekday !== null) return region.firstWeekday
  const locale = new Intl.Locale(formatLocale()) as Intl.Locale & { getWeekInfo?: () => { firstDay: number } }
  return locale.getWeekInfo?.().firstDay ?? 1
}

/** `Mon` … for a weekday 1 Monday … 7 Sunday. */
export const formatWeekday = (weekday: number): string =>
  // 2024-01-01 was a Monday.
  dateFormat({ weekday: 'short', timeZone: 'UTC' }).format(new Date(Date.UTC(2024, 0, weekday, 12)))

/** `4 July` of a civil date. */
export const formatLocalDayMonth = (date: string): string =>
  dateFormat({ day: 'numeric', month: 'long', timeZone: 'UTC' }).format(civil(date))

/** `November` of a month 1 to 12. */
export const formatMonthName = (month: number): string =>
  dateFormat({ month: 'long', timeZone: 'UTC' }).format(new Date(Date.UTC(2024, month - 1, 1, 12)))
