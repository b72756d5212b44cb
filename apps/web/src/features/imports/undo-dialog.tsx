import { useQuery } from '@tanstack/react-query'
import type { ImportBatch } from '@tour-ops/contract/imports/import-batch'
import { checkImportUndo, undoImport } from '@tour-ops/contract/imports/imports'
import { refusalText } from '../../errors/refusal-text.ts'
import { callQuery } from '../../backend/queries.ts'
import { m } from '../../paraglide/messages.js'
import { ConfirmDialog } from '../../ui/dialog.tsx'
import { RemainingGuests } from './remaining-guests.tsx'
import { useBatchCall } from './use-batch-call.ts'

/** Asks before an undo, and says first whom it would leave alone. */
export function UndoDialog({ batch, open, onClose }: { batch: ImportBatch; open: boolean; onClose: () => void }) {
  const undo = useBatchCall(undoImport, onClose)
  const { data, isPending } = useQuery({ ...callQuery(checkImportUndo, { id: batch.id }), enabled: open, staleTime: 0 })
  return (
    <ConfirmDialog
      open={open}
      onClose={onClose}
      title={m.imports_undo_title()}
      confirmLabel={m.imports_undo()}
      danger
      pending={undo.isPending}
      disabledReason={isPending ? m.imports_undo_looking() : undefined}
      error={undo.error ? refusalText(undo.error) : undefined}
      onConfirm={() => undo.mutate({ id: batch.id, version: batch.version })}
    >
      <p>{m.imports_undo_text()}</p>
      {data && data.total > 0 && (
        <div className="mt-3">
          <p className="font-medium text-warn">{m.imports_undo_edited({ count: data.total })}</p>
          <RemainingGuests people={data.edited.slice(0, 8)} more={Math.max(0, data.total - 8)} />
        </div>
      )}
    </ConfirmDialog>
  )
}
