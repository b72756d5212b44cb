import { type ReactNode, useId, useState } from 'react'
import { m } from '../../../paraglide/messages.js'
import { TextLimit } from '../../../ui/text-limit.tsx'
import { Sheet } from './sheet.tsx'

export interface ReasonSheetProps {
  title: string
  /** Over the field: what blocks it, what follows. */
  children?: ReactNode
  label?: string
  confirm: string
  isNeeded: boolean
  maxLength?: number
  onClose: () => void
  onConfirm: (reason: string | null) => void
}

/** Asks for a reason; one that is needed and missing is shown at the field, and the button stays enabled. */
export function ReasonSheet(props: ReasonSheetProps) {
  const id = useId()
  const [reason, setReason] = useState('')
  const [isAsked, setAsked] = useState(false)
  const isMissing = props.isNeeded && reason.trim() === ''
  const confirm = () => (isMissing ? setAsked(true) : props.onConfirm(reason.trim() || null))
  return (
    <Sheet title={props.title} onClose={props.onClose}>
      {props.children}
      <TextLimit className="grid gap-1">
        <label htmlFor={id}>{props.label ?? (props.isNeeded ? m.duty_reason() : m.duty_reason_optional())}</label>
        <textarea
          id={id}
          className="duty-field"
          rows={3}
          maxLength={props.maxLength ?? 300}
          value={reason}
          aria-invalid={isAsked && isMissing}
          aria-describedby={`${id}-error`}
          onChange={(event) => setReason(event.target.value)}
        />
        <p id={`${id}-error`} role="alert" className="duty-small text-bad">
          {isAsked && isMissing ? m.duty_missing_field() : ''}
        </p>
      </TextLimit>
      <button type="button" className="duty-btn duty-btn-main" onClick={confirm}>
        {props.confirm}
      </button>
    </Sheet>
  )
}
