import { useQuery } from '@tanstack/react-query'
import { issueReceipt, listBillingDocuments } from '@tour-ops/contract/bookings/billing'
import type { Booking } from '@tour-ops/contract/bookings/bookings'
import { balanceOf } from '@tour-ops/contract/bookings/cancellation'
import { listPayments, type Payment, voidPayment } from '@tour-ops/contract/bookings/payments'
import { Banknote, Undo2 } from 'lucide-react'
import { useState } from 'react'
import { callQuery } from '../../backend/queries.ts'
import { refusalText } from '../../errors/refusal-text.ts'
import { useAccess } from '../../identity/access.ts'
import { m } from '../../paraglide/messages.js'
import { Button } from '../../ui/button.tsx'
import { ConfirmDialog } from '../../ui/dialog.tsx'
import { ErrorPanel } from '../../ui/error-panel.tsx'
import { Field, TextInput } from '../../ui/field.tsx'
import { formatLocalDate, formatMoney } from '../../ui/format.ts'
import { SkeletonRows } from '../../ui/skeleton.tsx'
import { toast } from '../../ui/toast.tsx'
import { BillingDialog } from './billing-dialog.tsx'
import { PaymentDialog } from './payment-dialog.tsx'
import { methodLabel } from './payment-labels.ts'
import { useBookingWrite } from './use-booking-write.ts'

/** What was paid for a booking and paid back, with what is due. See docs/screens.md, "Records over any screen". */
export function PaymentsSection({ booking }: { booking: Booking }) {
  const mayRecord = useAccess().can('bookings:manage')
  const { data, error, refetch } = useQuery(callQuery(listPayments, { bookingId: booking.id }))
  const [asked, setAsked] = useState<'payment' | 'refund' | Payment | null>(null)
  const receipts = useReceipts(booking.id, mayRecord)
  const { dueMinor, refundMinor } = balanceOf(booking)
  const close = () => setAsked(null)
  const money = (minor: number) => formatMoney(minor, booking.currency)
  const isOver = refundMinor > 0 && dueMinor === 0
  return (
    <section aria-labelledby="booking-payments" className="border-t border-line pb-3">
      <h3 id="booking-payments" className="px-4 pt-4 text-base font-semibold lg:px-6">
        {m.bookings_payments()}
      </h3>
      <div className="flex flex-wrap items-end gap-x-4 gap-y-2 px-4 py-2 lg:px-6">
        <p className="me-auto">
          <span className="block text-xs text-ink-2">{isOver ? m.bookings_overpaid() : m.bookings_due()}</span>
          <span
            className={`num block text-2xl font-semibold tracking-tight ${
              dueMinor > 0 || isOver ? 'text-warn' : 'text-ink-strong'
            }`}
          >
            {money(isOver ? refundMinor : dueMinor)}
          </span>
          <span className="num text-xs text-ink-2">
            {m.bookings_paid_of({ paid: money(booking.amountPaidMinor), total: money(booking.amountTotalMinor) })}
          </span>
        </p>
        {mayRecord && data && (
          <div className="flex flex-wrap gap-2">
            {booking.amountPaidMinor > 0 && (
              <Button size="sm" icon={Undo2} onClick={() => setAsked('refund')}>
                {m.bookings_record_refund()}
              </Button>
            )}
            <Button
              size="sm"
              icon={Banknote}
              variant={dueMinor > 0 ? 'primary' : 'secondary'}
              onClick={() => setAsked('payment')}
            >
              {m.bookings_record_payment()}
            </Button>
          </div>
        )}
      </div>
      {error && !data && <ErrorPanel message={refusalText(error)} onRetry={() => void refetch()} />}
      {!data && !error && <SkeletonRows rows={2} />}
      {data?.payments.length === 0 && <p className="px-4 text-ink-2 lg:px-6">{m.bookings_payments_none()}</p>}
      <ul>
        {data?.payments.map((payment) => (
          <PaymentLine
            key={payment.id}
            payment={payment}
            onReceipt={receipts.of(payment)}
            onVoid={mayRecord && payment.voidedAt === null ? () => setAsked(payment) : undefined}
          />
        ))}
      </ul>
      {data && (asked === 'payment' || asked === 'refund') && (
        <PaymentDialog
          booking={booking}
          kind={asked}
          amountMinor={(asked === 'payment' ? dueMinor : refundMinor) || null}
          today={data.today}
          onClose={close}
        />
      )}
      {asked !== null && typeof asked === 'object' && <VoidDialog payment={asked} onClose={close} />}
      {receipts.shown && <BillingDialog {...receipts.shown} onClose={receipts.close} />}
    </section>
  )
}

interface Receipt {
  id: string
  number: string
}

/** A receipt is issued when it is asked for first; of a voided payment the one that was handed out stays. */
function useReceipts(bookingId: string, mayIssue: boolean) {
  const { data } = useQuery(callQuery(listBillingDocuments, { bookingId }))
  const [shown, setShown] = useState<Receipt | null>(null)
  const write = useBookingWrite(issueReceipt)
  const issue = (paymentId: string) =>
    void write
      .mutateAsync({ paymentId })
      .then(setShown)
      .catch((refused: unknown) => toast(refusalText(refused)))
  const of = ({ id, voidedAt }: Payment): (() => void) | undefined => {
    const known = data?.documents.find(({ paymentId }) => paymentId === id)
    if (known) return () => setShown({ id: known.id, number: known.number })
    return data && mayIssue && voidedAt === null ? () => issue(id) : undefined
  }
  return { of, shown, close: () => setShown(null) }
}

interface PaymentLineProps {
  payment: Payment
  onReceipt: (() => void) | undefined
  onVoid: (() => void) | undefined
}

function PaymentLine({ payment, onReceipt, onVoid }: PaymentLineProps) {
  const { kind, amountMinor, currency, receivedOn, recordedByName, reference, note } = payment
  const isVoid = payment.voidedAt !== null
  const amount = formatMoney(kind === 'refund' ? -amountMinor : amountMinor, currency)
  const kindText = kind === 'refund' ? m.bookings_refund_kind() : m.bookings_payment_kind()
  return (
    <li className="flex min-h-11 flex-wrap items-center gap-x-3 px-4 py-1 lg:px-6">
      <span className={`min-w-0 flex-1 ${isVoid ? 'line-through' : ''}`}>
        <b className="font-medium text-ink-strong">{kindText}</b> · {methodLabel(payment)}
        <span className="block text-ink-2">
          {[formatLocalDate(receivedOn), recordedByName, reference].filter(Boolean).join(' · ')}
        </span>
        {note && <span className="block whitespace-pre-line text-ink-2">{note}</span>}
      </span>
      <span className={`num font-semibold ${isVoid ? 'text-ink-2 line-through' : 'text-ink-strong'}`}>{amount}</span>
      {onReceipt && (
        <Button
          size="sm"
          variant="ghost"
          aria-label={m.bookings_receipt_of({ payment: `${kindText} ${amount}` })}
          onClick={onReceipt}
        >
          {m.bookings_receipt()}
        </Button>
      )}
      {onVoid && (
        <Button
          size="sm"
          variant="ghost"
          aria-label={`${m.bookings_payment_void()}: ${kindText} ${amount}`}
          onClick={onVoid}
        >
          {m.bookings_payment_void()}
        </Button>
      )}
      {isVoid && <span className="w-full text-ink-2">{voidedText(payment)}</span>}
    </li>
  )
}

function voidedText({ voidReason, voidedByName }: Payment): string {
  if (voidReason === null) return m.bookings_payment_import_undone()
  return voidedByName === null
    ? m.bookings_payment_voided({ reason: voidReason })
    : m.bookings_payment_voided_by({ name: voidedByName, reason: voidReason })
}

function VoidDialog({ payment, onClose }: { payment: Payment; onClose: () => void }) {
  const [reason, setReason] = useState('')
  const amount = formatMoney(payment.amountMinor, payment.currency)
  const write = useBookingWrite(voidPayment, () => {
    toast(m.bookings_payment_voided_toast({ amount }))
    onClose()
  })
  return (
    <ConfirmDialog
      open
      onClose={onClose}
      danger
      title={m.bookings_payment_void_title({ amount })}
      confirmLabel={m.bookings_payment_void()}
      pending={write.isPending}
      disabledReason={reason.trim() === '' ? m.bookings_choose_reason() : undefined}
      error={write.error ? refusalText(write.error) : undefined}
      onConfirm={() => write.mutate({ id: payment.id, reason: reason.trim() })}
    >
      <div className="grid gap-3">
        <p>{m.bookings_payment_void_text()}</p>
        <Field label={m.bookings_payment_void_reason()} required>
          <TextInput maxLength={200} value={reason} onChange={(event) => setReason(event.target.value)} />
        </Field>
      </div>
    </ConfirmDialog>
  )
}
