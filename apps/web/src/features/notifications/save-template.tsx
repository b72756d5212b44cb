import type { Out } from '@tour-ops/contract/callable'
import {
  type listMessageTemplates,
  maxTemplateName,
  saveMessageTemplate,
} from '@tour-ops/contract/notifications/message-templates'
import { useState } from 'react'
import { useCall } from '../../backend/queries.ts'
import { refusalText } from '../../errors/refusal-text.ts'
import { useAccess } from '../../identity/access.ts'
import { m } from '../../paraglide/messages.js'
import { Button } from '../../ui/button.tsx'
import { ConfirmDialog } from '../../ui/dialog.tsx'
import { Field, TextInput } from '../../ui/field.tsx'
import { problemsOfServer } from '../../ui/form/form-errors.ts'
import { toast } from '../../ui/toast.tsx'
import { type GuestDraft, textsOf } from './guest-draft.ts'

interface SaveTemplateProps {
  draft: GuestDraft
  own: Out<typeof listMessageTemplates>['own']
  /** Runs what follows where the texts can be kept; else shows what is wrong. */
  onCheck: (act: () => void) => void
  onSaved: () => void
}

/** Keeps what is written under a name, in the place of a text of the same name. */
export function SaveTemplate({ draft, own, onCheck, onSaved }: SaveTemplateProps) {
  const mayKeep = useAccess().can('notifications:manage')
  const [name, setName] = useState<string | null>(null)
  const save = useCall(saveMessageTemplate, {
    onSuccess: (_saved, { name: kept }) => {
      toast(m.notifications_template_kept({ name: kept }))
      setName(null)
      onSaved()
    },
  })
  if (!mayKeep) return null
  const texts = textsOf(draft)
  const wanted = name?.trim() ?? ''
  const existing = own.find((template) => template.name === wanted)
  const [problem] = problemsOfServer(save.error?.details.fieldIssues).filter(({ path }) => path === 'name')
  return (
    <>
      <Button
        disabledReason={texts.length === 0 ? m.notifications_write_empty() : undefined}
        onClick={() => onCheck(() => setName(''))}
      >
        {m.notifications_template_keep()}
      </Button>
      {name !== null && (
        <ConfirmDialog
          open
          title={m.notifications_template_keep_title()}
          confirmLabel={existing ? m.notifications_template_replace() : m.notifications_template_keep_confirm()}
          pending={save.isPending}
          error={save.error && !problem ? refusalText(save.error) : undefined}
          disabledReason={wanted === '' ? m.notifications_template_unnamed() : undefined}
          onClose={() => setName(null)}
          onConfirm={() =>
            save.mutate({ ...(existing && { id: existing.id, version: existing.version }), name: wanted, texts })
          }
        >
          <Field label={m.notifications_template_name()} error={problem?.message} required>
            <TextInput value={name} maxLength={maxTemplateName} onChange={(event) => setName(event.target.value)} />
          </Field>
        </ConfirmDialog>
      )}
    </>
  )
}
