/** One position in SI units, as every parser makes it. Bounds are those of the table, so that no fix can make a statement fail. */
export interface Fix {
  /** By the device's clock. */
  readonly recordedAt: Date
  readonly lat: number
  readonly lng: number
  readonly accuracyM: number | null
  readonly speedMps: number | null
  /** From north, 0 to below 360. */
  readonly headingDeg: number | null
  readonly altitudeM: number | null
  /** 0 to 100, whole. */
  readonly batteryPct: number | null
  readonly isMoving: boolean | null
  /** False for fixes that the device itself marks as invalid. */
  readonly isValid: boolean
}

/** What a request holds. */
export interface Parsed {
  readonly fixes: readonly Fix[]
  /** Positions that cannot be read: no number, off the globe, without a time. */
  readonly malformed: number
  /** The device's clock at the moment of sending, where the protocol says it. */
  readonly sentAt: Date | null
}

/** The values of a fix as they came, units already those of `Fix`. */
export interface RawFix {
  readonly recordedAt: Date | null
  readonly lat: unknown
  readonly lng: unknown
  readonly accuracyM?: number | null
  readonly speedMps?: number | null
  readonly headingDeg?: number | null
  readonly altitudeM?: number | null
  readonly batteryPct?: number | null
  readonly isMoving?: boolean | null
  readonly isValid?: boolean
}

/** A finite number, also where it came as text; null for everything else. */
export function numberOf(value: unknown): number | null {
  if (typeof value === 'number') return Number.isFinite(value) ? value : null
  if (typeof value !== 'string' || !/^\s*[+-]?\d/.test(value) || value.length > 40) return null
  const number = Number(value)
  return Number.isFinite(number) ? number : null
}

const within = (value: number | null | undefined, min: number, max: number): number | null =>
  value !== null && value !== undefined && value >= min && value <= max ? value : null

/** Seconds up to here, milliseconds above: 2^31 s is the year 2038, 2^31 ms are 25 days of 1970. */
const largestSeconds = 2 ** 31
const earliest = Date.UTC(2000, 0, 1)
const latest = Date.UTC(2100, 0, 1)

/** A moment from seconds or milliseconds since 1970. */
export function momentOfEpoch(value: unknown): Date | null {
  const number = numberOf(value)
  if (number === null) return null
  return sensible(number < largestSeconds ? number * 1000 : number)
}

const isoForm = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d{1,9})?)?(Z|[+-]\d\d:?\d\d)$/
const plainForm = /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/

/** A moment from ISO 8601 with a zone, or from `yyyy-MM-dd HH:mm:ss` in UTC. */
export function momentOfText(value: unknown): Date | null {
  if (typeof value !== 'string' || value.length > 40) return null
  if (isoForm.test(value)) return sensible(Date.parse(value))
  return plainForm.test(value) ? sensible(Date.parse(`${value.replace(' ', 'T')}Z`)) : null
}

const sensible = (ms: number): Date | null => (ms >= earliest && ms < latest ? new Date(ms) : null)

/** @returns null where the place or the time cannot be read; other values that make no sense are left out. */
export function fixOf(raw: RawFix): Fix | null {
  const lat = within(numberOf(raw.lat), -90, 90)
  const lng = within(numberOf(raw.lng), -180, 180)
  if (lat === null || lng === null || raw.recordedAt === null) return null
  const battery = within(raw.batteryPct, 0, 100)
  return {
    recordedAt: raw.recordedAt,
    lat,
    lng,
    accuracyM: within(raw.accuracyM, 0, 1_000_000),
    speedMps: within(raw.speedMps, 0, 1_000),
    headingDeg: heading(raw.headingDeg),
    altitudeM: within(raw.altitudeM, -1_000, 20_000),
    batteryPct: battery === null ? null : Math.round(battery),
    isMoving: raw.isMoving ?? null,
    // what receivers say that have no position yet
    isValid: (raw.isValid ?? true) && !(lat === 0 && lng === 0),
  }
}

function heading(value: number | null | undefined): number | null {
  const inCircle = within(value, 0, 360)
  return inCircle === 360 ? 0 : inCircle
}

/** Everything of one request; what cannot be read is counted. */
export function parsedOf(raws: readonly RawFix[], sentAt: Date | null = null): Parsed {
  const fixes = raws.map(fixOf).filter((fix) => fix !== null)
  return { fixes, malformed: raws.length - fixes.length, sentAt }
}

/** A JSON object; anything else has no fields. */
export const fieldsOf = (value: unknown): Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : {}

export const booleanOf = (value: unknown): boolean | null => (typeof value === 'boolean' ? value : null)
