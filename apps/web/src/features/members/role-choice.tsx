import { isRole, roles, type Role } from '@tour-ops/contract/identity/access'
import { roleName } from '../../identity/role-name.ts'
import { m } from '../../paraglide/messages.js'
import { RadioCards } from '../../ui/choice.tsx'
import { roleSummary } from './member-labels.ts'

export interface RoleChoiceProps {
  value: Role | null
  onChange: (role: Role) => void
  columns?: 1 | 2 | 3
  error?: string | undefined
}

/** The six roles, each with what it may do. */
export const RoleChoice = ({ value, onChange, columns = 1, error }: RoleChoiceProps) => (
  <RadioCards
    label={m.members_role()}
    columns={columns}
    options={roles.map((role) => ({ value: role, label: roleName(role), hint: roleSummary(role) }))}
    value={value}
    onChange={(role) => isRole(role) && onChange(role)}
    error={error}
  />
)
