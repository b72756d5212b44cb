import type { PrintedDocument } from '@tour-ops/contract/bookings/billing'
import type { AppError } from '@tour-ops/contract/errors'
import { Printer } from 'lucide-react'
import type { ReactNode } from 'react'
import { createPortal } from 'react-dom'
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

export interface BillingViewProps {
  number: string
  data: PrintedDocument | undefined
  error: AppError | null
  onRetry: () => void
  onClose: () => void
  /** Further buttons. */
  actions?: ReactNode
  /** Above the document. */
  children?: ReactNode
}

/** A document as it is printed, for the office and for the guest; the browser's print dialog makes a PDF of it too. */
export function BillingView({ number, data, error, onRetry, onClose, actions, children }: BillingViewProps) {
  return (
    <Dialog
      open
      wide
      dismissible
      onClose={onClose}
      title={number}
      actions={
        <>
          {actions}
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
      {error && !data && <ErrorPanel message={refusalText(error)} onRetry={onRetry} />}
      {!data && !error && <SkeletonRows rows={8} />}
      {children}
      {data && (
        // what scrolls must be reached by keyboard
        <div
          className="rounded-lg border border-line bg-white p-4 sm:p-6"
          role="region"
          aria-label={number}
          tabIndex={0}
        >
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
