import {
  type GuestEvent,
  guestRuleSettings,
  isOnAsShipped,
  type SettableEvent,
} from '@tour-ops/contract/notifications/guest-rules'
import type { EscalationRole } from '@tour-ops/contract/monitoring/alert-limits'
import type { RuleText } from '@tour-ops/contract/notifications/guest-rule-texts'
import { everybody, isEverybody, type RuleAudience } from '@tour-ops/contract/notifications/rule-audience'
import { isUnconditional, noConditions, type RuleConditions } from '@tour-ops/contract/notifications/rule-conditions'
import { type RawBuilder, sql } from 'kysely'
import type { Tx } from '../db/database.ts'
import { newId } from '../ids.ts'
import { saveOwnTexts } from './own-texts.ts'

/** Whom a rule is for. */
export interface RuleLimits {
  readonly audience: RuleAudience
  readonly conditions: RuleConditions
}

/** What guests are told of an event, as an organization has it. */
export interface GuestRule extends RuleLimits {
  readonly isOn: boolean
  /** See `guestRuleSettings`. */
  readonly setting: number | null
  /** Who is notified of a message that has failed for good. */
  readonly escalateTo: EscalationRole | null
}

interface StoredRule extends GuestRule {
  readonly id: string
  /** Of the organization, in the place of those that are shipped. */
  readonly texts: readonly RuleText[]
  readonly textsVersion: number
}

interface RuleRow {
  id: string
  isOn: boolean
  offset: number
  audience: RuleAudience
  conditions: RuleConditions
  escalateTo: EscalationRole | null
  texts: RuleText[]
  textsVersion: number
}

/** What a rule is before anybody has changed it. */
export const shippedRule = (event: GuestEvent): GuestRule => ({
  isOn: isOnAsShipped(event),
  setting: guestRuleSettings[event]?.usual ?? null,
  audience: everybody,
  conditions: noConditions,
  escalateTo: null,
})

/** The audience of a rule `r`; both lists are there, whatever is stored. */
export const audienceOfRule: RawBuilder<unknown> = sql`(${JSON.stringify(everybody)}::jsonb || r.audience_selector)`

/** The conditions of a rule `r`, all of them, whatever is stored. */
export const conditionsOfRule: RawBuilder<unknown> = sql`(${JSON.stringify(noConditions)}::jsonb || r.conditions)`

/** What conditions ask about a party at some time. */
export interface Party {
  /** Guests. */
  readonly pax: RawBuilder<unknown>
  /** Whether something is due. */
  readonly owes: RawBuilder<unknown>
}

/** A booking `b` as it is now. */
export const partyNow: Party = { pax: sql`b.pax`, owes: sql`(due_minor(b) > 0)` }

/** A party as it was noted with a row of that alias, of `messages` or `guest_occasions`. */
export const partyNoted = (of: 'm' | 'o'): Party => ({ pax: sql.ref(`${of}.pax`), owes: sql.ref(`${of}.owes`) })

/** The tour of the departure that a column names. */
export const tourOfDeparture = (id: RawBuilder<unknown>): RawBuilder<unknown> => sql`(
  select booked.tour_id from departures booked where booked.org_id = b.org_id and booked.id = ${id})`

/**
 * Whether a rule is for a booking `b`: what sends and what counts back ask this, each with the facts of the time.
 *
 * @param limits Of the rule, or of one that is considered.
 * @param tour Id of the tour that the booking is of; left out: of the one that it is of now.
 */
export const isRuleFor = (
  { audience, conditions }: RuleLimits,
  party: Party,
  tour = tourOfDeparture(sql`b.departure_id`),
): RawBuilder<boolean> => isForParty({ audience: jsonb(audience), conditions: jsonb(conditions) }, party, tour)

/** The same of a rule `r` of the database. */
export const isStoredRuleFor = (party: Party): RawBuilder<boolean> =>
  isForParty(
    { audience: sql`r.audience_selector`, conditions: sql`r.conditions` },
    party,
    tourOfDeparture(sql`b.departure_id`),
  )

const jsonb = (value: RuleAudience | RuleConditions): RawBuilder<unknown> => sql`${JSON.stringify(value)}::jsonb`

const isForParty = (
  { audience, conditions }: { readonly [K in keyof RuleLimits]: RawBuilder<unknown> },
  { pax, owes }: Party,
  tour: RawBuilder<unknown>,
): RawBuilder<boolean> => sql<boolean>`is_rule_for(${audience}, ${conditions}, ${tour}, b.channel, ${pax}, ${owes})`

/** Whether a rule is for a booking as it is now. */
export async function isMeant(tx: Tx, orgId: string, rule: RuleLimits, bookingId: string): Promise<boolean> {
  if (isEverybody(rule.audience) && isUnconditional(rule.conditions)) return true
  const { rows } = await sql`
    select from bookings b where b.org_id = ${orgId} and b.id = ${bookingId} and ${isRuleFor(rule, partyNow)}`.execute(
    tx,
  )
  return rows.length > 0
}

interface Scale {
  /** Minutes of one; negative where it is counted back from what is to come. */
  readonly unit: number
  readonly from: number
}

const hour = 60
const scales = {
  pre_tour_info: { unit: -hour, from: 0 },
  // an hour of the day before is counted from the beginning of the day
  pickup_reminder: { unit: hour, from: -24 * hour },
  last_reminder: { unit: -1, from: 0 },
  delay_notice: { unit: 1, from: 0 },
  feedback_request: { unit: hour, from: 0 },
} satisfies Record<SettableEvent, Scale>
const scaleOf: Readonly<Partial<Record<GuestEvent, Scale>>> = scales

/** `notification_rules.offset_min` of a setting. */
function offsetOf(event: GuestEvent, setting: number | null): number {
  const scale = scaleOf[event]
  return scale && setting !== null ? setting * scale.unit + scale.from : 0
}

/** And back. */
export function settingOf(event: GuestEvent, offset: number): number | null {
  const scale = scaleOf[event]
  return scale ? (offset - scale.from) / scale.unit : null
}

/** When the guests of a departure `d` are reminded. */
export const reminderDueAt = (setting: number | null): RawBuilder<Date> =>
  sql<Date>`((d.local_date + make_interval(mins => ${offsetOf('pickup_reminder', setting)}::int)) at time zone d.time_zone)`

/** When the guests of a departure `d` get the information before their tour. */
export const informationDueAt = (setting: number | null): RawBuilder<Date> =>
  sql<Date>`(d.starts_at + make_interval(mins => ${offsetOf('pre_tour_info', setting)}::int))`

/** When guests get their last reminder. @param meetingAt When they are met. */
export const lastReminderDueAt = (meetingAt: RawBuilder<unknown>, setting: number | null): RawBuilder<Date> =>
  sql<Date>`(${meetingAt} + make_interval(mins => ${offsetOf('last_reminder', setting)}::int))`

/** When guests are asked how it was. @param ended When their departure ended. */
export const feedbackDueAt = (ended: RawBuilder<unknown>, setting: number | null): RawBuilder<Date> =>
  sql<Date>`(${ended} + make_interval(mins => ${offsetOf('feedback_request', setting)}::int))`

interface RuleChange {
  readonly isOn?: boolean | undefined | null
  readonly setting?: number | undefined
  readonly audience?: RuleAudience | undefined
  readonly conditions?: RuleConditions | undefined
  /** Left out: as it is. */
  readonly escalateTo?: EscalationRole | null | undefined
}

/** Changes the rule of an event, and makes it where it was as it is shipped; what is not given stays. @returns what it is now. */
export async function changeRule(
  tx: Tx,
  orgId: string,
  event: GuestEvent,
  { isOn = null, setting, audience, conditions, escalateTo }: RuleChange,
): Promise<GuestRule> {
  const shipped = shippedRule(event)
  const offset = setting === undefined ? null : offsetOf(event, setting)
  const [guests, asked] = [audience, conditions].map((given) => (given === undefined ? null : JSON.stringify(given)))
  const columns = sql`r.enabled, r.offset_min, r.audience_selector, r.conditions, coalesce(r.escalate_to, '')`
  const goesTo = sql`case when ${escalateTo === undefined} then r.escalate_to else ${escalateTo ?? null}::text end`
  const changed = sql`coalesce(${isOn}::boolean, r.enabled), coalesce(${offset}::int, r.offset_min),
    coalesce(${guests}::jsonb, r.audience_selector), coalesce(${asked}::jsonb, r.conditions)`
  const escalation = sql`${goesTo}, case when ${goesTo} is not distinct from r.escalate_to then r.escalate_since when ${goesTo} is not null then app_now() end`
  const first = {
    isOn: isOn ?? shipped.isOn,
    setting: setting ?? shipped.setting,
    audience: audience ?? shipped.audience,
    conditions: conditions ?? shipped.conditions,
    escalateTo: escalateTo ?? null,
  }
  await insertRule(
    tx,
    orgId,
    event,
    first,
    sql`update set (enabled, offset_min, audience_selector, conditions, escalate_to, escalate_since) = (${changed}, ${escalation})
      where (${columns}) <> (${changed}, coalesce(${goesTo}, ''))`,
  )
  return (await selectRule(tx, orgId, event)) ?? first
}

/** The rule of an event; made as it is shipped, where nobody has changed it yet. */
export async function ruleOf(tx: Tx, orgId: string, event: GuestEvent): Promise<StoredRule> {
  const found = await selectRule(tx, orgId, event)
  if (found) return found
  // somebody else may make it at the same moment, and may have switched it off
  await insertRule(tx, orgId, event, shippedRule(event), sql`nothing`)
  const made = await selectRule(tx, orgId, event)
  if (!made) throw new Error(`The rule of ${event} could not be made.`)
  return made
}

async function insertRule(
  tx: Tx,
  orgId: string,
  event: GuestEvent,
  { isOn, setting, audience, conditions, escalateTo }: GuestRule,
  onConflict: RawBuilder<unknown>,
): Promise<void> {
  await sql`
    insert into notification_rules as r (org_id, id, event, audience, channels, enabled, offset_min, audience_selector, conditions, escalate_to, escalate_since)
    values (${orgId}, ${newId()}, ${event}, 'travelers', '{email}', ${isOn}, ${offsetOf(event, setting)}, ${JSON.stringify(audience)}::jsonb,
      ${JSON.stringify(conditions)}::jsonb, ${escalateTo}, ${escalateTo === null ? null : sql`app_now()`})
    on conflict (org_id, event) where audience = 'travelers' do ${onConflict}`.execute(tx)
}

/** Undefined where the rule is as it is shipped and has written nothing. */
export async function selectRule(tx: Tx, orgId: string, event: GuestEvent): Promise<StoredRule | undefined> {
  const { rows } = await sql<RuleRow>`
    select r.id, r.enabled as "isOn", r.offset_min as "offset", ${audienceOfRule} as audience, ${conditionsOfRule} as conditions,
      r.escalate_to as "escalateTo", r.texts, r.texts_version as "textsVersion"
    from notification_rules r where r.org_id = ${orgId} and r.event = ${event} and r.audience = 'travelers'`.execute(tx)
  const [row] = rows
  if (!row) return undefined
  const { offset, ...rule } = row
  return { ...rule, setting: settingOf(event, offset) }
}

/**
 * Replaces the texts of a rule.
 *
 * @returns their version.
 * @throws AppError as `saveOwnTexts`.
 */
export function saveRuleTexts(
  tx: Tx,
  orgId: string,
  event: GuestEvent,
  change: { readonly version: number; readonly texts: readonly RuleText[] },
): Promise<number> {
  const { isOn, setting } = shippedRule(event)
  return saveOwnTexts(tx, orgId, { event, audience: 'travelers', isOn, offset: offsetOf(event, setting) }, change)
}
