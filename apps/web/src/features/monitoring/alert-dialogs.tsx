import type { AlertRow } from '@tour-ops/contract/monitoring/monitoring'
import { useState } from 'react'
import { alertTitle } from './alert-title.ts'
import { m } from '../../paraglide/messages.js'
import { Checkbox, RadioCards } from '../../ui/choice.tsx'
import { ConfirmDialog } from '../../ui/dialog.tsx'
import { Field, TextArea } from '../../ui/field.tsx'
import { formatTime } from '../../ui/format.ts'
import type { AlertActs } from './use-alert-acts.ts'

interface AlertDialogProps {
  alert: AlertRow
  acts: AlertActs
  /** The server's clock now, milliseconds. */
  now: number
  timeZone: string
  onClose: () => void
}

const minuteMs = 60_000
/** Minutes; a day is the most that the server takes. */
const snoozes = [15, 60, 240, 24 * 60] as const

const snoozeLabel = (minutes: number): string =>
  minutes < 60 ? m.monitoring_in_minutes({ minutes }) : m.monitoring_in_hours({ count: minutes / 60 })

/** Asks for how long. */
export function SnoozeDialog({ alert, acts, now, timeZone, onClose }: AlertDialogProps) {
  const [minutes, setMinutes] = useState<string>(String(snoozes[1]))
  // A minute short of the day: the clocks of browser and server differ by a little.
  const until = new Date(now + Math.min(Number(minutes), 24 * 60 - 1) * minuteMs)
  return (
    <ConfirmDialog
      open
      onClose={onClose}
      onConfirm={() => acts.snooze(alert, until, onClose)}
      title={m.monitoring_snooze_title()}
      confirmLabel={m.monitoring_snooze()}
      pending={acts.isPending}
    >
      <p className="mb-3">{alertTitle(alert)}</p>
      <RadioCards
        label={m.monitoring_snooze_until()}
        hideLabel
        columns={2}
        value={minutes}
        onChange={setMinutes}
        options={snoozes.map((each) => ({
          value: String(each),
          label: snoozeLabel(each),
          hint: m.monitoring_back_at({ time: formatTime(now + each * minuteMs, timeZone) }),
        }))}
      />
    </ConfirmDialog>
  )
}

/** Asks how it ended. */
export function ResolveDialog({ alert, acts, onClose }: AlertDialogProps) {
  const [reason, setReason] = useState('')
  const [isFalseAlarm, setFalseAlarm] = useState(false)
  return (
    <ConfirmDialog
      open
      onClose={onClose}
      onConfirm={() => acts.resolve(alert, reason.trim(), isFalseAlarm, onClose)}
      title={m.monitoring_resolve_title()}
      confirmLabel={m.monitoring_resolve()}
      pending={acts.isPending}
      disabledReason={reason.trim() === '' ? m.monitoring_reason_first() : undefined}
    >
      <div className="grid gap-3">
        <p>{alertTitle(alert)}</p>
        <Field label={m.monitoring_how_it_ended()} hint={m.monitoring_stays_closed()} required>
          <TextArea value={reason} maxLength={300} onChange={(event) => setReason(event.target.value)} />
        </Field>
        <Checkbox
          label={m.monitoring_false_alarm()}
          hint={m.monitoring_false_alarm_hint()}
          checked={isFalseAlarm}
          onChange={(event) => setFalseAlarm(event.target.checked)}
        />
      </div>
    </ConfirmDialog>
  )
}
