import { useQuery } from '@tanstack/react-query'
import { type Booking, getBooking } from '@tour-ops/contract/bookings/bookings'
import type { moveSomeGuests } from '@tour-ops/contract/bookings/move-some'
import { getParty } from '@tour-ops/contract/bookings/party'
import type { TourUnit } from '@tour-ops/contract/units'
import { useId, useState } from 'react'
import { createPortal } from 'react-dom'
import { callQuery } from '../../backend/queries.ts'
import { refusalText } from '../../errors/refusal-text.ts'
import { m } from '../../paraglide/messages.js'
import { Button } from '../../ui/button.tsx'
import { ErrorPanel } from '../../ui/error-panel.tsx'
import { FormShell } from '../../ui/form/form.tsx'
import { SkeletonRows } from '../../ui/skeleton.tsx'
import { toast } from '../../ui/toast.tsx'
import {
  PickupThere,
  pickupThere,
  PriceThere,
  type Target,
  TargetFields,
  usePriceThere,
  whyNotThere,
} from './move-target.tsx'
import { TellContact } from './tell-guest.tsx'
import type { useBookingWrite } from './use-booking-write.ts'
import { useBringBack } from './use-restore.ts'
import { GoersContact, GoersMoney, useGoers, WhoGoes } from './who-goes.tsx'

interface MoveSomeProps {
  party: Pick<Booking, 'id'>
  target: Target
  save: ReturnType<typeof useBookingWrite<typeof moveSomeGuests>>
  onClose: () => void
  /** Of the dialog, where its buttons go; null while the whole party is moved. */
  foot: HTMLElement | null
}

/** Of one party: who goes to another departure, in a booking of their own. */
export function MoveSome(props: MoveSomeProps) {
  const { id } = props.party
  const booking = useQuery(callQuery(getBooking, { id }))
  const prices = useQuery(callQuery(getParty, { id }))
  const error = booking.error ?? prices.error
  if (booking.data && prices.data) return <LoadedMove {...props} booking={booking.data} prices={prices.data.prices} />
  if (!error) return <SkeletonRows rows={4} />
  return (
    <ErrorPanel
      message={refusalText(error)}
      requestId={error.details.requestId}
      onRetry={() => {
        void booking.refetch()
        void prices.refetch()
      }}
    />
  )
}

type LoadedMoveProps = MoveSomeProps & { booking: Booking; prices: readonly TourUnit[] }

function LoadedMove({ booking: current, prices, target, save, onClose, foot }: LoadedMoveProps) {
  // As it was seen: what somebody else changes meanwhile is a conflict, and not moved without a word.
  const [booking] = useState(current)
  const [isTold, setTold] = useState(true)
  const undo = useBringBack()
  const formId = useId()
  const goers = useGoers(booking, prices)
  const { party, share, going, problem } = goers
  const price = usePriceThere(
    target,
    party.pax > 0
      ? {
          sold: { units: party.units, amountTotalMinor: share.totalMinor, currency: booking.currency },
          prices: goers.booked,
        }
      : undefined,
  )
  return (
    <FormShell
      id={formId}
      form={goers.form}
      className="grid gap-4"
      onSubmit={({ contact }) =>
        save.mutateAsync({
          id: booking.id,
          version: booking.version,
          toDepartureId: target.departure?.id ?? '',
          units: party.units,
          guests: [...going],
          contact,
          ...pickupThere(target),
          atPriceThere: price.isCharged,
          tellGuest: isTold,
        })
      }
      onSaved={(moved) => {
        const { departureCode, bookingRef } = moved.other
        toast(
          moved.promoted.length > 0
            ? m.bookings_some_moved_promoted({
                code: departureCode,
                ref: bookingRef,
                others: moved.promoted.join(', '),
              })
            : m.bookings_some_moved({ code: departureCode, ref: bookingRef }),
          { label: m.ui_undo(), onPress: () => undo(moved.booking, moved.other) },
        )
        onClose()
      }}
    >
      <WhoGoes goers={goers} />
      <TargetFields target={target} exceptId={booking.departureId} asked={Math.max(1, party.pax)} />
      <PickupThere target={target} />
      <GoersContact goers={goers} isTold={booking.status === 'confirmed' && isTold} />
      <PriceThere price={price} />
      {party.pax > 0 && <GoersMoney goers={goers} booking={booking} goesMinor={price.totalMinor} />}
      <TellContact event="booking_changed" booking={booking} checked={isTold} onChange={setTold} />
      {foot &&
        createPortal(
          <>
            <Button onClick={onClose}>{m.ui_cancel()}</Button>
            <Button
              variant="primary"
              type="submit"
              form={formId}
              pending={save.isPending}
              disabledReason={problem ?? whyNotThere(target, party.pax)}
            >
              {m.bookings_move_seats({ count: party.pax })}
            </Button>
          </>,
          foot,
        )}
    </FormShell>
  )
}
