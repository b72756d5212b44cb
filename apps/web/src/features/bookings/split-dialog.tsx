import { useQuery } from '@tanstack/react-query'
import type { Booking } from '@tour-ops/contract/bookings/bookings'
import { getParty } from '@tour-ops/contract/bookings/party'
import { splitParty } from '@tour-ops/contract/bookings/split'
import type { Out } from '@tour-ops/contract/callable'
import { useId, useState } from 'react'
import { callQuery } from '../../backend/queries.ts'
import { refusalText } from '../../errors/refusal-text.ts'
import { m } from '../../paraglide/messages.js'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { ErrorPanel } from '../../ui/error-panel.tsx'
import { FormShell } from '../../ui/form/form.tsx'
import { SkeletonRows } from '../../ui/skeleton.tsx'
import { toast } from '../../ui/toast.tsx'
import { TellContact } from './tell-guest.tsx'
import { useBookingWrite } from './use-booking-write.ts'
import { useJoinAgain } from './use-restore.ts'
import { GoersContact, GoersMoney, useGoers, WhoGoes } from './who-goes.tsx'

interface SplitDialogProps {
  booking: Booking
  onClose: () => void
}

/** Guests of a party who get a booking of their own. */
export function SplitDialog(props: SplitDialogProps) {
  const { booking, onClose } = props
  const { data, error, refetch } = useQuery(callQuery(getParty, { id: booking.id }))
  if (data) return <LoadedSplit {...props} prices={data.prices} />
  return (
    <Dialog open wide onClose={onClose} title={m.bookings_split_title({ ref: booking.bookingRef })}>
      {error ? (
        <ErrorPanel message={refusalText(error)} requestId={error.details.requestId} onRetry={() => void refetch()} />
      ) : (
        <SkeletonRows rows={4} />
      )}
    </Dialog>
  )
}

function LoadedSplit({ booking: current, prices, onClose }: SplitDialogProps & Pick<Out<typeof getParty>, 'prices'>) {
  // As it was seen: what somebody else changes meanwhile is a conflict, and not split without a word.
  const [booking] = useState(current)
  const [isTold, setTold] = useState(true)
  const undo = useJoinAgain()
  const save = useBookingWrite(splitParty)
  const goers = useGoers(booking, prices)
  const { party, going } = goers
  const formId = useId()
  return (
    <Dialog
      open
      wide
      onClose={onClose}
      title={m.bookings_split_title({ ref: booking.bookingRef })}
      description={m.bookings_split_text()}
      locked={save.isPending}
      actions={
        <>
          <Button onClick={onClose}>{m.ui_cancel()}</Button>
          <Button variant="primary" type="submit" form={formId} pending={save.isPending} disabledReason={goers.problem}>
            {m.bookings_split_save({ count: party.pax })}
          </Button>
        </>
      }
    >
      <FormShell
        id={formId}
        form={goers.form}
        className="grid gap-4"
        onSubmit={({ contact }) =>
          save.mutateAsync({
            id: booking.id,
            version: booking.version,
            units: party.units,
            guests: [...going],
            contact,
            tellGuest: isTold,
          })
        }
        onSaved={({ booking: first, other }) => {
          toast(m.bookings_split_done({ ref: first.bookingRef, other: other.bookingRef }), {
            label: m.ui_undo(),
            onPress: () => undo(first, other),
          })
          onClose()
        }}
      >
        <WhoGoes goers={goers} />
        <GoersContact goers={goers} isTold={booking.status === 'confirmed' && isTold} />
        <GoersMoney goers={goers} booking={booking} />
        <TellContact event="booking_changed" booking={booking} checked={isTold} onChange={setTold} />
      </FormShell>
    </Dialog>
  )
}
