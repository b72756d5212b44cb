import type { Booking } from '@tour-ops/contract/bookings/bookings'
import { recordPayment, type paymentKinds, voidPayment } from '@tour-ops/contract/bookings/payments'
import { optionalText } from '@tour-ops/contract/fields'
import { useState } from 'react'
import * as z from 'zod/mini'
import { refusalText } from '../../errors/refusal-text.ts'
import { m } from '../../paraglide/messages.js'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { formatMoney } from '../../ui/format.ts'
import { FormShell } from '../../ui/form/form.tsx'
import { DateFor, MoneyFor, SelectFor, TextAreaFor, TextFor } from '../../ui/form/field-for.tsx'
import { useAppForm } from '../../ui/form/use-app-form.ts'
import { toast } from '../../ui/toast.tsx'
import { methodOptions } from './payment-labels.ts'
import { useBookingWrite } from './use-booking-write.ts'

const { amountMinor, method, receivedOn } = recordPayment.input.shape
const Fields = z.object({ amountMinor, method, receivedOn, reference: optionalText(80), note: optionalText(500) })

interface PaymentDialogProps {
  booking: Booking
  kind: (typeof paymentKinds)[number]
  /** What the amount begins with; null for none. */
  amountMinor: number | null
  /** In the zone of the organization. */
  today: string
  onClose: () => void
}

/** Records a payment or a refund; the message offers the way back. */
export function PaymentDialog({ booking, kind, amountMinor: proposed, today, onClose }: PaymentDialogProps) {
  // one for each time it is opened: the same press that comes twice is one payment
  const [clientEventId] = useState(() => crypto.randomUUID())
  const back = useBookingWrite(voidPayment)
  const write = useBookingWrite(recordPayment)
  const { currency } = booking
  const isRefund = kind === 'refund'
  const title = isRefund ? m.bookings_record_refund() : m.bookings_record_payment()
  const form = useAppForm({
    schema: Fields,
    defaultValues: { ...(proposed !== null && { amountMinor: proposed }), receivedOn: today, reference: '', note: '' },
  })
  const done = (id: string, amount: string) => {
    const undo = {
      label: m.ui_undo(),
      // The dialog is gone by then, and with it what a mutation calls back; its promise is not.
      onPress: () =>
        void back
          .mutateAsync({ id, reason: m.bookings_payment_undone() })
          .then(() => toast(m.bookings_payment_voided_toast({ amount })))
          .catch((refused: unknown) => toast(refusalText(refused))),
    }
    toast(isRefund ? m.bookings_refund_recorded({ amount }) : m.bookings_payment_recorded({ amount }), undo)
    onClose()
  }
  return (
    <Dialog open onClose={onClose} title={title} locked={write.isPending}>
      <FormShell
        form={form}
        onSubmit={(values) => write.mutateAsync({ ...values, clientEventId, kind, bookingId: booking.id })}
        onSaved={({ payment }) => done(payment.id, formatMoney(payment.amountMinor, currency))}
      >
        {({ isPending }) => (
          <>
            <div className="grid gap-3 sm:grid-cols-2">
              <MoneyFor
                form={form}
                name="amountMinor"
                label={m.bookings_amount()}
                currency={currency}
                required
                hint={
                  isRefund
                    ? m.bookings_refund_hint({ amount: formatMoney(booking.amountPaidMinor, currency) })
                    : undefined
                }
              />
              <SelectFor
                form={form}
                name="method"
                label={m.bookings_method()}
                required
                placeholder={m.bookings_choose()}
                options={methodOptions()}
              />
              <DateFor form={form} name="receivedOn" label={m.bookings_received_on()} max={today} />
              <TextFor
                form={form}
                name="reference"
                label={m.bookings_reference()}
                maxLength={80}
                hint={m.bookings_reference_hint()}
              />
              <div className="sm:col-span-2">
                <TextAreaFor form={form} name="note" label={m.bookings_note()} rows={2} />
              </div>
            </div>
            <div className="mt-4 flex justify-end gap-2">
              <Button onClick={onClose}>{m.ui_cancel()}</Button>
              <Button variant="primary" type="submit" pending={isPending}>
                {title}
              </Button>
            </div>
          </>
        )}
      </FormShell>
    </Dialog>
  )
}
