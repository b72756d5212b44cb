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
import { type Verb, verb } from '../../platform/verb.ts'
import { requireSettingsVersion } from './settings-version.ts'
import { notFound } from '../../platform/optimistic-lock.ts'

/** Rules that planning and booking read by column; the others lie in `tour_rules`. */
interface TourColumns {
  version: number
  updatedAt: Date
  defaultCapacity: number
  cutoffMinutes: number
  overbookLimit: number
  holdMinutes: number
  waitlistOfferMinutes: number
  decideByDays: number
  checkInOpensMin: number
  onTimeToleranceMin: number
  noShowAfterMinutes: number
  codePattern: string
  rules: Partial<Pick<TourSettings, 'runningLateMin' | 'atRiskMin' | 'headcountPolicy'>>
}

async function selectTour(call: MemberCall): Promise<Out<typeof getTourSettings>> {
  const { rows } = await sql<TourColumns>`
    select version, updated_at as "updatedAt", default_capacity as "defaultCapacity", default_cutoff_minutes as "cutoffMinutes",
      default_overbook_limit as "overbookLimit", hold_minutes as "holdMinutes", waitlist_offer_minutes as "waitlistOfferMinutes",
      decide_by_days as "decideByDays", boarding_opens_minutes as "checkInOpensMin", on_time_tolerance_minutes as "onTimeToleranceMin",
      no_show_after_minutes as "noShowAfterMinutes", departure_code_pattern as "codePattern", tour_rules as rules
    from org_settings where org_id = ${call.orgId}`.execute(call.tx)
  const row = rows[0]
  if (!row) throw notFound('settings')
  const { version, updatedAt, noShowAfterMinutes, rules, ...columns } = row
  const { runningLateMin, atRiskMin, headcountPolicy } = { ...defaultTourSettings, ...rules }
  return {
    version,
    updatedAt: updatedAt.toISOString(),
    settings: { ...columns, noShowFromMin: -noShowAfterMinutes, runningLateMin, atRiskMin, headcountPolicy },
  }
}

const getTour = verb(getTourSettings, (call) => selectTour(call))

const updateTour = verb(updateTourSettings, async (call, { version, settings }) => {
  await requireSettingsVersion(call, version)
  const { runningLateMin, atRiskMin, headcountPolicy } = settings
  const rules = JSON.stringify({ runningLateMin, atRiskMin, headcountPolicy })
  await sql`
    update org_settings set default_capacity = ${settings.defaultCapacity}, default_cutoff_minutes = ${settings.cutoffMinutes},
      default_overbook_limit = ${settings.overbookLimit}, hold_minutes = ${settings.holdMinutes},
      waitlist_offer_minutes = ${settings.waitlistOfferMinutes}, boarding_opens_minutes = ${settings.checkInOpensMin},
      on_time_tolerance_minutes = ${settings.onTimeToleranceMin}, no_show_after_minutes = ${-settings.noShowFromMin},
      decide_by_days = ${settings.decideByDays}, departure_code_pattern = ${settings.codePattern},
      tour_rules = ${rules}
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
  await sql`update org_settings set notification_rules = ${JSON.stringify(settings)} where org_id = ${call.orgId}`.execute(
    call.tx,
  )
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
