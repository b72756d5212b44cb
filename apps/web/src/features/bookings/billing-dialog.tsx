import { useQuery } from '@tanstack/react-query'
import { getBillingDocument, type PrintedDocument } from '@tour-ops/contract/bookings/billing'
import { Printer } from 'lucide-react'
import { createPortal } from 'react-dom'
import { callQuery } from '../../backend/queries.ts'
import { refusalText } from '../../errors/refusal-text.ts'
import { m } from '../../paraglide/messages.js'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { ErrorPanel } from '../../ui/error-panel.tsx'
import { usePageNumbers } from '../../ui/page-numbers.ts'
import '../../ui/print-sheet.css'
import { SkeletonRows } from '../../ui/skeleton.tsx'
import { BillingPaper } from './billing-paper.tsx'
import { paperTexts } from './billing-texts.ts'

/** A document as it is printed; the browser's print dialog makes a PDF of it too. */
export function BillingDialog({ id, number, onClose }: { id: string; number: string; onClose: () => void }) {
  const { data, error, refetch } = useQuery(callQuery(getBillingDocument, { id }))
  return (
    <Dialog
      open
      wide
      dismissible
      onClose={onClose}
      title={number}
      actions={
        <>
          <Button onClick={onClose}>{m.ui_close()}</Button>
          <Button
            variant="primary"
            icon={Printer}
            disabledReason={data ? undefined : m.ui_loading()}
            onClick={() => printAs(number)}
          >
            {m.bookings_print()}
          </Button>
        </>
      }
    >
      {error && !data && <ErrorPanel message={refusalText(error)} onRetry={() => void refetch()} />}
      {!data && !error && <SkeletonRows rows={8} />}
      {data && (
        <div className="rounded-lg border border-line bg-white p-4 sm:p-6">
          <BillingPaper document={data} />
        </div>
      )}
      {data && <OnSheet document={data} />}
    </Dialog>
  )
}

/** The printer gets the paper alone. See docs/visual-rules.md, "Print". */
function OnSheet({ document: printed }: { document: PrintedDocument }) {
  usePageNumbers('print-sheet', paperTexts(printed).pages)
  return createPortal(
    <div className="print-sheet print-document" aria-hidden="true">
      <BillingPaper document={printed} />
    </div>,
    document.body,
  )
}

/** The title of the page is the name of the file that a browser proposes for a PDF. */
function printAs(name: string): void {
  const before = document.title
  document.title = name
  window.print()
  document.title = before
}
