import { closeFeedback, reopenFeedback, takeFeedback } from '@tour-ops/contract/reports/feedback'
import { useState } from 'react'
import { useCall } from '../backend/queries.ts'
import { refusalText } from '../errors/refusal-text.ts'
import { useAccess } from '../identity/access.ts'
import { m } from '../paraglide/messages.js'
import { Button } from '../ui/button.tsx'
import { ConfirmDialog } from '../ui/dialog.tsx'
import { Field, TextArea } from '../ui/field.tsx'
import { toast } from '../ui/toast.tsx'

interface FollowUpProps {
  /** Of the feedback. */
  id: string
  /** Of its follow-up; null before anybody took it. */
  version: number | null
  state: 'open' | 'taken' | 'closed'
}

/** Takes what a party said, closes it with a note of what was done, or opens it again; each step has an undo. */
export function FollowUpActions({ id, version, state }: FollowUpProps) {
  const [isClosing, setClosing] = useState(false)
  const { can } = useAccess()
  const say = (error: unknown) => toast(refusalText(error))
  const reopen = useCall(reopenFeedback, { onError: say })
  const tell = (words: string) => (saved: { version: number }) =>
    toast(words, { label: m.ui_undo(), onPress: () => reopen.mutate({ id, version: saved.version }) })
  const take = useCall(takeFeedback, { onSuccess: tell(m.reports_follow_up_taken()), onError: say })
  if (!can('bookings:manage')) return null
  if (state === 'closed') {
    return (
      <Button
        size="sm"
        variant="ghost"
        pending={reopen.isPending}
        onClick={() => version !== null && reopen.mutate({ id, version })}
      >
        {m.reports_follow_up_reopen()}
      </Button>
    )
  }
  return (
    <>
      {state === 'open' && (
        <Button size="sm" pending={take.isPending} onClick={() => take.mutate({ id, version })}>
          {m.reports_follow_up_take()}
        </Button>
      )}
      <Button size="sm" variant={state === 'open' ? 'ghost' : 'secondary'} onClick={() => setClosing(true)}>
        {m.reports_follow_up_close()}
      </Button>
      {isClosing && (
        <CloseDialog
          id={id}
          version={version}
          onClose={() => setClosing(false)}
          onClosed={tell(m.reports_follow_up_closed())}
        />
      )}
    </>
  )
}

interface CloseDialogProps extends Omit<FollowUpProps, 'state'> {
  onClose: () => void
  onClosed: (saved: { version: number }) => void
}

function CloseDialog({ id, version, onClose, onClosed }: CloseDialogProps) {
  const [note, setNote] = useState('')
  const close = useCall(closeFeedback, {
    onSuccess: (saved) => {
      onClose()
      onClosed(saved)
    },
  })
  return (
    <ConfirmDialog
      open
      onClose={onClose}
      onConfirm={() => close.mutate({ id, version, note: note.trim() })}
      title={m.reports_follow_up_close_title()}
      confirmLabel={m.reports_follow_up_close()}
      pending={close.isPending}
      disabledReason={note.trim() === '' ? m.reports_follow_up_note_first() : undefined}
      error={close.error ? refusalText(close.error) : undefined}
    >
      <Field label={m.reports_follow_up_note()} hint={m.reports_follow_up_note_hint()} required>
        <TextArea value={note} maxLength={300} onChange={(event) => setNote(event.target.value)} />
      </Field>
    </ConfirmDialog>
  )
}
