import { useQuery } from '@tanstack/react-query'
import { cancelReasons, getDeparture, setDepartureStatus } from '@tour-ops/contract/departures/departures'
import { useState } from 'react'
import { refusalText } from '../../errors/refusal-text.ts'
import { callQuery, useCall } from '../../backend/queries.ts'
import { useAccess } from '../../identity/access.ts'
import { m } from '../../paraglide/messages.js'
import { Button } from '../../ui/button.tsx'
import { RadioCards } from '../../ui/choice.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Field, Select, TextInput } from '../../ui/field.tsx'
import { formatDay, formatTimeThere } from '../../ui/format.ts'
import { SkeletonRows } from '../../ui/skeleton.tsx'
import { toast } from '../../ui/toast.tsx'
import { cancelReasonLabels } from './overview-labels.ts'

type Decision = 'run' | 'cancel'
type CancelReason = (typeof cancelReasons)[number]

export interface DecideDialogProps {
  departureId: string
  onClose: () => void
}

/** Go or no-go of a departure below its minimum: one question, one act. See docs/domain.md, "Readiness". */
export function DecideDialog({ departureId, onClose }: DecideDialogProps) {
  const { can } = useAccess()
  const { data: departure } = useQuery(callQuery(getDeparture, { id: departureId }))
  const [decision, setDecision] = useState<Decision | null>(null)
  const [cancelReason, setCancelReason] = useState<CancelReason>('low_pax')
  const [reason, setReason] = useState('')
  const decide = useCall(setDepartureStatus, {
    onSuccess: (_, input) => {
      const tour = departure?.tourName ?? ''
      toast(input.to === 'cancelled' ? m.overview_decided_cancel({ tour }) : m.overview_decided_run({ tour }))
      onClose()
    },
  })
  const isBelow = departure !== undefined && departure.seatsConfirmed < departure.minPax
  const mayRun = !isBelow || can('departures:manage')
  const isOver = departure !== undefined && departure.status !== 'scheduled'
  const confirm = () => {
    if (!departure || !decision) return
    const note = reason.trim() || null
    decide.mutate(
      decision === 'run'
        ? { id: departure.id, version: departure.version, to: 'guaranteed', reason: note }
        : { id: departure.id, version: departure.version, to: 'cancelled', cancelReason, reason: note },
    )
  }
  return (
    <Dialog
      open
      onClose={onClose}
      locked={decide.isPending}
      title={m.overview_decide_title({ tour: departure?.tourName ?? '' })}
      description={
        departure &&
        m.overview_decide_text({
          day: formatDay(departure.startsAt, departure.timeZone),
          time: formatTimeThere(departure.startsAt, departure.timeZone),
          confirmed: departure.seatsConfirmed,
          minimum: departure.minPax,
        })
      }
      actions={
        departure && !isOver && decision ? (
          <Button
            variant={decision === 'cancel' ? 'danger' : 'primary'}
            pending={decide.isPending}
            disabled={decision === 'run' && isBelow && reason.trim() === ''}
            onClick={confirm}
          >
            {decision === 'cancel' ? m.overview_decide_confirm_cancel() : m.overview_decide_confirm_run()}
          </Button>
        ) : undefined
      }
    >
      {!departure ? (
        <SkeletonRows rows={2} />
      ) : isOver ? (
        <p>{m.overview_decide_over()}</p>
      ) : (
        <div className="grid gap-3">
          <RadioCards<Decision>
            label={m.overview_decide_question()}
            hideLabel
            columns={1}
            value={decision}
            onChange={setDecision}
            options={[
              {
                value: 'run',
                label: m.overview_decide_run(),
                hint: mayRun ? m.overview_decide_run_hint() : m.overview_decide_run_refused(),
                disabled: !mayRun,
              },
              {
                value: 'cancel',
                label: m.overview_decide_cancel(),
                hint: m.overview_decide_cancel_hint({ count: departure.seatsConfirmed }),
              },
            ]}
          />
          {decision === 'cancel' && (
            <Field label={m.overview_decide_cancel_reason()}>
              <Select
                value={cancelReason}
                onChange={(event) => setCancelReason(event.target.value as CancelReason)}
                options={cancelReasons.map((value) => ({ value, label: cancelReasonLabels[value]() }))}
              />
            </Field>
          )}
          {decision && (
            <Field
              label={decision === 'run' && isBelow ? m.overview_decide_reason() : m.overview_decide_note()}
              required={decision === 'run' && isBelow}
            >
              <TextInput value={reason} maxLength={500} onChange={(event) => setReason(event.target.value)} />
            </Field>
          )}
        </div>
      )}
      {decide.error && (
        <p role="alert" className="mt-3 font-medium text-bad">
          {refusalText(decide.error)}
        </p>
      )}
    </Dialog>
  )
}
