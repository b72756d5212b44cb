import { useQuery } from '@tanstack/react-query'
import { getDeparture } from '@tour-ops/contract/departures/departures'
import type { TourUnit, UnitType } from '@tour-ops/contract/units'
import type { Traveler } from '@tour-ops/contract/travelers/travelers'
import { CircleCheck, Info, TriangleAlert } from 'lucide-react'
import type { ReactNode } from 'react'
import { callQuery } from '../../backend/queries.ts'
import { m } from '../../paraglide/messages.js'
import { dietLabel, travelerFlagLabel } from '../../records/traveler-flags.tsx'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { unitLabel } from '../../records/unit-labels.ts'
import { clashingTrip, withLine } from './booking-choice.ts'
import { type AgeCheck, ageCheckOf, childSeatsOf, guestsIn, quantitiesWith, type SeatedGuest } from './party-ages.ts'
import { agesText } from './unit-steppers.tsx'
import type { FormDraft } from './use-booking-draft.ts'

export interface BookingChecksProps {
  draft: FormDraft
  /** The caller's trips, where the caller is somebody we know. */
  traveler: Traveler | null
  /** What the departure counts already for this party. */
  counted?: { readonly childSeats: number; readonly wheelchairs: number }
}

const nothing = { childSeats: 0, wheelchairs: 0 }

/** What was checked for a booking before it is made: other trips, an adult for children, a place for a wheelchair, allergies that the crew will read. */
export function BookingChecks({ draft, traveler, counted = nothing }: BookingChecksProps) {
  const { departure, party, offer } = draft
  if (!departure) return null
  const clash = traveler && clashingTrip(traveler.trips, departure)
  const needsAdult = party.units.some(
    ({ unitType }) => offer?.units.find((unit) => unit.unitType === unitType)?.requiresAdult,
  )
  const guests = guestsIn(draft.seated)
  const needs = needsOf(guests)
  const wheelchairs = guests.filter(hasWheelchair).length
  const prices = offer?.units ?? []
  const ages = ageCheckOf(party, draft.seated, prices)
  const childSeats = childSeatsOf(party, guests, prices)
  const isNothing = !traveler && !needsAdult && !ages && wheelchairs + childSeats + needs.length === 0
  if (isNothing) return null
  return (
    <Card title={m.bookings_checked()}>
      <ul className="grid gap-2 border-t border-line p-4">
        {traveler && (
          <Check ok={!clash}>{clash ? m.bookings_clash({ code: clash.code }) : m.bookings_no_clash()}</Check>
        )}
        {needsAdult && (
          <Check ok={!party.lacksAdult}>{party.lacksAdult ? m.bookings_needs_adult() : m.bookings_has_adult()}</Check>
        )}
        {ages && <AgeChecks ages={ages} draft={draft} />}
        {childSeats > 0 && (
          <ChildSeatCheck departureId={departure.id} wanted={childSeats} counted={counted.childSeats} />
        )}
        {wheelchairs > 0 && (
          <WheelchairCheck departureId={departure.id} wheelchairs={wheelchairs - counted.wheelchairs} />
        )}
        {needs.map(({ name, need }) => (
          <li key={`${name} ${need}`} className="flex items-start gap-2">
            <Info size={16} className="mt-0.5 shrink-0 text-warn" aria-hidden />
            {m.bookings_allergy_told({ name, need })}
          </li>
        ))}
      </ul>
    </Card>
  )
}

/** Whether the vehicles that are assigned have places for the wheelchairs that are new and those of the guests who are booked already. */
function WheelchairCheck({ departureId, wheelchairs }: { departureId: string; wheelchairs: number }) {
  const { data } = useQuery(callQuery(getDeparture, { id: departureId }))
  if (!data) return null
  const places = data.vehicles.reduce((sum, vehicle) => sum + vehicle.wheelchairPlaces, 0)
  if (data.vehicles.length === 0) return <Check ok={false}>{m.bookings_wheelchair_no_vehicle()}</Check>
  const needed = data.counts.wheelchairs + wheelchairs
  if (places >= needed) return <Check ok>{m.bookings_wheelchairs_there({ needed, there: places })}</Check>
  return <Check ok={false}>{m.bookings_wheelchairs_missing({ needed, there: places })}</Check>
}

/** That ages fit is said where all of them are known; another kind of seat is one press. */
function AgeChecks({ ages, draft }: { ages: AgeCheck; draft: FormDraft }) {
  if (ages.isFit && ages.better.length === 0) return <Check ok>{m.bookings_ages_fit()}</Check>
  return (
    <>
      {ages.isFit && <Check ok>{m.bookings_ages_fit()}</Check>}
      {[...ages.unfit, ...ages.better].map((guest) => (
        <AgeOfGuest key={guest.key} guest={guest} draft={draft} />
      ))}
      {ages.unknown > 0 && <Check ok={false}>{m.bookings_ages_unknown({ count: ages.unknown })}</Check>}
    </>
  )
}

function AgeOfGuest({ guest, draft }: { guest: SeatedGuest; draft: FormDraft }) {
  const { better } = guest
  const prices = draft.offer?.units ?? []
  const take = (kind: UnitType) =>
    draft.set((before) => ({
      quantities: quantitiesWith(guest, kind, draft.seated, draft.quantities, prices),
      ...withLine(before, guest.key, { unitType: kind, isKindSaid: true }),
    }))
  return (
    <Check ok={false}>
      {ageText(guest, prices)}
      {better && (
        <Button size="sm" className="mt-1.5" onClick={() => take(better)}>
          {m.bookings_age_take_kind({ kind: unitLabel(better) })}
        </Button>
      )}
    </Check>
  )
}

/** Why a guest should have another kind of seat; without the age, where that may not be seen. */
function ageText({ name: said, years, fit, unitType, better }: SeatedGuest, prices: readonly TourUnit[]): string {
  const name = said || m.bookings_guest()
  const agesOf = (kind: UnitType) => {
    const price = prices.find((one) => one.unitType === kind)
    return price ? agesText(price) : ''
  }
  if (fit !== 'unfit' && better) return m.bookings_age_better({ name, kind: unitLabel(better), ages: agesOf(better) })
  const seat = { name, kind: unitLabel(unitType), ages: agesOf(unitType) }
  return years === null ? m.bookings_age_unfit_on_file(seat) : m.bookings_age_unfit({ ...seat, age: years })
}

/** Whether vehicles and equipment of the departure have child seats for this party and those who are booked already. */
function ChildSeatCheck({ departureId, wanted, counted }: { departureId: string; wanted: number; counted: number }) {
  const { data } = useQuery(callQuery(getDeparture, { id: departureId }))
  if (!data) return null
  const there =
    data.vehicles.reduce((sum, { childSeats }) => sum + childSeats, 0) +
    data.equipment.reduce((sum, { kind, quantity }) => sum + (kind === 'child_seat' ? quantity : 0), 0)
  const needed = data.counts.childSeats - counted + wanted
  if (there >= needed) return <Check ok>{m.bookings_child_seats_there({ needed, there })}</Check>
  return <Check ok={false}>{m.bookings_child_seats_missing({ needed, there, missing: needed - there })}</Check>
}

const hasWheelchair = ({ mobility, flags }: SeatedGuest): boolean =>
  mobility === null ? flags.includes('wheelchair') : mobility === 'wheelchair'

/** Allergies of the party, by who has them. */
function needsOf(guests: readonly SeatedGuest[]): { name: string; need: string }[] {
  return guests.flatMap(({ name, flags, diet }) => {
    const known = flags.filter((flag) => flag.endsWith('_allergy'))
    const isToldOnly = diet?.endsWith('_allergy') && !known.some((flag) => flag === diet)
    const needs = [...known.map(travelerFlagLabel), ...(isToldOnly && diet ? [dietLabel(diet)] : [])]
    return needs.map((need) => ({ name: name || m.bookings_guest(), need }))
  })
}

function Check({ ok, children }: { ok: boolean; children: ReactNode }) {
  const Icon = ok ? CircleCheck : TriangleAlert
  return (
    <li className="flex items-start gap-2">
      <Icon size={16} className={ok ? 'mt-0.5 shrink-0 text-ok' : 'mt-0.5 shrink-0 text-warn'} aria-hidden />
      <div>{children}</div>
    </li>
  )
}
