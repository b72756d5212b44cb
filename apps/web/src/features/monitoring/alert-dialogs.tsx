import { type AlertRow, muteSpans } from '@tour-ops/contract/monitoring/alerts'
import { type DepartureStop, listDepartureStops } from '@tour-ops/contract/departures/run-sheet'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { callQuery } from '../../backend/queries.ts'
import { alertKindLabels, alertTitle } from './alert-title.ts'
import { m } from '../../paraglide/messages.js'
import { Checkbox, RadioCards } from '../../ui/choice.tsx'
import { ConfirmDialog } from '../../ui/dialog.tsx'
import { Field, TextArea } from '../../ui/field.tsx'
import { formatMoment, formatTime } from '../../ui/format.ts'
import type { AlertActions } from './use-alert-actions.ts'

interface AlertDialogProps {
  alert: AlertRow
  actions: AlertActions
  /** The server's clock now, milliseconds. */
  now: number
  timeZone: string
  onClose: () => void
}

const minuteMs = 60_000
/** Minutes; a day is the most that the server takes. */
const snoozes = [15, 60, 240, 24 * 60] as const

const longestMin = 24 * 60 - 1
const maxStops = 4

const snoozeLabel = (minutes: number): string =>
  minutes < 60 ? m.monitoring_in_minutes({ minutes }) : m.monitoring_in_hours({ count: minutes / 60 })

/** Asks for how long: a time, or the next stops of the departure. */
export function SnoozeDialog({ alert, actions, now, timeZone, onClose }: AlertDialogProps) {
  const [choice, setChoice] = useState<string>(String(snoozes[1]))
  const stops = useStopsAhead(alert)
  const stop = stops.find(({ id }) => id === choice)
  // A minute short of the day: the clocks of browser and server differ by a little.
  const minutes = stop ? longestMin : Math.min(Number(choice), longestMin)
  return (
    <ConfirmDialog
      open
      onClose={onClose}
      onConfirm={() => actions.snooze(alert, new Date(now + minutes * minuteMs), stop?.id ?? null, onClose)}
      title={m.monitoring_snooze_title()}
      confirmLabel={m.monitoring_snooze()}
      pending={actions.isPending}
    >
      <p className="mb-3">{alertTitle(alert)}</p>
      <RadioCards
        label={m.monitoring_snooze_until()}
        hideLabel
        columns={2}
        value={choice}
        onChange={setChoice}
        options={[
          ...snoozes.map((each) => ({
            value: String(each),
            label: snoozeLabel(each),
            hint: m.monitoring_back_at({ time: formatTime(now + each * minuteMs, timeZone) }),
          })),
          ...stops.map(({ id, placeName, etaAt, plannedArriveAt }) => ({
            value: id,
            label: m.monitoring_until_stop({ stop: placeName }),
            hint: etaAt
              ? m.monitoring_until_stop_eta({ time: formatMoment(etaAt, alert.departure?.timeZone, now) })
              : m.monitoring_until_stop_hint({ time: formatMoment(plannedArriveAt, alert.departure?.timeZone, now) }),
          })),
        ]}
      />
    </ConfirmDialog>
  )
}

/** The stops of the alert's departure that are ahead; those of today are enough to wait for. */
function useStopsAhead({ departure }: AlertRow): readonly DepartureStop[] {
  const { data } = useQuery({
    ...callQuery(listDepartureStops, { departureIds: departure ? [departure.id] : [] }),
    enabled: departure !== null,
  })
  return (data?.stops ?? []).filter(({ status }) => status === 'planned' || status === 'approaching').slice(0, maxStops)
}

/** Asks how it ended. */
export function ResolveDialog({ alert, actions, onClose }: AlertDialogProps) {
  const [reason, setReason] = useState('')
  const [isFalseAlarm, setFalseAlarm] = useState(false)
  return (
    <ConfirmDialog
      open
      onClose={onClose}
      onConfirm={() => actions.resolve(alert, reason.trim(), isFalseAlarm, onClose)}
      title={m.monitoring_resolve_title()}
      confirmLabel={m.monitoring_resolve()}
      pending={actions.isPending}
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

const spanLabels: Record<(typeof muteSpans)[number], () => string> = {
  today: m.monitoring_mute_today,
  departure: m.monitoring_mute_departure,
}

/** Asks for how long a rule keeps quiet about the departure of an alert, and why. */
export function MuteDialog({ alert, actions, onClose }: AlertDialogProps) {
  const [lasts, setLasts] = useState<(typeof muteSpans)[number]>('today')
  const [reason, setReason] = useState('')
  return (
    <ConfirmDialog
      open
      onClose={onClose}
      onConfirm={() => actions.mute(alert, lasts, reason.trim(), onClose)}
      title={m.monitoring_mute_title({ kind: alertKindLabels[alert.kind]() })}
      confirmLabel={m.monitoring_mute_confirm()}
      pending={actions.isPending}
      disabledReason={reason.trim() === '' ? m.monitoring_mute_reason_first() : undefined}
    >
      <div className="grid gap-3">
        <p>{alertTitle(alert)}</p>
        <RadioCards
          label={m.monitoring_mute_how_long()}
          hideLabel
          value={lasts}
          onChange={setLasts}
          options={muteSpans.map((value) => ({ value, label: spanLabels[value]() }))}
        />
        <Field
          label={m.monitoring_mute_reason()}
          hint={m.monitoring_mute_hint({ code: alert.departure?.code ?? '' })}
          required
        >
          <TextArea value={reason} maxLength={300} onChange={(event) => setReason(event.target.value)} />
        </Field>
      </div>
    </ConfirmDialog>
  )
}
