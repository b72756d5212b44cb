import {
  type GuestEvent,
  guestRuleSettings,
  reminderQuietHours,
  type SettableEvent,
} from '@tour-ops/contract/notifications/guest-rules'
import { useState } from 'react'
import { m } from '../../paraglide/messages.js'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { Field, Select } from '../../ui/field.tsx'
import { formatDuration, formatLocalTime } from '../../ui/format.ts'
import { BackTest } from './back-test.tsx'

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
  /** As it is saved. */
  value: number
  /** What the rule has sent in the last seven days. */
  sent: number
  disabled: boolean
  pending: boolean
  onSave: (setting: number) => void
}

/** When guests are told, where an organization can choose; a choice says what it would have written before it is saved. */
export function RuleSetting({ event, value, sent, disabled, pending, onSave }: RuleSettingProps) {
  const [wanted, setWanted] = useState<number | null>(null)
  const { label, hint } = texts[event]
  const choices = guestRuleSettings[event]?.choices ?? []
  const shown = wanted ?? value
  return (
    <Card title={m.notifications_rules_when()}>
      <div className="grid gap-3 border-t border-line px-4 py-4">
        <Field label={label()} hint={hint()}>
          <Select
            className="max-w-40"
            value={shown}
            disabled={disabled}
            options={choices.map((choice) => ({ value: String(choice), label: settingLabels[event](choice) }))}
            onChange={(change) => setWanted(Number(change.target.value))}
          />
        </Field>
        {shown !== value && (
          <div className="flex flex-wrap items-center gap-2">
            <span role="status" className="me-auto">
              <BackTest event={event} setting={shown} sent={sent} />
            </span>
            <Button variant="ghost" onClick={() => setWanted(null)}>
              {m.ui_cancel()}
            </Button>
            <Button variant="primary" pending={pending} onClick={() => onSave(shown)}>
              {m.notifications_template_save()}
            </Button>
          </div>
        )}
      </div>
    </Card>
  )
}
