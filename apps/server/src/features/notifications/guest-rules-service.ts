import {
  backTestGuestRule,
  guestEvents,
  listBookingMessages,
  listGuestRules,
  setGuestRule,
} from '@tour-ops/contract/notifications/guest-rules'
import {
  getRuleTexts,
  previewRuleText,
  saveRuleTexts as saveTextsCall,
} from '@tour-ops/contract/notifications/guest-rule-texts'
import type { EscalationRole } from '@tour-ops/contract/monitoring/alert-limits'
import type { RuleAudience } from '@tour-ops/contract/notifications/rule-audience'
import type { RuleConditions } from '@tour-ops/contract/notifications/rule-conditions'
import { fieldError } from '@tour-ops/contract/field-rules'
import { locales, type Locale } from '@tour-ops/contract/locales'
import type { Out } from '@tour-ops/contract/callable'
import type { StatusOf } from '@tour-ops/contract/state-machines'
import { sql } from 'kysely'
import { setOptOut } from '@tour-ops/contract/notifications/opt-outs'
import { refuse } from '@tour-ops/contract/refusals'
import type { MemberCall } from '../../context.ts'
import { selectContactChoice, writeOptOut } from '../../platform/channels/opt-outs.ts'
import { subjectLine } from '../../platform/channels/email-text.ts'
import { iso, isoOrNull } from '../../platform/list-query.ts'
import { addMinutes } from '../../platform/local-time.ts'
import type { ProposalFacts } from '../../platform/operations/guest-emails.ts'
import {
  audienceOfRule,
  changeRule,
  conditionsOfRule,
  saveRuleTexts,
  selectRule,
  settingOf,
  shippedRule,
} from '../../platform/operations/guest-rules.ts'
import { starterOf, writeOfEvent } from '../../platform/operations/rule-text.ts'
import { selectToldBooking, type ToldBooking } from '../../platform/operations/told-booking.ts'
import { notFound } from '../../platform/optimistic-lock.ts'
import { type Verb, verb } from '../../platform/verb.ts'
import { countWouldWrite } from './back-test.ts'

interface ListedRow {
  event: string
  isOn: boolean
  offset: number
  audience: RuleAudience
  conditions: RuleConditions
  escalateTo: EscalationRole | null
  sent7d: number
  ownLanguages: Locale[]
}

const list = verb(listGuestRules, async (call) => {
  const { rows } = await sql<ListedRow>`
    select r.event, r.enabled as "isOn", r.offset_min as "offset", ${audienceOfRule} as audience, ${conditionsOfRule} as conditions, r.escalate_to as "escalateTo",
      array(select t ->> 'language' from jsonb_array_elements(r.texts) t) as "ownLanguages", (select count(*)::int from messages m join deliveries d on d.org_id = m.org_id and d.message_id = m.id
        where m.org_id = r.org_id and m.rule_id = r.id and d.sent_at > app_now() - interval '7 days') as "sent7d"
    from notification_rules r where r.org_id = ${call.orgId} and r.audience = 'travelers'`.execute(call.tx)
  const known = new Map(rows.map((row) => [row.event, row]))
  return {
    rules: guestEvents.map((event) => {
      const row = known.get(event)
      const rule = row
        ? {
            isOn: row.isOn,
            setting: settingOf(event, row.offset),
            audience: row.audience,
            conditions: row.conditions,
            escalateTo: row.escalateTo,
          }
        : shippedRule(event)
      return { event, ...rule, sent7d: row?.sent7d ?? 0, ownLanguages: row?.ownLanguages ?? [] }
    }),
  }
})

const set = verb(setGuestRule, async (call, { event, ...change }) => {
  if (change.audience) await requireTours(call, change.audience.tourIds)
  const { isOn, setting, audience, conditions, escalateTo } = await changeRule(call.tx, call.orgId, event, change)
  return { event, isOn, setting, audience, conditions, escalateTo }
})

/** @throws AppError a field error for one that is not of the organization. */
async function requireTours({ tx, orgId }: MemberCall, ids: readonly string[]): Promise<void> {
  const { rows } = await sql<{ known: number }>`
    select count(*)::int as known from tours where org_id = ${orgId} and id = any (${ids}::uuid[])`.execute(tx)
  if (rows[0]?.known !== new Set(ids).size) throw fieldError('audience.tourIds', 'not_listed')
}

const backTest = verb(backTestGuestRule, async (call, { event, ...considered }) => {
  const rule = (await selectRule(call.tx, call.orgId, event)) ?? shippedRule(event)
  const setting = considered.setting ?? rule.setting
  const audience = considered.audience ?? rule.audience
  const conditions = considered.conditions ?? rule.conditions
  return { written7d: await countWouldWrite(call.tx, call.orgId, event, { setting, audience, conditions }) }
})

const preview = verb(previewRuleText, async (call, { event, language, texts }) => {
  const booking = await selectNextBooking(call)
  if (!booking) return { message: null }
  const { bookingRef } = booking
  const facts = { ...(await asIfLate(call, booking)), proposal: asIfProposed(booking), ...asIfHeld(booking) }
  const own = texts ?? (await selectRule(call.tx, call.orgId, event))?.texts ?? []
  const { subject, missing, ...message } = writeOfEvent(event, facts, language, 'email', own)
  return { message: { bookingRef, subject: subjectLine(subject), missing: [...missing], ...message } }
})

const texts = verb(getRuleTexts, async (call, { event }) => {
  const rule = await selectRule(call.tx, call.orgId, event)
  return {
    version: rule?.textsVersion ?? 0,
    own: [...(rule?.texts ?? [])],
    starters: locales.map((language) => starterOf(event, language)),
  }
})

const saveTexts = verb(saveTextsCall, async (call, { event, version, texts: wanted }) => ({
  version: await saveRuleTexts(call.tx, call.orgId, event, { version, texts: wanted }),
}))

/** With a day to take the seats. */
const asIfHeld = ({ heldUntil, now }: ToldBooking) => ({ heldUntil: heldUntil ?? addMinutes(now, 24 * 60) })

/** The same tour a day later, with a day to answer. */
function asIfProposed({ tourName, startsAt, timeZone, paidMinor, dueMinor, now }: ToldBooking): ProposalFacts {
  const to = { tourName, startsAt: addMinutes(startsAt, 24 * 60), timeZone, amountMinor: paidMinor + dueMinor }
  return { to, refundMinor: paidMinor, expiresAt: addMinutes(now, 24 * 60) }
}

/** With the smallest delay of which guests are told. */
async function asIfLate(call: MemberCall, booking: ToldBooking): Promise<ToldBooking> {
  const { setting } = (await selectRule(call.tx, call.orgId, 'delay_notice')) ?? shippedRule('delay_notice')
  const { meeting } = booking
  return { ...booking, meeting: meeting && { ...meeting, expectedAt: addMinutes(meeting.at, setting ?? 0) } }
}

/** The confirmed booking whose tour starts next; of those, one that has an e-mail address. */
async function selectNextBooking(call: MemberCall): ReturnType<typeof selectToldBooking> {
  const { rows } = await sql<{ id: string }>`
    select b.id from bookings b join departures d on d.org_id = b.org_id and d.id = b.departure_id
    where b.org_id = ${call.orgId} and b.status = 'confirmed' and d.starts_at > app_now()
    order by b.contact_email is null, d.starts_at, b.id limit 1`.execute(call.tx)
  return rows[0] && selectToldBooking(call.tx, call.orgId, rows[0].id)
}

interface MessageRow {
  id: string
  kind: string
  to: string
  channel: Out<typeof listBookingMessages>['messages'][number]['channel']
  status: StatusOf<'deliveries'>
  suppressedReason: Out<typeof listBookingMessages>['messages'][number]['suppressedReason']
  createdAt: Date
  dueAt: Date | null
  quietZone: string | null
  sentAt: Date | null
}

const ofBooking = verb(listBookingMessages, async (call, { id }) => {
  const { rows } = await sql<MessageRow>`
    select d.id, m.kind, d.recipient as "to", d.channel, d.status, d.suppressed_reason as "suppressedReason", d.created_at as "createdAt", case when d.status = 'queued' then d.next_attempt_at end as "dueAt",
      case when d.status = 'queued' then d.quiet_zone end as "quietZone",
      d.sent_at as "sentAt"
    from messages m join deliveries d on d.org_id = m.org_id and d.message_id = m.id
    where d.org_id = ${call.orgId} and d.booking_id = ${id}
    order by m.created_at desc, d.id desc`.execute(call.tx)
  const contact = await selectContactChoice(call.tx, call.orgId, id)
  return {
    messages: rows.map((row) => ({
      ...row,
      createdAt: iso(row.createdAt),
      dueAt: isoOrNull(row.dueAt),
      sentAt: isoOrNull(row.sentAt),
    })),
    reachedBy: contact?.channel ?? null,
    isOptedOut: contact?.isOptedOut ?? false,
    isByText: contact?.isByText ?? false,
  }
})

const optOut = verb(setOptOut, async (call, { id, isOptedOut }) => {
  const { tx, orgId } = call
  const contact = await writeOptOut(tx, orgId, id, isOptedOut)
  if (contact) return { isOptedOut: contact.isOptedOut }
  const { rows } = await sql`select from bookings where org_id = ${orgId} and id = ${id}`.execute(tx)
  throw rows.length === 0 ? notFound('booking') : refuse('no_guest_address')
})

export const guestRuleVerbs: Verb[] = [list, set, backTest, preview, texts, saveTexts, ofBooking, optOut]
