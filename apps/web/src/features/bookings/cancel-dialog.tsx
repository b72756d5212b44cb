import { useQuery } from '@tanstack/react-query'
import { type Booking, cancelBooking } from '@tour-ops/contract/bookings/bookings'
import { balanceOf, isFeeByRule, proposedFeeMinor } from '@tour-ops/contract/bookings/cancellation'
import { getParty } from '@tour-ops/contract/bookings/party'
import { useState } from 'react'
import { callQuery } from '../../backend/queries.ts'
import { refusalText } from '../../errors/refusal-text.ts'
import { m } from '../../paraglide/messages.js'
import { ConfirmDialog } from '../../ui/dialog.tsx'
import { Field, Select, TextArea } from '../../ui/field.tsx'
import { formatMoney } from '../../ui/format.ts'
import { toast } from '../../ui/toast.tsx'
import { reasonOptions } from './booking-labels.ts'
import { FeeFields, useKeptFee } from './cancellation-fee.tsx'
import { TellContact } from './tell-guest.tsx'
import { useBookingWrite } from './use-booking-write.ts'
import { useRestore } from './use-restore.ts'

interface CancelDialogProps {
  booking: Booking
  onClose: () => void
}

/** Cancels a booking, with what is kept by the rule of its tour and what goes back. */
export function CancelDialog({ booking, onClose }: CancelDialogProps) {
  const { data, error } = useQuery({
    ...callQuery(getParty, { id: booking.id }),
    enabled: booking.amountTotalMinor > 0 && (booking.status === 'confirmed' || booking.amountPaidMinor > 0),
  })
  const [reason, setReason] = useState('')
  const [note, setNote] = useState('')
  const [isTold, setTold] = useState(true)
  const rule = data?.cancellation
  const byRule = rule ? proposedFeeMinor(booking, reason, rule) : 0
  const fee = useKeptFee(byRule, booking.amountTotalMinor)
  const { dueMinor, refundMinor } = balanceOf({ ...booking, status: 'cancelled', cancellationFeeMinor: fee.minor })
  const { restore } = useRestore()
  const cancel = useBookingWrite(cancelBooking, ({ booking: cancelled, promoted }) => {
    const ref = booking.bookingRef
    if (promoted.length > 0) toast(m.bookings_cancelled_promoted({ ref, others: promoted.join(', ') }))
    else toast(m.bookings_cancelled_toast({ ref }), { label: m.ui_undo(), onPress: () => restore(cancelled) })
    onClose()
  })
  return (
    <ConfirmDialog
      open
      onClose={onClose}
      danger
      title={m.bookings_cancel_title({ ref: booking.bookingRef })}
      confirmLabel={m.bookings_cancel()}
      cancelLabel={m.bookings_keep()}
      pending={cancel.isPending}
      disabledReason={reason === '' ? m.bookings_choose_reason() : rule && fee.problem}
      error={cancel.error || error ? refusalText(cancel.error ?? error) : undefined}
      onConfirm={() =>
        cancel.mutate({
          id: booking.id,
          version: booking.version,
          reason: reason as 'other',
          note: note.trim() || null,
          ...(rule && fee.input),
          tellGuest: isTold,
        })
      }
    >
      <div className="grid gap-3">
        <p>
          {booking.status === 'waitlisted'
            ? m.bookings_cancel_waiting()
            : m.bookings_cancel_text({ count: booking.pax })}
        </p>
        <Field label={m.bookings_cancel_reason()} required>
          <Select
            value={reason}
            placeholder={m.bookings_choose()}
            onChange={(event) => setReason(event.target.value)}
            options={reasonOptions()}
          />
        </Field>
        {rule && reason !== '' && (
          <FeeFields
            fee={fee}
            rule={rule}
            isByRule={isFeeByRule(booking, reason)}
            atMostMinor={booking.amountTotalMinor}
            currency={booking.currency}
            error={cancel.error}
          />
        )}
        {reason !== '' && refundMinor > 0 && (
          <p className="font-medium text-ink-strong">
            {m.bookings_goes_back({ amount: formatMoney(refundMinor, booking.currency) })}
          </p>
        )}
        {reason !== '' && dueMinor > 0 && (
          <p className="font-medium text-ink-strong">
            {m.bookings_still_due({ amount: formatMoney(dueMinor, booking.currency) })}
          </p>
        )}
        <Field label={m.bookings_note()}>
          <TextArea value={note} maxLength={500} onChange={(event) => setNote(event.target.value)} />
        </Field>
        <TellContact event="booking_cancelled" booking={booking} checked={isTold} onChange={setTold} />
      </div>
    </ConfirmDialog>
  )
}
