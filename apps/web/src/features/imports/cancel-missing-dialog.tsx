import { type Booking, cancelBooking, restoreBooking } from '@tour-ops/contract/bookings/bookings'
import type { MissingParty } from '@tour-ops/contract/imports/import-missing'
import { useState } from 'react'
import { refusalText } from '../../errors/refusal-text.ts'
import { m } from '../../paraglide/messages.js'
import { ConfirmDialog } from '../../ui/dialog.tsx'
import { Field, Select } from '../../ui/field.tsx'
import { toast } from '../../ui/toast.tsx'
import { reasonOptions, TellGuest, useBookingWrite } from '../bookings/index.ts'

interface Props {
  parties: readonly MissingParty[]
  onCancelled: (bookingIds: readonly string[]) => void
  onClose: () => void
}

/** Cancels bookings one after the other, each by the rule of its tour. One that is refused stays chosen, with the reason. */
export function CancelMissingDialog({ parties, onCancelled, onClose }: Props) {
  const [reason, setReason] = useState('')
  const [isTold, setTold] = useState(true)
  const [isPending, setPending] = useState(false)
  const [error, setError] = useState<string>()
  const cancel = useBookingWrite(cancelBooking)
  const restoreAll = useRestoreAll()
  const lastStart =
    parties
      .map(({ startsAt }) => startsAt)
      .toSorted()
      .at(-1) ?? ''
  const cancelAll = async () => {
    setPending(true)
    const cancelled: Booking[] = []
    const refused: unknown[] = []
    for (const { bookingId, version } of parties) {
      const input = {
        id: bookingId,
        version,
        reason: reason as 'other',
        note: null,
        feeReason: null,
        tellGuest: isTold,
      }
      await cancel
        .mutateAsync(input)
        .then(({ booking }) => cancelled.push(booking))
        .catch((problem: unknown) => refused.push(problem))
    }
    setPending(false)
    onCancelled(cancelled.map(({ id }) => id))
    if (cancelled.length > 0) {
      toast(m.imports_missing_cancelled({ count: cancelled.length }), {
        label: m.ui_undo(),
        onPress: () => void restoreAll(cancelled),
      })
    }
    if (refused.length === 0) onClose()
    else setError(m.imports_missing_stayed({ count: refused.length, reason: refusalText(refused[0]) }))
  }
  return (
    <ConfirmDialog
      open
      onClose={onClose}
      danger
      title={m.imports_missing_cancel_title({ count: parties.length })}
      cancelLabel={m.imports_missing_keep()}
      confirmLabel={m.imports_missing_cancel({ count: parties.length })}
      pending={isPending}
      disabledReason={reason === '' ? m.bookings_choose_reason() : undefined}
      error={error}
      onConfirm={() => void cancelAll()}
    >
      <div className="grid gap-3">
        <p>{m.imports_missing_cancel_text()}</p>
        <Field label={m.bookings_cancel_reason()} required>
          <Select
            value={reason}
            placeholder={m.bookings_choose()}
            onChange={(event) => setReason(event.target.value)}
            options={reasonOptions()}
          />
        </Field>
        <TellGuest
          event="booking_cancelled"
          startsAt={lastStart}
          label={m.imports_missing_tell()}
          checked={isTold}
          onChange={setTold}
        />
      </div>
    </ConfirmDialog>
  )
}

/** Undoes cancellations; says how many, and why not the others. */
function useRestoreAll(): (bookings: readonly Booking[]) => Promise<void> {
  const restore = useBookingWrite(restoreBooking)
  return async (bookings) => {
    let count = 0
    for (const { id, version } of bookings) {
      await restore
        .mutateAsync({ id, version })
        .then(() => (count += 1))
        .catch((refused: unknown) => toast(refusalText(refused)))
    }
    if (count > 0) toast(m.imports_missing_restored({ count }))
  }
}
