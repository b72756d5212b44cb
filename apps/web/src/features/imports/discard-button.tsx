import { useNavigate } from '@tanstack/react-router'
import type { ImportBatch } from '@tour-ops/contract/imports/import-batch'
import { discardImport } from '@tour-ops/contract/imports/imports'
import { Trash2 } from 'lucide-react'
import { useState } from 'react'
import { useCall } from '../../backend/queries.ts'
import { refusalText } from '../../errors/refusal-text.ts'
import { m } from '../../paraglide/messages.js'
import { Button } from '../../ui/button.tsx'
import { ConfirmDialog } from '../../ui/dialog.tsx'
import { toast } from '../../ui/toast.tsx'

/** Gives up an import that was not applied: its file, which holds data of guests, is deleted at once. */
export function DiscardButton({ batch }: { batch: ImportBatch }) {
  const [isAsking, setAsking] = useState(false)
  const navigate = useNavigate()
  const discard = useCall(discardImport, {
    onSuccess: () => toast(m.imports_discarded()),
    onError: (error) => toast(refusalText(error)),
  })
  // leaves first: this screen would read again what is not there any more
  const discardAfterwards = async () => {
    await navigate({ to: '/travelers/import' })
    discard.mutate({ id: batch.id, version: batch.version })
  }
  return (
    <>
      <Button variant="ghost" icon={Trash2} onClick={() => setAsking(true)}>
        {m.imports_discard()}
      </Button>
      <ConfirmDialog
        open={isAsking}
        onClose={() => setAsking(false)}
        title={m.imports_discard_title()}
        confirmLabel={m.imports_discard()}
        danger
        onConfirm={() => void discardAfterwards()}
      >
        <p>{m.imports_discard_text()}</p>
      </ConfirmDialog>
    </>
  )
}
