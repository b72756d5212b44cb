import type { AppError } from '@tour-ops/contract/errors'
import { type ReactNode, useState } from 'react'
import { m } from '../paraglide/messages.js'
import { ConfirmDialog } from '../ui/dialog.tsx'
import { Field, TextArea } from '../ui/field.tsx'
import { refusalText } from '../errors/refusal-text.ts'

export interface ReasonDialogProps {
  title: string
  text?: ReactNode
  confirmLabel: string
  danger?: boolean | undefined
  isRequired?: boolean | undefined
  pending: boolean
  error: AppError | null
  onClose: () => void
  /** Gets the reason without blanks around it; may be empty unless required. */
  onConfirm: (reason: string) => void
}

/** Asks why. */
export function ReasonDialog(props: ReasonDialogProps) {
  const { title, text, confirmLabel, danger, isRequired, pending, error, onClose, onConfirm } = props
  const [reason, setReason] = useState('')
  const isMissing = isRequired && reason.trim() === ''
  return (
    <ConfirmDialog
      open
      onClose={onClose}
      onConfirm={() => onConfirm(reason.trim())}
      title={title}
      confirmLabel={confirmLabel}
      danger={danger}
      pending={pending}
      disabledReason={isMissing ? m.departures_reason_first() : undefined}
      error={error ? refusalText(error) : undefined}
    >
      <div className="grid gap-3">
        {text !== undefined && <div>{text}</div>}
        <Field label={isRequired ? m.departures_reason() : m.departures_reason_note()} required={isRequired}>
          <TextArea value={reason} maxLength={300} onChange={(event) => setReason(event.target.value)} />
        </Field>
      </div>
    </ConfirmDialog>
  )
}
