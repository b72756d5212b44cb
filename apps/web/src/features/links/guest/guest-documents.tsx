import type { SharedDocument } from '@tour-ops/contract/links/shared-page'
import { useState } from 'react'
import { m } from '../../../paraglide/messages.js'
import { formatLocalDate, formatMoney } from '../../../ui/format.ts'
import { loadLater, onIntent } from '../../../ui/load-later.tsx'
import { Ltr } from '../../../ui/ltr.tsx'

/** Not part of what every guest loads. */
const GuestDocument = loadLater(() => import('./guest-document.tsx').then((module) => module.GuestDocument))

/** Invoices and receipts of the booking, each to be opened, printed and saved. */
export function GuestDocuments({ token, documents }: { token: string; documents: readonly SharedDocument[] }) {
  const [shown, setShown] = useState<SharedDocument | null>(null)
  if (documents.length === 0) return null
  return (
    <section className="share-block" aria-labelledby="guest-documents">
      <h2 id="guest-documents" className="mb-3 text-[17px] font-semibold text-ink-strong">
        {m.links_documents()}
      </h2>
      <ul className="grid gap-1">
        {documents.map((one) => (
          <li key={one.id} className="flex min-h-11 flex-wrap items-center gap-x-3">
            <span className="min-w-0 flex-1">
              <button
                type="button"
                className="link min-h-11 text-start font-medium"
                {...onIntent(GuestDocument)}
                onClick={() => setShown(one)}
              >
                {kindLabel(one)} <Ltr>{one.number}</Ltr>
              </button>
              <span className="block text-ink-2">{formatLocalDate(one.issuedOn)}</span>
              {isOver(one) && (
                <span className="block text-ink-2">
                  {one.cancelledByNumber === null
                    ? m.links_document_void()
                    : m.links_document_cancelled({ number: one.cancelledByNumber })}
                </span>
              )}
            </span>
            <span className={`num font-semibold ${isOver(one) ? 'text-ink-2 line-through' : 'text-ink-strong'}`}>
              {formatMoney(one.totalMinor, one.currency)}
            </span>
          </li>
        ))}
      </ul>
      {shown && <GuestDocument token={token} document={shown} onClose={() => setShown(null)} />}
    </section>
  )
}

/** Whether it counts no more. */
const isOver = ({ cancelledByNumber, isVoid }: SharedDocument): boolean => cancelledByNumber !== null || isVoid

const kindLabel = ({ kind }: SharedDocument): string =>
  ({ invoice: m.links_document_invoice, credit_note: m.links_document_credit_note, receipt: m.links_document_receipt })[
    kind
  ]()
