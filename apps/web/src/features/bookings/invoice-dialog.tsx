import { Link } from '@tanstack/react-router'
import { type BillingDocument, Buyer, issueInvoice } from '@tour-ops/contract/bookings/billing'
import type { Booking } from '@tour-ops/contract/bookings/bookings'
import { owedMinor } from '@tour-ops/contract/bookings/cancellation'
import { text } from '@tour-ops/contract/fields'
import * as z from 'zod/mini'
import { useAccess } from '../../identity/access.ts'
import { m } from '../../paraglide/messages.js'
import { Banner } from '../../ui/banner.tsx'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { formatMoney } from '../../ui/format.ts'
import { TextAreaFor, TextFor } from '../../ui/form/field-for.tsx'
import { FormShell } from '../../ui/form/form.tsx'
import { useAppForm } from '../../ui/form/use-app-form.ts'
import { useBookingWrite } from './use-booking-write.ts'

const Fields = z.object({
  buyer: Buyer,
  replaces: z.optional(z.object({ reason: text(200, 'reason_missing') })),
})

interface InvoiceDialogProps {
  booking: Booking
  /** What the entries begin with. */
  buyer: z.input<typeof Buyer>
  hasSellerAddress: boolean
  /** The invoice in force, which is taken back with this. */
  replaces: BillingDocument | undefined
  /** Whether it is replaced because the booking changed. */
  isOutdated: boolean
  onIssued: (document: { id: string; number: string }) => void
  onClose: () => void
}

/** Who an invoice is made out to; what it is over is the booking's. */
export function InvoiceDialog(props: InvoiceDialogProps) {
  const { booking, buyer, hasSellerAddress, replaces, isOutdated, onIssued, onClose } = props
  const write = useBookingWrite(issueInvoice)
  const maySet = useAccess().can('settings:manage')
  const title = replaces ? m.bookings_invoice_replace() : m.bookings_invoice_issue()
  const amount = formatMoney(owedMinor(booking), booking.currency)
  const form = useAppForm({
    schema: Fields,
    defaultValues: {
      buyer: { name: buyer.name, address: buyer.address ?? '', taxNumber: buyer.taxNumber ?? '' },
      ...(replaces && { replaces: { reason: isOutdated ? m.bookings_invoice_changed() : '' } }),
    },
  })
  const send = ({ buyer: to, replaces: why }: z.output<typeof Fields>) =>
    write.mutateAsync({
      bookingId: booking.id,
      buyer: to,
      ...(replaces && why && { replaces: { id: replaces.id, reason: why.reason } }),
    })
  return (
    <Dialog open onClose={onClose} title={title} locked={write.isPending}>
      <FormShell form={form} onSubmit={send} onSaved={onIssued}>
        {({ isPending }) => (
          <>
            <p className="mb-3">
              {replaces
                ? m.bookings_invoice_replace_text({ number: replaces.number, amount })
                : m.bookings_invoice_issue_text({ amount })}
            </p>
            {!hasSellerAddress && (
              <div className="mb-3">
                <Banner tone="warn" role="status" framed title={m.bookings_invoice_no_address()}>
                  {maySet ? (
                    <Link to="/settings/general" hash="invoices" className="link">
                      {m.bookings_invoice_set_address()}
                    </Link>
                  ) : (
                    m.bookings_invoice_ask_address()
                  )}
                </Banner>
              </div>
            )}
            <div className="grid gap-3">
              <TextFor form={form} name="buyer.name" label={m.bookings_invoice_buyer()} required maxLength={120} />
              <TextAreaFor form={form} name="buyer.address" label={m.bookings_invoice_address()} rows={3} />
              <TextFor
                form={form}
                name="buyer.taxNumber"
                label={m.bookings_invoice_tax_number()}
                hint={m.bookings_invoice_tax_number_hint()}
                maxLength={40}
              />
              {replaces && (
                <TextFor
                  form={form}
                  name="replaces.reason"
                  label={m.bookings_invoice_reason()}
                  hint={m.bookings_invoice_reason_hint()}
                  required
                  maxLength={200}
                />
              )}
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
