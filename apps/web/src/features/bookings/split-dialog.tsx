import { useQuery } from '@tanstack/react-query'
import { type Booking, Contact } from '@tour-ops/contract/bookings/bookings'
import { getParty } from '@tour-ops/contract/bookings/party'
import { shareOf, splitParty, unitsLeft } from '@tour-ops/contract/bookings/split'
import type { Out } from '@tour-ops/contract/callable'
import { lacksAdult } from '@tour-ops/contract/units'
import { useState } from 'react'
import * as z from 'zod/mini'
import { callQuery } from '../../backend/queries.ts'
import { useAccess } from '../../identity/access.ts'
import { m } from '../../paraglide/messages.js'
import { unitLabel } from '../../records/unit-labels.ts'
import { Button } from '../../ui/button.tsx'
import { Checkbox } from '../../ui/choice.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { ErrorPanel } from '../../ui/error-panel.tsx'
import { refusalText } from '../../errors/refusal-text.ts'
import { formatMoney } from '../../ui/format.ts'
import { FormShell } from '../../ui/form/form.tsx'
import { TextFor } from '../../ui/form/field-for.tsx'
import { useAppForm } from '../../ui/form/use-app-form.ts'
import { SkeletonRows } from '../../ui/skeleton.tsx'
import { toast } from '../../ui/toast.tsx'
import { partyOf, type Quantities, withGuest } from './booking-choice.ts'
import { TellContact } from './tell-guest.tsx'
import { UnitSteppers } from './unit-steppers.tsx'
import { useBookingWrite } from './use-booking-write.ts'
import { useJoinAgain } from './use-restore.ts'

interface SplitDialogProps {
  booking: Booking
  onClose: () => void
}

const Fields = z.object({ contact: Contact })

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
  const { can } = useAccess()
  const [quantities, setQuantities] = useState<Quantities>({})
  const [going, setGoing] = useState<ReadonlySet<string>>(new Set())
  const [isTold, setTold] = useState(true)
  const undo = useJoinAgain()
  const save = useBookingWrite(splitParty)
  const form = useAppForm({
    schema: Fields,
    defaultValues: { contact: { ...booking.contact, name: '', email: null, phone: null } },
  })
  const booked = prices.filter(({ unitType }) => booking.units.some((unit) => unit.unitType === unitType))
  const guests = can('travelers:read') ? booking.guests.filter(({ status }) => status !== 'cancelled') : []
  const party = partyOf(quantities, booked)
  const left = unitsLeft(booking.units, party.units)
  const share = shareOf(booking, party.units, booked)
  const isMore = party.units.some(
    ({ unitType, quantity }) => quantity > (booking.units.find((unit) => unit.unitType === unitType)?.quantity ?? 0),
  )
  const problem =
    party.pax === 0
      ? m.bookings_split_nobody()
      : isMore
        ? m.ui_words_units_above_booked()
        : left.length === 0
          ? m.ui_words_nobody_stays()
          : party.lacksAdult || lacksAdult(left, booked)
            ? m.bookings_needs_adult()
            : going.size > party.pax
              ? m.bookings_split_seats_missing({ count: going.size - party.pax })
              : undefined
  const toggle = ({ travelerId, unitType, name }: Booking['guests'][number], goes: boolean) => {
    const next = new Set(going)
    if (goes) next.add(travelerId)
    else next.delete(travelerId)
    setGoing(next)
    setQuantities(withGuest(quantities, booked, unitType, goes ? 1 : -1, next.size))
    // the first who goes is whom the new booking is of, until somebody writes another name
    if (goes && form.getValues('contact.name') === '') form.setValue('contact.name', name)
  }
  const money = (minor: number) => formatMoney(minor, booking.currency)
  return (
    <Dialog
      open
      wide
      onClose={onClose}
      title={m.bookings_split_title({ ref: booking.bookingRef })}
      description={m.bookings_split_text()}
      locked={save.isPending}
    >
      <FormShell
        form={form}
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
        {guests.length > 0 && (
          <fieldset className="grid gap-1">
            <legend className="lbl">{m.bookings_split_who()}</legend>
            {guests.map((guest) => (
              <Checkbox
                key={guest.travelerId}
                className="coarse:min-h-11 coarse:items-center"
                label={
                  <>
                    <bdi>{guest.name}</bdi> <span className="text-ink-2">· {unitLabel(guest.unitType)}</span>
                  </>
                }
                checked={going.has(guest.travelerId)}
                onChange={(event) => toggle(guest, event.target.checked)}
              />
            ))}
          </fieldset>
        )}
        <fieldset className="grid gap-2">
          <legend className="lbl">{m.bookings_split_seats()}</legend>
          <UnitSteppers prices={booked} quantities={quantities} onChange={setQuantities} />
        </fieldset>
        <div className="grid gap-3 sm:grid-cols-2">
          <TextFor
            form={form}
            name="contact.name"
            label={m.bookings_contact_name()}
            required
            className="sm:col-span-2"
          />
          <TextFor form={form} name="contact.phone" nullable type="tel" label={m.bookings_phone()} />
          <TextFor
            form={form}
            name="contact.email"
            nullable
            type="email"
            label={m.bookings_email()}
            hint={booking.status === 'confirmed' && isTold ? m.bookings_split_told() : undefined}
          />
        </div>
        <p className="num text-ink-strong">
          {m.bookings_split_price({
            stays: money(booking.amountTotalMinor - share.totalMinor),
            goes: money(share.totalMinor),
          })}{' '}
          {share.paidMinor > 0 && (
            <span className="text-ink-2">{m.bookings_split_paid({ amount: money(share.paidMinor) })}</span>
          )}
        </p>
        <TellContact event="booking_changed" booking={booking} checked={isTold} onChange={setTold} />
        <div className="flex justify-end gap-2">
          <Button onClick={onClose}>{m.ui_cancel()}</Button>
          <Button variant="primary" type="submit" pending={save.isPending} disabledReason={problem}>
            {m.bookings_split_save({ count: party.pax })}
          </Button>
        </div>
      </FormShell>
    </Dialog>
  )
}
