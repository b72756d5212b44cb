import {
  type GuestEvent,
  guestRuleSettings,
  reminderQuietHours,
  type SettableEvent,
  settingChoices,
  settingRange,
  settingShape,
} from '@tour-ops/contract/notifications/guest-rules'
import { useState } from 'react'
import { m } from '../../paraglide/messages.js'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { Field, Select, TextInput } from '../../ui/field.tsx'
import { issueText } from '../../ui/form/form-errors.ts'
import { formatDuration, formatLocalTime } from '../../ui/format.ts'
import { BackTest } from './back-test.tsx'

export const hasSetting = (event: GuestEvent): event is SettableEvent => guestRuleSettings[event] !== undefined

function timeOf(hour: number): string {
  return formatLocalTime(`${String(hour).padStart(2, '0')}:00`)
}

export const settingLabels: Readonly<Record<SettableEvent, (setting: number) => string>> = {
  pre_tour_info: (hours) => formatDuration(hours * 60),
  pickup_reminder: timeOf,
  last_reminder: (count) => m.notifications_rules_minutes({ count }),
  delay_notice: (count) => m.notifications_rules_minutes({ count }),
  feedback_request: (hours) => formatDuration(hours * 60),
}

const texts: Readonly<Record<SettableEvent, { label: () => string; hint: () => string }>> = {
  pre_tour_info: {
    label: m.notifications_rules_before_tour_at,
    hint: m.notifications_rules_before_tour_hint,
  },
  pickup_reminder: {
    label: m.notifications_rules_day_before_at,
    hint: () => m.notifications_rules_day_before_hint({ count: reminderQuietHours }),
  },
  last_reminder: {
    label: m.notifications_rules_before_meeting_at,
    hint: m.notifications_rules_before_meeting_hint,
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
  const [typed, setTyped] = useState<string | null>(null)
  const { label, hint } = texts[event]
  const shown = typed ?? String(value)
  const { data: setting, error } = settingShape(event).safeParse(shown.trim() === '' ? undefined : Number(shown))
  const [issue] = error?.issues ?? []
  const range = settingRange(event)
  return (
    <Card title={m.notifications_rules_when()}>
      <div className="grid gap-3 border-t border-line px-4 py-4">
        <Field label={label()} hint={hint()} error={issue && issueText(issue)}>
          {range ? (
            <TextInput
              className="num max-w-40"
              inputMode="numeric"
              value={shown}
              disabled={disabled}
              onChange={({ target }) => setTyped(target.value)}
            />
          ) : (
            <Select
              className="max-w-40"
              value={shown}
              disabled={disabled}
              options={settingChoices(event).map((choice) => ({
                value: String(choice),
                label: settingLabels[event](choice),
              }))}
              onChange={({ target }) => setTyped(target.value)}
            />
          )}
        </Field>
        {typed !== null && setting !== value && (
          <div className="flex flex-wrap items-center gap-2">
            <span role="status" className="me-auto">
              {setting !== undefined && <BackTest event={event} setting={setting} sent={sent} />}
            </span>
            <Button variant="ghost" onClick={() => setTyped(null)}>
              {m.ui_cancel()}
            </Button>
            {setting !== undefined && (
              <Button variant="primary" pending={pending} onClick={() => onSave(setting)}>
                {m.notifications_template_save()}
              </Button>
            )}
          </div>
        )}
      </div>
    </Card>
  )
}
