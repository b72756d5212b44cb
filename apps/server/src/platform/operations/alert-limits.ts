import { defaultTourSettings, type TourSettings } from '@tour-ops/contract/settings/settings'
import type { AlertLimits } from '@tour-ops/contract/monitoring/alert-limits'
import { type RawBuilder, sql } from 'kysely'
import type { Tx } from '../db/database.ts'

/** When alerts open. */
export type AlertRules = AlertLimits &
  Pick<
    TourSettings,
    'runningLateMin' | 'atRiskMin' | 'escalateAfterMin' | 'escalateTo' | 'escalateAgainMin' | 'escalateAgainTo'
  >

/** What the organization has set, and the usual of what it has not. */
export async function selectAlertRules(tx: Tx, orgId: string): Promise<AlertRules> {
  const { rows } = await sql<{ rules: Partial<AlertRules> }>`
    select tour_rules as rules from org_settings where org_id = ${orgId}`.execute(tx)
  return { ...defaultTourSettings, ...rows[0]?.rules }
}

type NumberRule = { [K in keyof TourSettings]: TourSettings[K] extends number ? K : never }[keyof TourSettings]

/**
 * A rule of the organization inside a statement: what it has set, and the usual where it has not.
 *
 * @param settings Alias of its row of `org_settings`, which may be missing.
 */
export const ruleIn = (settings: string, rule: NumberRule): RawBuilder<number> =>
  sql<number>`coalesce((${sql.ref(`${settings}.tour_rules`)} ->> ${sql.lit(rule)})::int, ${sql.lit(defaultTourSettings[rule])})`
