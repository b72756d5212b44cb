import {
  type GuestEvent,
  guestRuleSettings,
  reminderQuietHours,
  type SettableEvent,
} from '@tour-ops/contract/notifications/guest-rules'
import { m } from '../../paraglide/messages.js'
import { Card } from '../../ui/card.tsx'
import { Field, Select } from '../../ui/field.tsx'
import { formatDuration, formatLocalTime } from '../../ui/format.ts'

export const hasSetting = (event: GuestEvent): event is SettableEvent => guestRuleSettings[event] !== undefined

function timeOf(hour: number): string {
  return formatLocalTime(`${String(hour).padStart(2, '0')}:00`)
}

export const settingLabels: Readonly<Record<SettableEvent, (setting: number) => string>> = {
  pickup_reminder: timeOf,
  delay_notice: (count) => m.notifications_rules_minutes({ count }),
  feedback_request: (hours) => formatDuration(hours * 60),
}

const texts: Readonly<Record<SettableEvent, { label: () => string; hint: () => string }>> = {
  pickup_reminder: {
    label: m.notifications_rules_day_before_at,
    hint: () => m.notifications_rules_day_before_hint({ count: reminderQuietHours }),
  },
  delay_notice: { label: m.notifications_rules_delay_from, hint: m.notifications_rules_delay_hint },
  feedback_request: {
    label: m.notifications_rules_after_tour_at,
    hint: m.notifications_rules_after_tour_hint,
  },
}

interface RuleSettingProps {
  event: SettableEvent
  value: number
  disabled: boolean
  onChange: (setting: number) => void
}

/** When guests are told, where an organization can choose. */
export function RuleSetting({ event, value, disabled, onChange }: RuleSettingProps) {
  const { label, hint } = texts[event]
  const choices = guestRuleSettings[event]?.choices ?? []
  return (
    <Card title={m.notifications_rules_when()}>
      <div className="border-t border-line px-4 py-4">
        <Field label={label()} hint={hint()}>
          <Select
            className="max-w-40"
            value={value}
            disabled={disabled}
            options={choices.map((choice) => ({ value: String(choice), label: settingLabels[event](choice) }))}
            onChange={(change) => onChange(Number(change.target.value))}
          />
        </Field>
      </div>
    </Card>
  )
}
