import type { AppError } from '@tour-ops/contract/errors'
import {
  cancelReasons,
  type Departure,
  type NextStatus,
  setDepartureStatus,
} from '@tour-ops/contract/departures/departures'
import { useState } from 'react'
import { m } from '../../paraglide/messages.js'
import { ConfirmDialog } from '../../ui/dialog.tsx'
import { Field, Select, TextArea } from '../../ui/field.tsx'
import { toast } from '../../ui/toast.tsx'
import {
  actLabel,
  type CancelReason,
  cancelReasonLabels,
  effectOf,
  endsEarly,
  guardText,
  storedStatusLabel,
} from './status-labels.ts'
import { UndecidedGuests } from './undecided-guests.tsx'
import { refusalText } from '../../errors/refusal-text.ts'
import { useDepartureWrite } from './use-departure-write.ts'

/** Writes a status and says so. */
export const useStatusWrite = ({ onDone, onError }: StatusWriteOptions) =>
  useDepartureWrite(
    setDepartureStatus,
    ({ status }) => {
      toast(m.departures_status_set({ status: storedStatusLabel(status) }))
      onDone?.()
    },
    onError,
  )

interface StatusWriteOptions {
  onDone?: () => void
  onError?: (error: AppError) => void
}

export interface StatusDialogProps {
  departure: Departure
  option: NextStatus
  onClose: () => void
  /** Instead of `onClose`, once the departure is cancelled. */
  onCancelled?: () => void
}

/** Asks for what a status change needs: a reason where a guard is not met, the kind of reason for a cancellation. */
export function StatusDialog({ departure, option, onClose, onCancelled = onClose }: StatusDialogProps) {
  const [reason, setReason] = useState('')
  const [cancelReason, setCancelReason] = useState<CancelReason | ''>('')
  const isCancel = option.to === 'cancelled'
  const write = useStatusWrite({ onDone: isCancel ? onCancelled : onClose })
  const missing = isCancel
    ? cancelReason === '' && m.departures_choose_reason()
    : option.needsReason && reason.trim() === '' && m.departures_reason_first()
  const send = () =>
    write.mutate({
      id: departure.id,
      version: departure.version,
      to: option.to,
      reason: reason.trim() || null,
      cancelReason: isCancel && cancelReason !== '' ? cancelReason : null,
    })
  return (
    <ConfirmDialog
      open
      onClose={onClose}
      onConfirm={send}
      title={m.departures_status_title({ act: actLabel(departure.status, option.to), code: departure.code })}
      confirmLabel={isCancel ? m.departures_cancel_confirm() : actLabel(departure.status, option.to)}
      cancelLabel={isCancel ? m.departures_cancel_keep() : undefined}
      danger={isCancel || option.to === 'aborted'}
      pending={write.isPending}
      disabledReason={missing || undefined}
      error={write.error ? refusalText(write.error) : undefined}
    >
      <div className="grid gap-3">
        {option.unmet.length > 0 && <p className="font-medium text-warn">{guardText(option.unmet)}</p>}
        <p>{effectOf(departure, option.to)}</p>
        {option.to === 'in_progress' && option.unmet.includes('guests_undecided') && (
          <UndecidedGuests departureId={departure.id} />
        )}
        {isCancel && (
          <Field label={m.departures_cancel_reason()} required>
            <Select
              value={cancelReason}
              placeholder={m.departures_choose()}
              onChange={(event) => setCancelReason(event.target.value as CancelReason | '')}
              options={cancelReasons.map((value) => ({ value, label: cancelReasonLabels[value]() }))}
            />
          </Field>
        )}
        {endsEarly(departure, option.to) && <p className="font-medium text-warn">{m.departures_last_stop_open()}</p>}
        {(isCancel || option.needsReason) && (
          <Field label={isCancel ? m.departures_reason_note() : m.departures_reason()} required={!isCancel}>
            <TextArea value={reason} maxLength={500} onChange={(event) => setReason(event.target.value)} />
          </Field>
        )}
      </div>
    </ConfirmDialog>
  )
}
