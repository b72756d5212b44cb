import type { Out } from '@tour-ops/contract/callable'
import {
  defaultNotificationSettings,
  defaultTourSettings,
  getNotificationSettings,
  getOwnPreferences,
  getTourSettings,
  type NotificationSettings,
  OwnPreferences,
  type TourSettings,
  updateNotificationSettings,
  updateOwnPreferences,
  updateTourSettings,
} from '@tour-ops/contract/settings/settings'
import { sql } from 'kysely'
import type { MemberCall } from '../../context.ts'
import { endQuietHours } from '../../platform/channels/quiet-hours.ts'
import { type Verb, verb } from '../../platform/verb.ts'
import { requireSettingsVersion } from './settings-version.ts'
import { notFound } from '../../platform/optimistic-lock.ts'

/** Rules that planning and booking read by column. */
type ByColumn = Pick<
  TourSettings,
  | 'defaultCapacity'
  | 'cutoffMinutes'
  | 'overbookLimit'
  | 'holdMinutes'
  | 'waitlistOfferMinutes'
  | 'guestChangesHours'
  | 'decideByDays'
  | 'checkInOpensMin'
  | 'onTimeToleranceMin'
  | 'codePattern'
>

interface TourColumns extends ByColumn {
  version: number
  updatedAt: Date
  noShowAfterMinutes: number
  /** All others. */
  rules: Partial<Omit<TourSettings, keyof ByColumn | 'noShowFromMin'>>
}

async function selectTour(call: MemberCall): Promise<Out<typeof getTourSettings>> {
  const { rows } = await sql<TourColumns>`
    select version, updated_at as "updatedAt", default_capacity as "defaultCapacity", default_cutoff_minutes as "cutoffMinutes",
      default_overbook_limit as "overbookLimit", hold_minutes as "holdMinutes", waitlist_offer_minutes as "waitlistOfferMinutes", guest_changes_hours as "guestChangesHours",
      decide_by_days as "decideByDays", boarding_opens_minutes as "checkInOpensMin", on_time_tolerance_minutes as "onTimeToleranceMin",
      no_show_after_minutes as "noShowAfterMinutes", departure_code_pattern as "codePattern", tour_rules as rules
    from org_settings where org_id = ${call.orgId}`.execute(call.tx)
  const row = rows[0]
  if (!row) throw notFound('settings')
  const { version, updatedAt, noShowAfterMinutes, rules, ...columns } = row
  return {
    version,
    updatedAt: updatedAt.toISOString(),
    settings: { ...defaultTourSettings, ...rules, ...columns, noShowFromMin: -noShowAfterMinutes },
  }
}

const getTour = verb(getTourSettings, (call) => selectTour(call))

const updateTour = verb(updateTourSettings, async (call, { version, settings }) => {
  await requireSettingsVersion(call, version)
  const {
    defaultCapacity,
    cutoffMinutes,
    overbookLimit,
    holdMinutes,
    waitlistOfferMinutes,
    guestChangesHours,
    decideByDays,
    checkInOpensMin,
    onTimeToleranceMin,
    noShowFromMin,
    codePattern,
    ...rules
  } = settings
  await sql`
    update org_settings set default_capacity = ${defaultCapacity}, default_cutoff_minutes = ${cutoffMinutes},
      default_overbook_limit = ${overbookLimit}, hold_minutes = ${holdMinutes}, waitlist_offer_minutes = ${waitlistOfferMinutes}, guest_changes_hours = ${guestChangesHours},
      boarding_opens_minutes = ${checkInOpensMin}, on_time_tolerance_minutes = ${onTimeToleranceMin},
      no_show_after_minutes = ${-noShowFromMin}, decide_by_days = ${decideByDays}, departure_code_pattern = ${codePattern},
      tour_rules = ${JSON.stringify(rules)}
    where org_id = ${call.orgId}`.execute(call.tx)
  return selectTour(call)
})

async function selectNotifications(call: MemberCall): Promise<Out<typeof getNotificationSettings>> {
  const { rows } = await sql<{ version: number; updatedAt: Date; rules: Partial<NotificationSettings> }>`
    select version, updated_at as "updatedAt", notification_rules as rules from org_settings where org_id = ${call.orgId}`.execute(
    call.tx,
  )
  const row = rows[0]
  if (!row) throw notFound('settings')
  return {
    version: row.version,
    updatedAt: row.updatedAt.toISOString(),
    settings: { ...defaultNotificationSettings, ...row.rules },
  }
}

const getNotifications = verb(getNotificationSettings, (call) => selectNotifications(call))

const updateNotifications = verb(updateNotificationSettings, async (call, { version, settings }) => {
  await requireSettingsVersion(call, version)
  const { settings: before } = await selectNotifications(call)
  await sql`update org_settings set notification_rules = ${JSON.stringify(settings)} where org_id = ${call.orgId}`.execute(
    call.tx,
  )
  const isOtherwise = before.quietFrom !== settings.quietFrom || before.quietTo !== settings.quietTo
  if (isOtherwise) await endQuietHours(call.tx, call.orgId)
  return selectNotifications(call)
})

const getOwn = verb(getOwnPreferences, async (call) => {
  const { rows } = await sql<{ preferences: unknown }>`
    select preferences from own_preferences where org_id = ${call.orgId} and user_id = ${call.caller.userId}`.execute(
    call.tx,
  )
  return { settings: OwnPreferences.parse(rows[0]?.preferences ?? {}) }
})

const updateOwn = verb(updateOwnPreferences, async (call, { settings }) => {
  await sql`
    insert into own_preferences (org_id, user_id, preferences)
    values (${call.orgId}, ${call.caller.userId}, ${JSON.stringify(settings)})
    on conflict (org_id, user_id) do update set preferences = excluded.preferences`.execute(call.tx)
  return { settings }
})

export const rulesVerbs: Verb[] = [getTour, updateTour, getNotifications, updateNotifications, getOwn, updateOwn]
