import { defaultTourSettings, type TourSettings } from '@tour-ops/contract/settings/settings'
import type { AlertLimits } from '@tour-ops/contract/monitoring/alert-limits'
import { sql } from 'kysely'
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
