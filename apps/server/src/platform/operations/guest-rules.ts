import { type GuestEvent, guestRuleSettings, type SettableEvent } from '@tour-ops/contract/notifications/guest-rules'
import { type RawBuilder, sql } from 'kysely'
import type { Tx } from '../db/database.ts'
import { newId } from '../ids.ts'

/** What guests are told of an event, as an organization has it. */
export interface GuestRule {
  readonly isOn: boolean
  /** See `guestRuleSettings`. */
  readonly setting: number | null
}

interface StoredRule extends GuestRule {
  readonly id: string
}

/** What a rule is before anybody has changed it. */
export const shippedRule = (event: GuestEvent): GuestRule => ({
  isOn: true,
  setting: guestRuleSettings[event]?.usual ?? null,
})

interface Scale {
  /** Minutes of one. */
  readonly unit: number
  readonly from: number
}

const hour = 60
const scales = {
  // an hour of the day before is counted from the beginning of the day
  pickup_reminder: { unit: hour, from: -24 * hour },
  delay_notice: { unit: 1, from: 0 },
  feedback_request: { unit: hour, from: 0 },
} satisfies Record<SettableEvent, Scale>
const scaleOf: Readonly<Partial<Record<GuestEvent, Scale>>> = scales

/** `notification_rules.offset_min` of a setting. */
export function offsetOf(event: GuestEvent, setting: number | null): number {
  const scale = scaleOf[event]
  return scale && setting !== null ? setting * scale.unit + scale.from : 0
}

/** And back. */
export function settingOf(event: GuestEvent, offset: number): number | null {
  const scale = scaleOf[event]
  return scale ? (offset - scale.from) / scale.unit : null
}

/** Changes the rule of an event, and makes it where it was as it is shipped; what is not given stays. @returns what it is now. */
export async function changeRule(
  tx: Tx,
  orgId: string,
  event: GuestEvent,
  { isOn = null, setting }: { readonly isOn?: boolean | undefined | null; readonly setting?: number | undefined },
): Promise<GuestRule> {
  const shipped = shippedRule(event)
  const offset = setting === undefined ? null : offsetOf(event, setting)
  const changed = sql`coalesce(${isOn}::boolean, r.enabled), coalesce(${offset}::int, r.offset_min)`
  const first = { isOn: isOn ?? shipped.isOn, setting: setting ?? shipped.setting }
  await insertRule(
    tx,
    orgId,
    event,
    first,
    sql`update set (enabled, offset_min) = (${changed}) where (r.enabled, r.offset_min) <> (${changed})`,
  )
  return (await selectRule(tx, orgId, event)) ?? first
}

/** The rule of an event; made as it is shipped, switched on, where nobody has changed it yet. */
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
  { isOn, setting }: GuestRule,
  onConflict: RawBuilder<unknown>,
): Promise<void> {
  await sql`
    insert into notification_rules as r (org_id, id, event, audience, channels, enabled, offset_min)
    values (${orgId}, ${newId()}, ${event}, 'travelers', '{email}', ${isOn}, ${offsetOf(event, setting)})
    on conflict (org_id, event) where audience = 'travelers' do ${onConflict}`.execute(tx)
}

/** Undefined where the rule is as it is shipped and has written nothing. */
export async function selectRule(tx: Tx, orgId: string, event: GuestEvent): Promise<StoredRule | undefined> {
  const { rows } = await sql<{ id: string; isOn: boolean; offset: number }>`
    select id, enabled as "isOn", offset_min as "offset" from notification_rules
    where org_id = ${orgId} and event = ${event} and audience = 'travelers'`.execute(tx)
  const [row] = rows
  return row && { id: row.id, isOn: row.isOn, setting: settingOf(event, row.offset) }
}
