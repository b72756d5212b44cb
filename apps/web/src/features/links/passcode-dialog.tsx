import { type LinkRow, setLinkPasscode } from '@tour-ops/contract/links/links'
import { useState } from 'react'
import { useCall } from '../../backend/queries.ts'
import { refusalText } from '../../errors/refusal-text.ts'
import { m } from '../../paraglide/messages.js'
import { Button } from '../../ui/button.tsx'
import { ConfirmDialog } from '../../ui/dialog.tsx'
import { toast } from '../../ui/toast.tsx'
import { isPasscode, PasscodeField } from './passcode-field.tsx'

/** Sets, changes or removes what guests are asked for. Nobody can read the one that is set: only its hash is stored. */
export function PasscodeDialog({ link, onClose }: { link: LinkRow; onClose: () => void }) {
  const [typed, setTyped] = useState('')
  const save = useCall(setLinkPasscode, {
    onSuccess: (_, { passcode }) => {
      toast(passcode === null ? m.links_passcode_removed() : m.links_passcode_saved())
      onClose()
    },
  })
  const { id, version } = link
  return (
    <ConfirmDialog
      open
      onClose={onClose}
      onConfirm={() => save.mutate({ id, version, passcode: typed.trim() })}
      title={m.links_passcode()}
      confirmLabel={m.links_passcode_save()}
      pending={save.isPending}
      disabledReason={isPasscode(typed) ? undefined : m.links_passcode_first()}
      error={save.error ? refusalText(save.error) : undefined}
    >
      <div className="grid gap-3">
        <PasscodeField label={m.links_passcode_new()} value={typed} onChange={setTyped} />
        <p>{m.links_passcode_changes()}</p>
        {link.hasPasscode && (
          <div>
            <Button pending={save.isPending} onClick={() => save.mutate({ id, version, passcode: null })}>
              {m.links_passcode_remove()}
            </Button>
          </div>
        )}
      </div>
    </ConfirmDialog>
  )
}
