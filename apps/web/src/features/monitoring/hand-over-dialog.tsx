import { writeShiftNote } from '@tour-ops/contract/monitoring/shift-notes'
import { useState } from 'react'
import { useCall } from '../../backend/queries.ts'
import { refusalText } from '../../errors/refusal-text.ts'
import { m } from '../../paraglide/messages.js'
import { ConfirmDialog } from '../../ui/dialog.tsx'
import { Field, TextArea } from '../../ui/field.tsx'
import { toast } from '../../ui/toast.tsx'

/** Asks what the next shift has to know. */
export function HandOverDialog({ onClose }: { onClose: () => void }) {
  const [text, setText] = useState('')
  const leave = useCall(writeShiftNote, {
    onSuccess: () => {
      toast(m.monitoring_shift_left_toast())
      onClose()
    },
  })
  return (
    <ConfirmDialog
      open
      onClose={onClose}
      onConfirm={() => leave.mutate({ text: text.trim() })}
      title={m.monitoring_hand_over()}
      confirmLabel={m.monitoring_shift_leave()}
      pending={leave.isPending}
      error={leave.error ? refusalText(leave.error) : undefined}
      disabledReason={text.trim() === '' ? m.monitoring_shift_empty() : undefined}
    >
      <Field label={m.monitoring_shift_text()} hint={m.monitoring_shift_hint()} required>
        <TextArea rows={6} value={text} maxLength={2000} onChange={(event) => setText(event.target.value)} />
      </Field>
    </ConfirmDialog>
  )
}
