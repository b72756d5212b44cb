import { useMutation } from '@tanstack/react-query'
import type { ImportBatch } from '@tour-ops/contract/imports/import-batch'
import { discardRejectedRows, rejectedImportRows } from '@tour-ops/contract/imports/imports'
import { Download, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { currentBackend } from '../../backend/port.ts'
import { refusalText } from '../../errors/refusal-text.ts'
import { m } from '../../paraglide/messages.js'
import { Button } from '../../ui/button.tsx'
import { ConfirmDialog } from '../../ui/dialog.tsx'
import { formatLocalDay } from '../../ui/format.ts'
import { saveTextFile } from '../../ui/save-file.ts'
import { toast } from '../../ui/toast.tsx'
import { useBatchCall } from './use-batch-call.ts'

/** The refused rows as a file to correct and upload again. */
export function RejectedDownload({ batch, count }: { batch: ImportBatch; count: number }) {
  const download = useMutation({
    mutationFn: () => currentBackend().call(rejectedImportRows, { id: batch.id }),
    onSuccess: ({ fileName, csv }) => {
      saveTextFile(fileName, csv)
      const hasHidden = batch.columns.some((column) => column.hidden)
      toast(
        hasHidden
          ? m.imports_rejected_saved_without_hidden({ file: fileName })
          : m.imports_rejected_saved({ file: fileName }),
      )
    },
    onError: (error) => toast(refusalText(error)),
  })
  return (
    <Button icon={Download} pending={download.isPending} onClick={() => download.mutate()}>
      {m.imports_rejected_download({ count })}
    </Button>
  )
}

/** Rejected rows that an applied import has kept: downloaded, then deleted. */
export function KeptRejected({ batch }: { batch: ImportBatch }) {
  const [isAsking, setAsking] = useState(false)
  const discard = useBatchCall(discardRejectedRows, () => setAsking(false))
  const { rejectedUntil, counts } = batch
  if (rejectedUntil === null || counts === null) return null
  return (
    <div className="card mt-4 flex flex-wrap items-center gap-3 px-4 py-3">
      <p className="min-w-0 flex-1 basis-64">{m.imports_rejected_kept({ day: formatLocalDay(rejectedUntil) })}</p>
      <RejectedDownload batch={batch} count={counts.reject} />
      <Button icon={Trash2} onClick={() => setAsking(true)}>
        {m.imports_rejected_delete()}
      </Button>
      <ConfirmDialog
        open={isAsking}
        onClose={() => setAsking(false)}
        danger
        title={m.imports_rejected_delete_title()}
        confirmLabel={m.imports_rejected_delete()}
        pending={discard.isPending}
        error={discard.error ? refusalText(discard.error) : undefined}
        onConfirm={() => discard.mutate({ id: batch.id, version: batch.version })}
      >
        <p>{m.imports_rejected_delete_text()}</p>
      </ConfirmDialog>
    </div>
  )
}
