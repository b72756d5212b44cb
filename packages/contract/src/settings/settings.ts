import * as z from 'zod/mini'
import { feeTaxes, taxSchemes } from '../bookings/tax-schemes.ts'
import { defaultLateLimits } from '../departures/displayed-status.ts'
import { roles } from '../identity/access.ts'
import { callable } from '../callable.ts'
import {
  Currency,
  Email,
  Id,
  Instant,
  Latitude,
  LocalDate,
  LocalTime,
  Longitude,
  optionalText,
  orNull,
  someOf,
  text,
  timeFormats,
  TimeZone,
  Version,
  whole,
  write,
} from '../fields.ts'
import { locales } from '../locales.ts'
import {
  alertLimitFields,
  defaultAlertLimits,
  defaultEscalation,
  escalationFields,
} from '../monitoring/alert-limits.ts'
import { usualQuietHours } from '../notifications/quiet-hours.ts'
import { usualPoorestStars } from '../reports/poor-rating.ts'
import { tileSources } from './map-tiles.ts'

/** Programs that answer how long a way by road is. */
export const routerKinds = ['osrm', 'valhalla'] as const
export type RouterKind = (typeof routerKinds)[number]

/** An address of the web without a query, and without a name and password, which everyone who reads settings would see. */
const serviceAddress = /^https?:\/\/(\[[0-9a-f:.]+\]|[a-z0-9._-]+)(:\d{1,5})?(\/[a-z0-9/._~-]*)?$/i

/** Where travel times come from. */
const Routing = z
  .object({
    /** `none`: the straight line, longer by a factor. */
    router: z.enum(['none', ...routerKinds]),
    /** Of the router, as `https://osrm.example.com/`. */
    address: orNull(z.string().check(z.trim(), z.maxLength(300), z.regex(serviceAddress, 'router_address_form'))),
  })
  .check(
    z.refine(({ router, address }) => router === 'none' || address !== null, {
      path: ['address'],
      error: 'router_address_missing',
    }),
    z.refine(({ router, address }) => router !== 'none' || address === null, {
      path: ['router'],
      error: 'router_kind_missing',
    }),
  )

/** An address of the web; what stands behind the question mark is often a key of the service that the browsers of all readers send anyway. */
const tilesAddress = /^https?:\/\/(\[[0-9a-f:.]+\]|[a-z0-9._-]+)(:\d{1,5})?\/[^\s"'<>\\#]*$/i

/** What maps are drawn on. */
const Tiles = z
  .object({
    /** `offline`: the basemap of the installation. */
    source: z.enum(['offline', ...tileSources]),
    /** Of the style, or of the PMTiles file. */
    address: orNull(z.string().check(z.trim(), z.maxLength(500), z.regex(tilesAddress, 'tiles_address_form'))),
  })
  .check(
    z.refine(({ source, address }) => source === 'offline' || address !== null, {
      path: ['address'],
      error: 'tiles_address_missing',
    }),
    z.refine(({ source, address }) => source !== 'offline' || address === null, {
      path: ['source'],
      error: 'tiles_source_missing',
    }),
  )

/** Two decimals: a rate is stored in hundredths of a percent. */
const TaxPercent = z.number().check(
  z.minimum(0),
  z.maximum(100),
  z.overwrite((percent) => Math.round(percent * 100) / 100),
)

/** Who issues invoices, as it is printed on them, and which tax they state. */
const Billing = z.object({
  /** Where it is another one than the name of the organization. */
  legalName: optionalText(120),
  /** Postal, of several lines. */
  address: optionalText(400),
  taxNumber: optionalText(40),
  /** Below the total: bank account, terms of payment, how tax is charged. */
  invoiceNote: optionalText(500),
  taxScheme: z._default(z.enum(taxSchemes), 'none'),
  /** Where it is another one than is usual in the language of the guest. */
  taxName: optionalText(40),
  /** Used under the scheme `included` alone. */
  taxPercent: z._default(TaxPercent, 0),
  feeTax: z._default(z.enum(feeTaxes), 'taxed'),
})

/** What counts in the whole organization. Every field has a reader; what has none is not a setting. */
export const GeneralSettings = z.object({
  name: text(120, 'organization_unnamed'),
  timeZone: TimeZone,
  /** Language of e-mails and notices to people who have chosen none. */
  locale: z.enum(locales),
  currency: Currency,
  /** 0 is Sunday. */
  weekStart: whole(0, 6),
  timeFormat: z.enum(timeFormats),
  units: z.enum(['metric', 'imperial']),
  /** On the pages that guests see. */
  phone: optionalText(40),
  /** What guides dial in danger, where it is another one than 112. */
  emergencyNumber: optionalText(20),
  /** How guests pay at the start what is due by then, on their pages; null says nothing of it. */
  payAtStart: optionalText(300),
  /** Left out: nothing of it. */
  billing: z._default(Billing, {
    legalName: null,
    address: null,
    taxNumber: null,
    invoiceNote: null,
    taxScheme: 'none',
    taxName: null,
    taxPercent: 0,
    feeTax: 'taxed',
  }),
  workingHours: z.object({ from: LocalTime, to: LocalTime }),
  /** Where the map opens. */
  map: z.object({ lat: Latitude, lng: Longitude, zoom: z.number().check(z.minimum(0), z.maximum(17)) }),
  tiles: Tiles,
  routing: Routing,
  retention: z.object({ positionsDays: whole(1, 3650), sensitiveDays: whole(0, 3650) }),
})
export type GeneralSettings = z.output<typeof GeneralSettings>

export const headcountPolicies = ['ask', 'require'] as const

/** A departure code must distinguish tour, day and hour. See docs/domain.md, "Settings". */
const CodePattern = z.string().check(
  z.trim(),
  z.maxLength(60),
  z.regex(/^[A-Za-z0-9{}_.-]*$/, 'code_characters'),
  z.refine(
    (pattern) => /\{TOUR\}/.test(pattern) && /\{(YY|YYYY)MMDD\}/.test(pattern) && /\{HHMM\}/.test(pattern),
    'code_parts',
  ),
)

export const TourSettings = z
  .object({
    /** Of a tour that is created without a capacity of its own; so the next two. */
    defaultCapacity: whole(1, 1000),
    cutoffMinutes: whole(0, 43_200),
    overbookLimit: whole(0, 100),
    holdMinutes: whole(5, 60 * 24 * 60),
    waitlistOfferMinutes: whole(5, 60 * 24 * 30),
    /** Guests change names and diet on the link of their booking until so many hours before the start. */
    guestChangesHours: whole(0, 720),
    /** Go or no-go is decided this many days before the start, unless the tour says otherwise. */
    decideByDays: whole(0, 60),
    onTimeToleranceMin: whole(0, 120),
    runningLateMin: whole(1, 600),
    atRiskMin: whole(1, 600),
    /** Check-in opens this long before the start. */
    checkInOpensMin: whole(0, 1440),
    noShowFromMin: whole(0, 120),
    headcountPolicy: z.enum(headcountPolicies),
    codePattern: CodePattern,
    ...alertLimitFields,
    ...escalationFields,
  })
  .check(
    z.refine((rules) => rules.runningLateMin <= rules.atRiskMin, {
      path: ['atRiskMin'],
      error: 'critical_before_late',
    }),
  )
export type TourSettings = z.output<typeof TourSettings>

/** When what is sent once a day can leave, every half hour from 5:00 to 22:00; later there are too few hours to make up for a stop of the server. */
const dailyTime = /^(off|(0[5-9]|1\d|2[01]):[03]0|22:00)$/
/** Made when asked for: what is made on loading would be in the first load of pages that have no use for it. */
export const dailyTimes = (): string[] =>
  [
    'off',
    ...Array.from({ length: 48 }, (_, at) => `${String(at >> 1).padStart(2, '0')}:${at % 2 ? '30' : '00'}`),
  ].filter((time) => dailyTime.test(time))
/** As shipped. */
export const usualDailyTime = '18:00'

export const NotificationSettings = z.object({
  /** Name before the address of the installation's mail account. */
  senderName: optionalText(80),
  replyTo: orNull(Email),
  /** Between these times, by the clocks of the tour, guests get only what is urgent; equal times are none. */
  quietFrom: z._default(LocalTime, usualQuietHours.from),
  quietTo: z._default(LocalTime, usualQuietHours.to),
  /** When the office gets its digest, by the clock of the organization. */
  digestAt: z._default(z.string().check(z.maxLength(5), z.regex(dailyTime)), usualDailyTime),
  /** When crews are reminded of the next day, by the clock of the tour. */
  crewReminderAt: z._default(z.string().check(z.maxLength(5), z.regex(dailyTime)), usualDailyTime),
  /** Stars up to which what guests say of tour or guide is poor, and followed up. */
  poorestStars: z._default(whole(1, 4), usualPoorestStars),
})
export type NotificationSettings = z.output<typeof NotificationSettings>

/** Defaults of a new organization. See docs/domain.md, "Settings". */
export const defaultTourSettings: TourSettings = {
  defaultCapacity: 16,
  cutoffMinutes: 60,
  overbookLimit: 0,
  holdMinutes: 24 * 60,
  waitlistOfferMinutes: 24 * 60,
  guestChangesHours: 24,
  decideByDays: 3,
  ...defaultLateLimits,
  runningLateMin: 15,
  checkInOpensMin: 90,
  noShowFromMin: 5,
  headcountPolicy: 'require',
  codePattern: '{TOUR}-{YYMMDD}-{HHMM}',
  ...defaultAlertLimits,
  ...defaultEscalation,
}

export const defaultNotificationSettings: NotificationSettings = {
  senderName: null,
  replyTo: null,
  quietFrom: usualQuietHours.from,
  quietTo: usualQuietHours.to,
  digestAt: usualDailyTime,
  crewReminderAt: usualDailyTime,
  poorestStars: usualPoorestStars,
}

/** Facts shown with the settings. */
const GeneralState = z.object({
  /** Since when the router does not answer; travel times come from the straight line meanwhile. */
  routerSilentSince: z.nullable(Instant),
})

const read = <S extends z.ZodMiniType>(section: S) =>
  z.object({ version: Version, updatedAt: Instant, settings: section })

export const getGeneralSettings = callable({
  name: 'settings-general-get',
  kind: 'read',
  permission: 'settings:read',
  summary: 'Name, zone, locale, units, map and retention of the organization.',
  input: z.object({}),
  output: z.extend(read(GeneralSettings), { state: GeneralState }),
  topics: ['org_settings', 'organizations'],
})
export const updateGeneralSettings = callable({
  name: 'settings-general-update',
  kind: 'write',
  permission: 'settings:manage',
  summary: 'Changes the general settings. A new URL of a router or of map tiles is checked first.',
  input: write({ version: Version, settings: GeneralSettings }),
  output: z.extend(read(GeneralSettings), { state: GeneralState }),
  // the emergency number is that of the public services
  repeated: 'same-answer',
  writes: ['org_settings'],
})

export const setUpOrganization = callable({
  name: 'settings-set-up',
  kind: 'write',
  permission: 'settings:manage',
  summary:
    'Saves the first settings of a new organization: time zone, currency and the first base, which becomes a place.',
  input: write({
    timeZone: TimeZone,
    currency: Currency,
    base: orNull(z.object({ name: text(120, 'place_unnamed'), lat: Latitude, lng: Longitude })),
  }),
  output: z.object({ basePlaceId: z.nullable(Id) }),
  writes: ['org_settings', 'places'],
})

export const getTourSettings = callable({
  name: 'settings-tour-get',
  kind: 'read',
  permission: 'settings:read',
  summary: 'Defaults, thresholds and policies of tours.',
  input: z.object({}),
  output: read(TourSettings),
  topics: ['org_settings'],
})
export const updateTourSettings = callable({
  name: 'settings-tour-update',
  kind: 'write',
  permission: 'settings:manage',
  summary: 'Changes tour defaults, thresholds and policies.',
  input: write({ version: Version, settings: TourSettings }),
  output: read(TourSettings),
  writes: ['org_settings'],
})

export const getNotificationSettings = callable({
  name: 'settings-notifications-get',
  kind: 'read',
  permission: 'settings:read',
  summary:
    'Sender of e-mails to guests, the hours in which they are not disturbed, when the office gets its digest, and which ratings are poor.',
  input: z.object({}),
  output: read(NotificationSettings),
  topics: ['org_settings'],
})
export const updateNotificationSettings = callable({
  name: 'settings-notifications-update',
  kind: 'write',
  permission: 'settings:manage',
  summary:
    'Changes sender, quiet hours, digest and which ratings are poor; what waits for the end of quiet hours is looked at again.',
  input: write({ version: Version, settings: NotificationSettings }),
  output: read(NotificationSettings),
  writes: ['deliveries', 'org_settings'],
})

/** Of which roles the organization asks for a second factor, and from which day on by its own clock. Both or nothing. */
export const SecuritySettings = z
  .object({ secondFactorRoles: someOf(roles), secondFactorFrom: z.nullable(LocalDate) })
  .check(
    z.refine((rule) => rule.secondFactorRoles.length === 0 || rule.secondFactorFrom !== null, {
      path: ['secondFactorFrom'],
      error: 'first_day_missing',
    }),
    z.refine((rule) => rule.secondFactorRoles.length > 0 || rule.secondFactorFrom === null, {
      path: ['secondFactorRoles'],
      error: 'role_missing',
    }),
  )
export type SecuritySettings = z.output<typeof SecuritySettings>

export const getSecuritySettings = callable({
  name: 'settings-security-get',
  kind: 'read',
  permission: 'members:manage',
  summary:
    'For which roles a second factor is required, and from when. Where a hosted service keeps accounts: `unimplemented`.',
  input: z.object({}),
  output: read(SecuritySettings),
  topics: ['org_settings'],
})
export const updateSecuritySettings = callable({
  name: 'settings-security-update',
  kind: 'write',
  permission: 'members:manage',
  summary:
    'Changes for which roles a second factor is required. Refused for the role of the caller while the session has no second factor.',
  input: write({ version: Version, settings: SecuritySettings }),
  output: read(SecuritySettings),
  writes: ['org_settings'],
})

/** What a person can be notified of in addition to the work on screen. */
export const noticeEvents = [
  'assignment_offered',
  'assignment_decided',
  'assignment_changed',
  'duty_reminder',
  'duty_start_missing',
  'plan_unopened',
  'import_finished',
  'access_asked',
  'router_silent',
  'help_called',
  'alert_escalated',
  'incident_updated',
  'poor_rating',
  'guest_wrote',
  'message_undelivered',
  'link_opened_first',
  'webhook_off',
  'daily_digest',
] as const
export type NoticeEvent = (typeof noticeEvents)[number]
export const noticeChannels = ['in_app', 'push', 'email'] as const
export type NoticeChannel = (typeof noticeChannels)[number]
/** Where a notice goes for which a person has no preference; `push` reaches only browsers in which they switched it on. */
const defaultNoticeChannels: readonly NoticeChannel[] = ['in_app', 'push']
/** The digest is read in peace, and that a link was opened is no reason to ring. */
const usualChannels: Readonly<Partial<Record<NoticeEvent, readonly NoticeChannel[]>>> = {
  daily_digest: ['in_app', 'email'],
  link_opened_first: ['in_app'],
}

export const OwnPreferences = z.object({
  /** Where a person is notified of which event; a missing event uses the default. */
  events: z._default(z.partialRecord(z.enum(noticeEvents), someOf(noticeChannels)), {}),
  /** Of notices and e-mails to me; the organization's when null. */
  language: orNull(z.enum(locales)),
})
export type OwnPreferences = z.output<typeof OwnPreferences>

/** Where a person is notified of an event, as they chose or as it is usual. */
export const noticeChannelsFor = (events: OwnPreferences['events'], event: NoticeEvent): readonly NoticeChannel[] =>
  events[event] ?? usualChannels[event] ?? defaultNoticeChannels

export const getOwnPreferences = callable({
  name: 'settings-own-get',
  kind: 'read',
  permission: 'member',
  summary: 'My own notification preferences.',
  input: z.object({}),
  output: z.object({ settings: OwnPreferences }),
  topics: ['own_preferences'],
})
export const updateOwnPreferences = callable({
  name: 'settings-own-update',
  kind: 'write',
  permission: 'member',
  summary: 'Changes my own notification preferences.',
  input: write({ settings: OwnPreferences }),
  output: z.object({ settings: OwnPreferences }),
  writes: ['own_preferences'],
})
