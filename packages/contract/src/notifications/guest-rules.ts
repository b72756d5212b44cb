import * as z from 'zod/mini'
import { callable } from '../callable.ts'
import { Count, Id, Instant, OpaqueId, whole, write } from '../fields.ts'
import { locales } from '../locales.ts'
import { statusesOf } from '../state-machines.ts'
import { escalationRoles } from '../monitoring/alert-limits.ts'
import { guestChannels } from './phone-channels.ts'
import { channelKinds, suppressedReasons } from './notifications.ts'
import { RuleAudience } from './rule-audience.ts'
import { RuleConditions } from './rule-conditions.ts'

/** What guests are told by e-mail, in the order of a booking's life. See docs/domain.md, "Messages". */
export const guestEvents = [
  'waitlist_offer',
  'booking_confirmed',
  'booking_changed',
  'pre_tour_info',
  'pickup_reminder',
  'last_reminder',
  'delay_notice',
  'rebooking_offer',
  'booking_cancelled',
  'feedback_request',
] as const
export type GuestEvent = (typeof guestEvents)[number]
export const isGuestEvent = (kind: unknown): kind is GuestEvent => guestEvents.some((event) => event === kind)

/** What an organization can set of a rule. */
interface RuleSetting {
  /** As shipped. */
  readonly usual: number
  /** One of a few, or any whole number of a range. */
  readonly choices: readonly number[] | SettingRange
}

/** The least and the most that can be set. */
export interface SettingRange {
  readonly min: number
  readonly max: number
}

/** Minutes of delay of which guests are told, each once. */
const delaySteps = [15, 30, 60, 120] as const

const settings = {
  /** Hours before the start. At least a day: later it would say what the reminder says. */
  pre_tour_info: { usual: 48, choices: { min: 24, max: 168 } },
  /** The hour of the day before, in the zone of the tour; none at night. */
  pickup_reminder: { usual: 18, choices: Array.from({ length: 17 }, (_, at) => at + 6) },
  /** Minutes before guests are met, by the plan that they know. */
  last_reminder: { usual: 30, choices: { min: 10, max: 180 } },
  /** The smallest delay of which guests are told, minutes. */
  delay_notice: { usual: 15, choices: delaySteps },
  /** Hours after the end, at which guests are asked how it was. */
  feedback_request: { usual: 3, choices: { min: 1, max: 48 } },
} satisfies Partial<Record<GuestEvent, RuleSetting>>
/** Events of which something can be set. */
export type SettableEvent = keyof typeof settings
export const guestRuleSettings: Readonly<Partial<Record<GuestEvent, RuleSetting>>> = settings

/** What can be set where it is a range. */
export function settingRange(event: GuestEvent): SettingRange | undefined {
  const choices = guestRuleSettings[event]?.choices
  return choices && 'min' in choices ? choices : undefined
}

/** What can be set where it is one of a few; empty elsewhere. */
export function settingChoices(event: GuestEvent): readonly number[] {
  const choices = guestRuleSettings[event]?.choices ?? []
  return 'min' in choices ? [] : choices
}

/** What the setting of an event may be, for the screen that asks for it and for the callables. */
export function settingShape(event: GuestEvent) {
  const range = settingRange(event)
  return range
    ? whole(range.min, range.max)
    : z.int().check(z.refine((setting) => settingChoices(event).includes(setting), { error: 'not_listed' }))
}

const settingIsPossible = z.check<{ readonly event: GuestEvent; readonly setting?: number | undefined }>(
  ({ value: { event, setting }, issues }) => {
    if (setting === undefined) return
    for (const issue of settingShape(event).safeParse(setting).error?.issues ?? [])
      issues.push({ ...issue, path: ['setting'], input: setting, continue: true } as z.core.$ZodRawIssue)
  },
)

/** Rules that are off until an organization switches them on: what they say is said by others as well. See docs/decisions/0169. */
const offAsShipped: readonly GuestEvent[] = ['pre_tour_info', 'last_reminder']
export const isOnAsShipped = (event: GuestEvent): boolean => !offAsShipped.includes(event)

/**
 * The step that a delay has reached.
 *
 * @param from The smallest that is told.
 * @returns undefined below it.
 */
export const delayStepOf = (delayMinutes: number, from: number): number | undefined =>
  delaySteps.findLast((step) => step >= from && step <= delayMinutes)

/** What makes a delay worth being told, whatever an organization has set: a smaller one is nobody's. */
export const leastDelayMinutes = delaySteps[0]
/** A further step is told when guests wait for at least so many minutes more than they know. */
export const moreDelayMinutes = 5
/** Guests are told of delays of what is at most so many hours ahead. */
export const delayNoticeHours = 4

/** Hours after an e-mail about a booking in which nobody needs a reminder of it. */
export const reminderQuietHours = 12

/** Who was told everything in so many minutes before a last reminder needs none. */
export const lastReminderQuietMinutes = 60

/** A last reminder that could not be written for so many minutes is not written any more. */
export const lastReminderStaleMinutes = 10

/** Information that could not be written for so many hours is not written any more: the reminder is near. */
export const informationStaleHours = 12

/** Guests who could not be asked for so many days are not asked any more. */
export const feedbackStaleDays = 3

/** Minutes that an e-mail about a change waits, so that a change which is undone tells nobody. */
export const changeNoticeMinutes = 3

const GuestRule = {
  event: z.enum(guestEvents),
  isOn: z.boolean(),
  /** Of `guestRuleSettings`; null where there is nothing to set. */
  setting: z.nullable(z.int()),
  audience: RuleAudience,
  conditions: RuleConditions,
  /** Who is notified of a message that has failed for good; null: nobody. */
  escalateTo: z.nullable(z.enum(escalationRoles)),
}

export const listGuestRules = callable({
  name: 'guest-rules-list',
  kind: 'read',
  permission: 'settings:read',
  summary: 'Of what guests are told by e-mail, and how often in the last seven days.',
  input: z.object({}),
  output: z.object({
    rules: z.array(
      z.object({
        ...GuestRule,
        sent7d: Count,
        /** In which guests read a text of the organization. */
        ownLanguages: z.array(z.enum(locales)),
      }),
    ),
  }),
  topics: ['deliveries', 'messages', 'notification_rules'],
})

export const setGuestRule = callable({
  name: 'guest-rules-set',
  kind: 'write',
  permission: 'notifications:manage',
  summary:
    'Switches on or off what guests are told of an event, or sets when, who, under which conditions, and who is notified of a message that fails; e-mails that are written already leave.',
  input: write({
    event: z.enum(guestEvents),
    isOn: z.optional(z.boolean()),
    setting: z.optional(whole(0, 1000)),
    audience: z.optional(RuleAudience),
    conditions: z.optional(RuleConditions),
    /** Of what is written from now on. */
    escalateTo: z.optional(z.nullable(z.enum(escalationRoles))),
  }).check(settingIsPossible),
  output: z.object(GuestRule),
  writes: ['notification_rules'],
})

/** Days of which a rule says what it would have written. */
export const backTestDays = 7

export const backTestGuestRule = callable({
  name: 'guest-rules-back-test',
  kind: 'read',
  permission: 'settings:read',
  summary:
    'How many messages a rule would have written in the last seven days with what happened in them, switched on and with a setting, an audience and conditions (default: its own); null where that is not recorded.',
  input: z
    .object({
      event: z.enum(guestEvents),
      setting: z.optional(whole(0, 1000)),
      audience: z.optional(RuleAudience),
      conditions: z.optional(RuleConditions),
    })
    .check(settingIsPossible),
  output: z.object({ written7d: z.nullable(Count) }),
  topics: [
    'bookings',
    'deliveries',
    'departure_stops',
    'departures',
    'feedback',
    'messages',
    'notification_rules',
    'opt_outs',
    'org_settings',
  ],
})

export const listBookingMessages = callable({
  name: 'bookings-messages',
  kind: 'read',
  permission: 'bookings:read',
  summary: 'What was written to the contact of a booking, the newest first.',
  input: z.object({ id: Id }),
  output: z.object({
    messages: z.array(
      z.object({
        id: OpaqueId,
        kind: z.string(),
        to: z.string(),
        channel: z.enum(channelKinds),
        status: z.enum(statusesOf('deliveries')),
        suppressedReason: z.nullable(z.enum(suppressedReasons)),
        createdAt: Instant,
        /** When it leaves at the earliest, for one that waits. */
        dueAt: z.nullable(Instant),
        /** Of the tour, while it waits for the end of quiet hours there. */
        quietZone: z.nullable(z.string()),
        sentAt: z.nullable(Instant),
      }),
    ),
    /** By which channel its contact is reached; null: by none. */
    reachedBy: z.nullable(z.enum(guestChannels)),
    /** Its contact wants only what is needed. */
    isOptedOut: z.boolean(),
    /** They wrote STOP, or another word for it. */
    isByText: z.boolean(),
  }),
  topics: ['bookings', 'deliveries', 'messages', 'opt_outs', 'phone_channels'],
})
