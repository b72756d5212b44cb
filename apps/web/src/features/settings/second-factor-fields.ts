import { roles } from '@tour-ops/contract/identity/access'
import { roleName } from '../../identity/role-name.ts'
import { m } from '../../paraglide/messages.js'
import { formatList, formatLocalDate } from '../../ui/format.ts'
import type { SettingSection } from './settings-model.ts'

/** `["admin","guide"]` of the audit log as the names of the roles. */
function rolesOf(stored: string): string {
  const chosen = roles.filter((role) => stored.includes(`"${role}"`))
  return chosen.length === 0 ? m.settings_empty_value() : formatList(chosen.map(roleName))
}

/** The rule about second factors, for search and history; the form saves it by itself. */
export const secondFactorFields: SettingSection = {
  key: 'second-factor',
  title: m.settings_factor,
  text: m.settings_factor_text,
  fields: [
    {
      path: 'secondFactorRoles',
      column: 'second_factor_roles',
      label: m.settings_factor_roles_named,
      hint: m.settings_factor_text,
      kind: 'text',
      anchor: 'second-factor',
      text: rolesOf,
    },
    {
      path: 'secondFactorFrom',
      column: 'second_factor_from',
      label: m.settings_factor_from_named,
      hint: m.settings_factor_from_hint,
      kind: 'text',
      anchor: 'second-factor',
      text: formatLocalDate,
      isEmptyAtFirst: true,
    },
  ],
}
