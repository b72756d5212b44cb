import { escalationRoles, type EscalationRole } from '@tour-ops/contract/monitoring/alert-limits'
import { m } from '../../paraglide/messages.js'
import { Card } from '../../ui/card.tsx'
import { Field, Select } from '../../ui/field.tsx'
import { roleName } from '../../identity/role-name.ts'

interface RuleEscalationProps {
  value: EscalationRole | null
  disabled: boolean
  onSave: (escalateTo: EscalationRole | null) => void
}

/** Who is notified of a message of a rule that does not arrive. */
export const RuleEscalation = ({ value, disabled, onSave }: RuleEscalationProps) => (
  <Card title={m.notifications_rules_escalation()}>
    <div className="border-t border-line px-4 py-4">
      <Field label={m.notifications_rules_escalate_to()} hint={m.notifications_rules_escalate_hint()}>
        <Select
          value={value ?? ''}
          disabled={disabled}
          options={[
            { value: '', label: m.notifications_rules_escalate_nobody() },
            ...escalationRoles.map((role) => ({ value: role, label: roleName(role) })),
          ]}
          onChange={({ target }) => onSave(escalationRoles.find((role) => role === target.value) ?? null)}
        />
      </Field>
    </div>
  </Card>
)
