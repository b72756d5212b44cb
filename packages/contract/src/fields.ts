import * as z from 'zod/mini'
import type { FieldRule } from './field-rules.ts'

/** Rules for what a field itself names none for (`field-rules.ts`); an issue's `message` is the code of its rule. */
z.config({
  customError: ({ code, input, origin }): FieldRule => {
    if (code === 'invalid_type' && (input === undefined || input === null)) return 'required'
    if (code === 'invalid_value') return 'not_listed'
    if (code === 'unrecognized_keys') return 'not_belonging'
    if (code === 'too_small') return boundOf(origin, 'too_short', 'too_few', 'too_small')
    return code === 'too_big' ? boundOf(origin, 'too_long', 'too_many', 'too_large') : 'wrong_form'
  },
})

const boundOf = (origin: unknown, ofText: FieldRule, ofList: FieldRule, ofNumber: FieldRule): FieldRule => {
  if (origin === 'string') return ofText
  return origin === 'number' || origin === 'int' ? ofNumber : ofList
}

/** UUID made by the server (version 7) or by a client for its own events; in lower case, as the database returns it. */
export const Id = z.uuid('id_form').check(z.toLowerCase())
/** Identity services use ids of their own; to us they are opaque. */
export const OpaqueId = z.string().check(z.minLength(1), z.maxLength(128))

/** Optimistic lock: what the caller last saw. A newer row answers `aborted`, reason `version_conflict`. */
export const Version = z.int().check(z.minimum(1), z.maximum(2_147_483_647))

/** The same key twice gives the first answer again and writes nothing. */
export const IdempotencyKey = z.string().check(z.minLength(8), z.maxLength(64))

/** Fields of every write: the shape plus the optional idempotency key. */
export const write = <S extends z.core.$ZodShape>(shape: S) =>
  z.object({ ...shape, idempotencyKey: z.optional(IdempotencyKey) })

/** Years that dates may have. The database knows no year 0, and an import or a typing error of centuries is none. */
const sensibleYear = z.regex(/^(19|20|21)/, 'year_range')
/** The last day of them. */
export const lastLocalDate = '2199-12-31'

/** Civil date `2026-11-20`, in the zone of the tour unless noted. */
export const LocalDate = z.iso.date('date_form').check(sensibleYear)
/** Wall-clock time `09:00` in the zone of the tour. */
export const LocalTime = z.string().check(z.regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'time_form'))
/** A moment, ISO 8601 with `Z` or an offset; at most 14 hours from UTC, the farthest zone there is. */
export const Instant = z.iso
  .datetime({ offset: true, error: 'moment_form' })
  .check(sensibleYear, z.maxLength(40, 'moment_form'), z.regex(/(Z|[+-](0\d|1[0-3]):\d\d|[+-]14:00)$/, 'offset_range'))

const knownZones = new Map<string, boolean>()

/** Whether this runtime knows the IANA zone. */
export function isTimeZone(name: string): boolean {
  const known = knownZones.get(name)
  if (known !== undefined) return known
  let valid = /^[A-Za-z]/.test(name)
  try {
    valid &&= new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone !== ''
  } catch {
    valid = false
  }
  knownZones.set(name, valid)
  return valid
}

/** IANA time zone, `Atlantic/Reykjavik`. */
export const TimeZone = z.string().check(z.maxLength(64), z.refine(isTimeZone, 'zone_unknown'))

/** The largest amount, in minor units. */
export const maxMinor = 1_000_000_000_000

/** Money in minor units of its currency (cents), never a fraction. */
export const MoneyMinor = z.int().check(z.minimum(0, 'amount_negative'), z.maximum(maxMinor))
/** ISO 4217. */
export const Currency = z.string().check(z.regex(/^[A-Z]{3}$/, 'currency_form'))
/** ISO 3166-1 alpha-2. */
export const Country = z.string().check(z.regex(/^[A-Z]{2}$/, 'country_form'))
/** BCP 47, language with optional script and region. */
export const Language = z.string().check(z.regex(/^[a-z]{2,3}(-[A-Z][a-z]{3})?(-([A-Z]{2}|\d{3}))?$/, 'language_form'))

/**
 * Drops what reorders the text around it and shows nothing itself: embeddings, overrides and isolates. They come along with what is copied
 * from contacts and other pages, and would turn around what is written next to a name. Hebrew and Arabic need none of them.
 */
export const withoutDirection = (typed: string): string => typed.replaceAll(/[\u202A-\u202E\u2066-\u2069]/g, '')
const inReadingOrder = z.overwrite(withoutDirection)

/** E.164; spaces, dots, brackets and hyphens that people type are dropped before the check. */
export const Phone = z.string().check(
  inReadingOrder,
  z.overwrite((typed) => typed.replaceAll(/[\s().-]/g, '')),
  z.regex(/^\+[1-9]\d{6,14}$/, 'phone_form'),
)
export const maxEmail = 254
/** Stored in lower case, so that the same address is found again. */
export const Email = z
  .string()
  .check(inReadingOrder, z.trim(), z.toLowerCase(), z.maxLength(maxEmail), z.email('email_form'))

export const Latitude = z.number().check(z.minimum(-90), z.maximum(90))
export const Longitude = z.number().check(z.minimum(-180), z.maximum(180))

/** A line that must be filled in. */
export const text = (max: number, error: FieldRule = 'required') =>
  z.string().check(inReadingOrder, z.trim(), z.minLength(1, error), z.maxLength(max))

const emptyIsNull = (max: number) =>
  z
    .nullable(z.string().check(inReadingOrder, z.trim(), z.maxLength(max)))
    .check(z.overwrite((typed) => (typed === '' ? null : typed)))

/** A line that may stay empty; empty travels as null. */
export const optionalText = (max: number) => z._default(emptyIsNull(max), null)

/** The same in a change: one that is left out stays as it is recorded. */
export const changedText = (max: number) => z.optional(emptyIsNull(max))

/** An optional value of a form: absent and null are the same. */
export const orNull = <T extends z.ZodMiniType>(schema: T) => z._default(z.nullable(schema), null)

/** Some of the values of a list, each once however often it was sent. */
export const someOf = <const V extends readonly [string, ...string[]]>(values: V) =>
  z.array(z.enum(values)).check(
    z.maxLength(values.length),
    z.overwrite((given) => [...new Set(given)]),
  )

/** Values by names that are not known beforehand, at most `max` of them. */
export const recordOf = <T extends z.ZodMiniType>(value: T, max: number, keyLength = 200) =>
  z
    .record(z.string().check(z.maxLength(keyLength)), value)
    .check(z.refine((given) => Object.keys(given).length <= max, { error: 'too_many', params: { max } }))
    .register(z.globalRegistry, { maxProperties: max })

/** A whole number within limits. */
export const whole = (min: number, max: number) => z.int().check(z.minimum(min), z.maximum(max))

/** A count in an answer. */
export const Count = z.int().check(z.minimum(0))

/** What most writes on one record say back. */
export const Saved = z.object({ id: Id, version: Version })

/** A person or thing by id and name, as lists show it. */
export const Named = z.object({ id: Id, name: z.string() })
export type Named = z.output<typeof Named>

export const ById = z.object({ id: Id })
/** A write on one record that needs nothing but the record. */
export const ByIdAndVersion = write({ id: Id, version: Version })

/** File of text, small enough for one answer. */
export const CsvFile = z.object({ fileName: z.string(), csv: z.string(), rows: Count })

/** How the organization writes times of day: `14:30` or `2:30 pm`. Programs and files have 24 hours in any case. */
export const timeFormats = ['24h', '12h'] as const
export type TimeFormat = (typeof timeFormats)[number]
