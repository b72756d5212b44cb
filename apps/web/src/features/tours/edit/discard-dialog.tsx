import { discardTourDraft } from '@tour-ops/contract/tours/tours'
import { refusalText } from '../../../errors/refusal-text.ts'
import { useCall } from '../../../backend/queries.ts'
import { m } from '../../../paraglide/messages.js'
import { ConfirmDialog } from '../../../ui/dialog.tsx'
import { toast } from '../../../ui/toast.tsx'
import type { TourDialogProps } from '../tour-dialogs.tsx'

/** Drops the unpublished changes of a published tour. */
export function DiscardDialog({ tour, onClose }: TourDialogProps) {
  const discard = useCall(discardTourDraft, {
    onSuccess: () => {
      toast(m.tours_discarded())
      onClose()
    },
  })
  return (
    <ConfirmDialog
      open
      danger
      onClose={onClose}
      title={m.tours_discard_title()}
      confirmLabel={m.tours_discard_draft()}
      pending={discard.isPending}
      error={discard.error ? refusalText(discard.error) : undefined}
      onConfirm={() => discard.mutate({ id: tour.id, version: tour.version })}
    >
      {m.tours_discard_text()}
    </ConfirmDialog>
  )
}
