import type { Out } from '@tour-ops/contract/callable'
import {
  getSecuritySettings,
  type SecuritySettings,
  updateSecuritySettings,
} from '@tour-ops/contract/settings/settings'
import { refuse } from '@tour-ops/contract/refusals'
import { fieldError } from '@tour-ops/contract/field-rules'
import { sql } from 'kysely'
import type { MemberCall } from '../../context.ts'
import { hasProvenFactor } from '../../platform/membership.ts'
import { type Verb, verb } from '../../platform/verb.ts'
import { requireSettingsVersion } from './settings-version.ts'
import { notFound } from '../../platform/optimistic-lock.ts'

async function selectSecurity(call: MemberCall): Promise<Out<typeof getSecuritySettings>> {
  const { rows } = await sql<SecuritySettings & { version: number; updatedAt: Date }>`
    select version, updated_at as "updatedAt", second_factor_roles as "secondFactorRoles", second_factor_from::text as "secondFactorFrom"
    from org_settings where org_id = ${call.orgId}`.execute(call.tx)
  const row = rows[0]
  if (!row) throw notFound('settings')
  const { version, updatedAt, ...settings } = row
  return { version, updatedAt: updatedAt.toISOString(), settings }
}

/** A hosted service has its own rules for it, which only its console can change. */
function requireOwnAccounts({ config }: MemberCall): void {
  if (config.identity.kind !== 'embedded') {
    throw refuse('factors_elsewhere')
  }
}

const get = verb(getSecuritySettings, async (call) => {
  requireOwnAccounts(call)
  return selectSecurity(call)
})

const update = verb(updateSecuritySettings, async (call, { version, settings }) => {
  requireOwnAccounts(call)
  await requireSettingsVersion(call, version)
  const { secondFactorRoles, secondFactorFrom } = settings
  if (secondFactorRoles.includes(call.role) && !(await hasProvenFactor(call.tx, call.caller))) {
    throw fieldError('settings.secondFactorRoles', 'own_factor_first')
  }
  await sql`
    update org_settings set second_factor_roles = ${secondFactorRoles}::text[], second_factor_from = ${secondFactorFrom}
    where org_id = ${call.orgId}`.execute(call.tx)
  return selectSecurity(call)
})

export const securityVerbs: Verb[] = [get, update]
