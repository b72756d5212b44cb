import { type Booking, Contact } from '@tour-ops/contract/bookings/bookings'
import { shareOf, unitsLeft } from '@tour-ops/contract/bookings/split'
import { lacksAdult, type TourUnit } from '@tour-ops/contract/units'
import { useState } from 'react'
import * as z from 'zod/mini'
import { useAccess } from '../../identity/access.ts'
import { m } from '../../paraglide/messages.js'
import { unitLabel } from '../../records/unit-labels.ts'
import { Checkbox } from '../../ui/choice.tsx'
import { formatMoney } from '../../ui/format.ts'
import { TextFor } from '../../ui/form/field-for.tsx'
import { useAppForm } from '../../ui/form/use-app-form.ts'
import { partyOf, type Quantities, withGuest } from './booking-choice.ts'
import { UnitSteppers } from './unit-steppers.tsx'

const Fields = z.object({ contact: Contact })

/**
 * Guests of a party who get a booking of their own: who and how many, and whom it is of.
 *
 * @param prices What the seats of the party cost.
 */
export function useGoers(booking: Booking, prices: readonly TourUnit[]) {
  const { can } = useAccess()
  const [quantities, setQuantities] = useState<Quantities>({})
  const [going, setGoing] = useState<ReadonlySet<string>>(new Set())
  const form = useAppForm({
    schema: Fields,
    defaultValues: { contact: { ...booking.contact, name: '', email: null, phone: null } },
  })
  const booked = prices.filter(({ unitType }) => booking.units.some((unit) => unit.unitType === unitType))
  const guests = can('travelers:read') ? booking.guests.filter(({ status }) => status !== 'cancelled') : []
  const party = partyOf(quantities, booked)
  const toggle = ({ travelerId, unitType, name }: Booking['guests'][number], goes: boolean) => {
    const next = new Set(going)
    if (goes) next.add(travelerId)
    else next.delete(travelerId)
    setGoing(next)
    setQuantities(withGuest(quantities, booked, unitType, goes ? 1 : -1, next.size))
    // the first who goes is whom the new booking is of, until somebody writes another name
    if (goes && form.getValues('contact.name') === '') form.setValue('contact.name', name)
  }
  return {
    form,
    booked,
    guests,
    quantities,
    setQuantities,
    going,
    toggle,
    party,
    share: shareOf(booking, party.units, booked),
    problem: problemOf(booking, party, booked, going.size),
  }
}

type Goers = ReturnType<typeof useGoers>

/** Why they cannot go; undefined where they can. */
function problemOf(
  { units }: Booking,
  party: ReturnType<typeof partyOf>,
  booked: readonly TourUnit[],
  named: number,
): string | undefined {
  const left = unitsLeft(units, party.units)
  const isMore = party.units.some(
    ({ unitType, quantity }) => quantity > (units.find((unit) => unit.unitType === unitType)?.quantity ?? 0),
  )
  if (party.pax === 0) return m.bookings_split_nobody()
  if (isMore) return m.ui_words_units_above_booked()
  if (left.length === 0) return m.ui_words_nobody_stays()
  if (party.lacksAdult || lacksAdult(left, booked)) return m.bookings_needs_adult()
  return named > party.pax ? m.bookings_split_seats_missing({ count: named - party.pax }) : undefined
}

/** Guests with a name, and the seats that go with them. */
export function WhoGoes({ goers: { guests, going, toggle, booked, quantities, setQuantities } }: { goers: Goers }) {
  return (
    <>
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
    </>
  )
}

/** Whom the new booking is of. */
export function GoersContact({ goers: { form }, isTold }: { goers: Goers; isTold: boolean }) {
  return (
    <div className="grid gap-3 sm:grid-cols-2">
      <TextFor form={form} name="contact.name" label={m.bookings_contact_name()} required className="sm:col-span-2" />
      <TextFor form={form} name="contact.phone" nullable type="tel" label={m.bookings_phone()} />
      <TextFor
        form={form}
        name="contact.email"
        nullable
        type="email"
        label={m.bookings_email()}
        hint={isTold ? m.bookings_split_told() : undefined}
      />
    </div>
  )
}

interface GoersMoneyProps {
  goers: Goers
  booking: Pick<Booking, 'amountTotalMinor' | 'currency'>
  /** What the new booking costs; its share of the price where that is left out. */
  goesMinor?: number | undefined
}

/** What stays and what goes of the price and of what was paid. */
export function GoersMoney({ goers: { share }, booking, goesMinor = share.totalMinor }: GoersMoneyProps) {
  const money = (minor: number) => formatMoney(minor, booking.currency)
  return (
    <p className="num text-ink-strong">
      {m.bookings_split_price({
        stays: money(booking.amountTotalMinor - share.totalMinor),
        goes: money(goesMinor),
      })}{' '}
      {share.paidMinor > 0 && (
        <span className="text-ink-2">{m.bookings_split_paid({ amount: money(share.paidMinor) })}</span>
      )}
    </p>
  )
}
