import * as z from 'zod/mini'
import { callable } from '../callable.ts'
import { Count, Id, Instant, Named, Saved, text, TimeZone, Version, write } from '../fields.ts'
import { AreaShape } from '../map/area-shape.ts'
import { Area } from '../map/areas.ts'
import { severities } from './alerts.ts'

/** Warnings that are listed, the newest first. */
export const maxWeatherWarnings = 200
/** Tours, departures or bases that one warning names. */
export const maxWeatherTargets = 50
/** Longest title. */
export const maxWeatherTitle = 120
/** Longest text for guests and crew. */
export const maxWeatherText = 2000
/** Longest id by which a service knows a warning. */
export const maxWeatherId = 200

/** Where a warning holds. A base is what its departures have in common: their time zone. */
export const weatherReaches = ['everything', 'bases', 'tours', 'departures', 'area'] as const

const some = <T extends z.ZodMiniType>(item: T) =>
  z.array(item).check(
    z.minLength(1),
    z.maxLength(maxWeatherTargets),
    z.overwrite((given) => [...new Set(given)]),
  )

const everything = z.object({ kind: z.literal('everything') })
const bases = z.object({ kind: z.literal('bases'), zones: some(TimeZone) })
const area = z.object({ kind: z.literal('area'), area: Area })

/** Where the office can say that a warning holds. */
const WeatherWhere = z.discriminatedUnion('kind', [
  everything,
  bases,
  z.object({ kind: z.literal('tours'), tourIds: some(Id) }),
  z.object({ kind: z.literal('departures'), departureIds: some(Id) }),
  area,
])
export type WeatherWhere = z.output<typeof WeatherWhere>

const content = {
  title: text(maxWeatherTitle, 'title_missing'),
  text: text(maxWeatherText, 'text_missing'),
  severity: z.enum(severities),
  startsAt: Instant,
  endsAt: Instant,
}

/**
 * What a weather service sends to its address: a warning, again under the same id when it changes, or only the id with `cancelled`. It knows no
 * ids of ours, so it names a base or an area, or nothing for everything.
 */
export const WeatherReport = z.object({
  id: text(maxWeatherId),
  cancelled: z._default(z.literal(false), false),
  ...content,
  where: z._default(z.discriminatedUnion('kind', [everything, bases, area]), { kind: 'everything' }),
})
export type WeatherReport = z.output<typeof WeatherReport>

export const WeatherCancellation = z.object({ id: text(maxWeatherId), cancelled: z.literal(true) })
export type WeatherCancellation = z.output<typeof WeatherCancellation>

/** What became of a report. */
export const weatherOutcomes = ['stated', 'changed', 'unchanged', 'ended', 'unknown'] as const

/** The address of a weather service, below the server's. Anyone who knows the token can state warnings. */
export const weatherPath = (token: string): string => `/weather/${token}`

export const WeatherWarning = z.object({
  id: Id,
  version: Version,
  title: z.string(),
  text: z.string(),
  severity: z.enum(severities),
  startsAt: Instant,
  endsAt: Instant,
  where: z.object({
    kind: z.enum(weatherReaches),
    zones: z.array(z.string()),
    /** The tours, or the departures by code. */
    named: z.array(Named),
    area: z.nullable(AreaShape),
  }),
  /** Null for one that a weather service reported. */
  statedByName: z.nullable(z.string()),
  statedAt: Instant,
  isReported: z.boolean(),
  endedAt: z.nullable(Instant),
  endedByName: z.nullable(z.string()),
  /** Departures with an alert that is not resolved. */
  departures: Count,
})
export type WeatherWarning = z.output<typeof WeatherWarning>

export const listWeatherWarnings = callable({
  name: 'weather-warnings-list',
  kind: 'read',
  permission: 'monitoring:read',
  summary: 'Weather warnings that hold or will, or those that are over, the newest first.',
  input: z.object({ over: z._default(z.boolean(), false) }),
  output: z.object({ warnings: z.array(WeatherWarning), timeZone: z.string() }),
  topics: ['alerts', 'departures', 'members', 'org_settings', 'tours', 'weather_warning_targets', 'weather_warnings'],
})

export const stateWeatherWarning = callable({
  name: 'weather-warnings-state',
  kind: 'write',
  permission: 'alerts:manage',
  summary: 'States a weather warning. Each departure that is there at the time has an alert until it ends.',
  input: write({ ...content, where: WeatherWhere }),
  output: Saved,
  writes: ['weather_warning_targets', 'weather_warnings'],
})

export const endWeatherWarning = callable({
  name: 'weather-warnings-end',
  kind: 'write',
  permission: 'alerts:manage',
  summary: 'Ends a weather warning, which resolves its alerts, or takes that back.',
  input: write({ id: Id, version: Version, ended: z.boolean() }),
  output: Saved,
  writes: ['weather_warnings'],
})

export const WeatherSource = z.object({
  id: Id,
  version: Version,
  issuedAt: Instant,
  issuedByName: z.nullable(z.string()),
  /** The last characters of the address, to recognize which one is in use. */
  hint: z.string(),
})
export type WeatherSource = z.output<typeof WeatherSource>

export const getWeatherSource = callable({
  name: 'weather-source-get',
  kind: 'read',
  permission: 'settings:manage',
  summary: 'Whether there is an address for a weather service; never the address itself.',
  input: z.object({}),
  output: z.object({ source: z.nullable(WeatherSource) }),
  topics: ['members', 'weather_sources'],
})

export const issueWeatherSource = callable({
  name: 'weather-source-issue',
  kind: 'write',
  permission: 'settings:manage',
  summary:
    'Creates the address at which a weather service reports warnings, or a new one; the earlier one stops working.',
  input: write({}),
  output: z.object({ id: Id, version: Version, url: z.string() }),
  repeated: 'same-answer-briefly',
  writes: ['weather_sources'],
})

export const revokeWeatherSource = callable({
  name: 'weather-source-revoke',
  kind: 'write',
  permission: 'settings:manage',
  summary: 'Ends the address of the weather service: it answers 404 from then on. Its warnings stay.',
  input: write({ id: Id, version: Version }),
  output: z.object({ id: Id }),
  writes: ['weather_sources'],
})
