import { useQuery } from '@tanstack/react-query'
import {
  type BillingDocument,
  cancelInvoice,
  isBillable,
  isInForce,
  listBillingDocuments,
} from '@tour-ops/contract/bookings/billing'
import type { Booking } from '@tour-ops/contract/bookings/bookings'
import { FileText } from 'lucide-react'
import { useState } from 'react'
import { callQuery } from '../../backend/queries.ts'
import { refusalText } from '../../errors/refusal-text.ts'
import { useAccess } from '../../identity/access.ts'
import { m } from '../../paraglide/messages.js'
import { Banner } from '../../ui/banner.tsx'
import { Button } from '../../ui/button.tsx'
import { ConfirmDialog } from '../../ui/dialog.tsx'
import { ErrorPanel } from '../../ui/error-panel.tsx'
import { Field, TextInput } from '../../ui/field.tsx'
import { formatLocalDate, formatMoney } from '../../ui/format.ts'
import { Ltr } from '../../ui/ltr.tsx'
import { SkeletonRows } from '../../ui/skeleton.tsx'
import { toast } from '../../ui/toast.tsx'
import { BillingDialog } from './billing-dialog.tsx'
import { billingTitle } from './billing-texts.ts'
import { InvoiceDialog } from './invoice-dialog.tsx'
import { useBookingWrite } from './use-booking-write.ts'

type Asked =
  | { act: 'issue' }
  | { act: 'cancel'; invoice: BillingDocument }
  | { act: 'show'; id: string; number: string }

/** Invoices and credit notes of a booking. See docs/screens.md, "Records over any screen". */
export function BillingSection({ booking }: { booking: Booking }) {
  const mayIssue = useAccess().can('bookings:manage')
  const { data, error, refetch } = useQuery(callQuery(listBillingDocuments, { bookingId: booking.id }))
  const [asked, setAsked] = useState<Asked | null>(null)
  const close = () => setAsked(null)
  const documents = data?.documents.filter(({ kind }) => kind !== 'receipt') ?? []
  const invoice = documents.find(isInForce)
  const mayBeBilled = isBillable(booking)
  return (
    <section aria-labelledby="booking-invoices" className="border-t border-line pb-3">
      <div className="flex min-h-11 items-center gap-2 px-4 pt-2 lg:px-6">
        <h3 id="booking-invoices" className="flex-1 text-base font-semibold">
          {m.bookings_invoices()}
        </h3>
        {mayIssue && data && mayBeBilled && (
          <Button
            size="sm"
            icon={FileText}
            variant={data.isOutdated ? 'primary' : 'secondary'}
            onClick={() => setAsked({ act: 'issue' })}
          >
            {invoice ? m.bookings_invoice_replace() : m.bookings_invoice_issue()}
          </Button>
        )}
      </div>
      {data?.isOutdated && (
        <div className="px-4 py-1 lg:px-6">
          <Banner tone="warn" role="status" framed title={m.bookings_invoice_outdated()}>
            {mayBeBilled ? m.bookings_invoice_outdated_text() : m.bookings_invoice_over_text()}
          </Banner>
        </div>
      )}
      {error && !data && <ErrorPanel message={refusalText(error)} onRetry={() => void refetch()} />}
      {!data && !error && <SkeletonRows rows={1} />}
      {data && documents.length === 0 && (
        <p className="px-4 text-ink-2 lg:px-6">
          {mayBeBilled ? m.bookings_invoices_none() : m.bookings_invoices_none_yet()}
        </p>
      )}
      <ul>
        {documents.map((one) => (
          <DocumentLine
            key={one.id}
            document={one}
            onShow={() => setAsked({ act: 'show', id: one.id, number: one.number })}
            onCancel={mayIssue && isInForce(one) ? () => setAsked({ act: 'cancel', invoice: one }) : undefined}
          />
        ))}
      </ul>
      {data && asked?.act === 'issue' && (
        <InvoiceDialog
          booking={booking}
          buyer={data.buyer}
          hasSellerAddress={data.hasSellerAddress}
          replaces={invoice}
          isOutdated={data.isOutdated}
          onIssued={({ id, number }) => setAsked({ act: 'show', id, number })}
          onClose={close}
        />
      )}
      {asked?.act === 'cancel' && <CancelDialog invoice={asked.invoice} onClose={close} />}
      {asked?.act === 'show' && <BillingDialog id={asked.id} number={asked.number} onClose={close} />}
    </section>
  )
}

interface DocumentLineProps {
  document: BillingDocument
  onShow: () => void
  onCancel: (() => void) | undefined
}

function DocumentLine({ document: one, onShow, onCancel }: DocumentLineProps) {
  const { number, totalMinor, currency, issuedOn, issuedByName, buyerName, cancelledByNumber, reason } = one
  const isCancelled = cancelledByNumber !== null
  return (
    <li className="flex min-h-11 flex-wrap items-center gap-x-3 px-4 py-1 lg:px-6">
      <span className="min-w-0 flex-1">
        <button type="button" className="link font-medium" onClick={onShow}>
          <Ltr>{number}</Ltr>
        </button>{' '}
        · {billingTitle(one)}
        <span className="block text-ink-2">
          {formatLocalDate(issuedOn)} · <bdi>{buyerName}</bdi>
          {issuedByName !== null && (
            <>
              {' '}
              · <bdi>{issuedByName}</bdi>
            </>
          )}
        </span>
        {isCancelled && (
          <span className="block text-ink-2">{m.bookings_invoice_cancelled_by({ number: cancelledByNumber })}</span>
        )}
        {reason !== null && <span className="block text-ink-2">{reason}</span>}
      </span>
      <span className={`num font-semibold ${isCancelled ? 'text-ink-2 line-through' : 'text-ink-strong'}`}>
        {formatMoney(totalMinor, currency)}
      </span>
      {onCancel && (
        <Button size="sm" variant="ghost" aria-label={m.bookings_invoice_cancel_of({ number })} onClick={onCancel}>
          {m.bookings_invoice_cancel()}
        </Button>
      )}
    </li>
  )
}

function CancelDialog({ invoice, onClose }: { invoice: BillingDocument; onClose: () => void }) {
  const [reason, setReason] = useState('')
  const write = useBookingWrite(cancelInvoice, ({ number }) => {
    toast(m.bookings_invoice_cancelled_toast({ number: invoice.number, credit: number }))
    onClose()
  })
  return (
    <ConfirmDialog
      open
      onClose={onClose}
      danger
      title={m.bookings_invoice_cancel_title({ number: invoice.number })}
      confirmLabel={m.bookings_invoice_cancel()}
      cancelLabel={m.bookings_invoice_keep()}
      pending={write.isPending}
      disabledReason={reason.trim() === '' ? m.bookings_choose_reason() : undefined}
      error={write.error ? refusalText(write.error) : undefined}
      onConfirm={() => write.mutate({ id: invoice.id, reason: reason.trim() })}
    >
      <div className="grid gap-3">
        <p>{m.bookings_invoice_cancel_text()}</p>
        <Field label={m.bookings_invoice_reason()} hint={m.bookings_invoice_reason_hint()} required>
          <TextInput maxLength={200} value={reason} onChange={(event) => setReason(event.target.value)} />
        </Field>
      </div>
    </ConfirmDialog>
  )
}
