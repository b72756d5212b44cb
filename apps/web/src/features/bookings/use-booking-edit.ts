import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { getAvailability } from '@tour-ops/contract/bookings/availability'
import type { Booking } from '@tour-ops/contract/bookings/bookings'
import { type CancellationRule, partFeeMinor } from '@tour-ops/contract/bookings/cancellation'
import { getParty, givenUpMinor, takesSeats, totalAfterMinor, totalThereMinor } from '@tour-ops/contract/bookings/party'
import { totalAtDiscountMinor } from '@tour-ops/contract/bookings/discount-codes'
import { reviseBooking } from '@tour-ops/contract/bookings/revise'
import type { Out } from '@tour-ops/contract/callable'
import { amountMinorOf, unitsAt } from '@tour-ops/contract/units'
import { type Departure, getDeparture } from '@tour-ops/contract/departures/departures'
import { tourOptionsForPickers } from '@tour-ops/contract/tours/tours'
import { useState } from 'react'
import { callQuery } from '../../backend/queries.ts'
import { randomUuid } from '../../backend/random-id.ts'
import { m } from '../../paraglide/messages.js'
import { useNow } from '../../ui/clock.ts'
import { localDateOf } from '../../ui/format.ts'
import { type OfferedDay, shownDays } from './availability.tsx'
import { dayOf, departureOf, isNamed, partyOf, toursWith } from './booking-choice.ts'
import { changesOf, choicesOf, contactIn, type EditChoices, quantitiesIn, rebased } from './booking-edit.ts'
import { type KeptFee, useKeptFee } from './cancellation-fee.tsx'
import { type ChosenDeparture, type DraftDiscount, type FormDraft, useDiscount } from './use-booking-draft.ts'
import { useBookingWrite } from './use-booking-write.ts'
import { seatedParty } from './party-ages.ts'
import { useKnownAges } from './use-known-ages.ts'
import { useFormHold, type WantedSeats } from './use-form-hold.ts'

/** What is kept of seats that are given up. */
interface GivenUp {
  readonly fee: KeptFee
  readonly rule: CancellationRule
  /** What they cost. Minor units. */
  readonly minor: number
}

/** A booking while it is changed. */
export interface BookingEdit extends FormDraft {
  readonly choices: EditChoices
  readonly set: (change: Partial<EditChoices> | ((before: EditChoices) => Partial<EditChoices>)) => void
  /** What the screen was filled with. */
  readonly booking: Booking
  /** Somebody else has changed it since. */
  readonly isOlder: boolean
  /** Takes over what somebody else has changed, and keeps what was typed. */
  readonly takeOver: () => void
  readonly isMoved: boolean
  /** What it would cost at the prices of another tour; undefined where that is no question, null where it has no price there. Minor units. */
  readonly thereMinor: number | null | undefined
  /** Null where nothing is given up that costs something. */
  readonly givenUp: GivenUp | null
  readonly discount: DraftDiscount
  /** What it costs unless another price is typed. Minor units. */
  readonly computedMinor: number
  /** Text for an entry that is no amount. */
  readonly total: number | string
  /** Seats missing for this party. */
  readonly short: number
  /** Seats that the form holds besides those of the booking. */
  readonly held: number
  /** Why departure or seats stay as they are. */
  readonly fixed: { readonly departure: string | undefined; readonly seats: string | undefined }
  readonly isTouched: boolean
  /** Why it cannot be saved yet. */
  readonly problem: string | undefined
  readonly isPending: boolean
  /** @returns null when it was refused; what was typed stays. */
  readonly save: () => Promise<Out<typeof reviseBooking> | null>
}

/** @param current The booking as it is now. */
export function useBookingEdit(current: Booking): BookingEdit {
  const [booking, setBooking] = useState(current)
  const [choices, setChoices] = useState(() => choicesOf(booking))
  const [formId] = useState(randomUuid)
  const [isSaving, setSaving] = useState(false)
  const place = useChosenDeparture(booking, choices, formId)
  const { own, departure } = place
  const isMoved = departure !== undefined && departure.id !== booking.departureId
  const { data: terms } = useQuery({
    ...callQuery(getParty, { id: booking.id, ...(isMoved && { departureId: departure.id }) }),
    placeholderData: keepPreviousData,
  })
  const prices = terms?.prices ?? []
  const quantities = quantitiesIn(booking, choices)
  const party = partyOf(quantities, prices)
  const guests = { caller: null, companions: choices.companions }
  const ages = useKnownAges({ departureId: departure?.id, bookingId: booking.id, prices, ...guests })
  const seated = seatedParty(guests, party, prices, ages)
  const price = usePrice(booking, choices, {
    party,
    prices,
    terms,
    departure,
    there: isMoved ? place.units : undefined,
  })
  const write = useBookingWrite(reviseBooking)
  const short = takesSeats(booking.status) && departure ? Math.max(0, party.pax - departure.seatsLeft) : 0
  const held = useFormHold({
    formId,
    wanted: short > 0 ? null : seatsToHold(booking, departure, party.pax),
    isSelling: isSaving || write.isSuccess,
  })
  const pickup = choices.pickupId ?? pickupOf(booking, departure)
  const changes = changesOf(booking, choices, {
    departureId: departure?.id ?? booking.departureId,
    pickupStopId: pickup || null,
    party,
    lines: seated.lines,
    prices,
    computedMinor: price.computedMinor,
  })
  const edit = {
    ...place,
    ...price,
    choices: { ...choices, pickupId: pickup },
    set: (change: Parameters<BookingEdit['set']>[0]) =>
      setChoices((before) => ({ ...before, ...(typeof change === 'function' ? change(before) : change) })),
    booking,
    isOlder: current.version > booking.version && !write.isPending && !write.isSuccess,
    takeOver: () => {
      write.reset()
      setChoices((before) => rebased(before, choicesOf(booking), choicesOf(current)))
      setBooking(current)
    },
    isMoved,
    // together with what is offered: the zone of its times
    day: own && terms && place.day,
    offer: own && terms && { timeZone: place.zone, units: [...prices], days: [...place.days] },
    quantities,
    party,
    seated,
    named: choices.companions.filter(isNamed).length,
    short,
    held: held.seats,
    fixed: fixedParts(booking),
    error: write.error,
    isTouched: Object.keys(changes).length > 0,
    isPending: isSaving,
  }
  return {
    ...edit,
    problem: problemOf(edit),
    save: async () => {
      setSaving(true)
      await held.settled()
      try {
        return await write.mutateAsync({
          id: booking.id,
          version: booking.version,
          formId,
          ...changes,
          ...(price.givenUp && price.givenUp.fee.input),
          tellGuest: choices.isTold,
        })
      } catch {
        place.retry()
        return null
      } finally {
        setSaving(false)
      }
    },
  }
}

/** What the change would take besides the seats that the party has: all of them where it goes elsewhere, and the further ones where it stays. */
function seatsToHold(booking: Booking, departure: ChosenDeparture | undefined, pax: number): WantedSeats | null {
  if (!departure || !takesSeats(booking.status)) return null
  const seats = departure.id === booking.departureId ? pax - booking.pax : pax
  return departure.state === 'closed' || seats <= 0 ? null : { departureId: departure.id, seats, channel: 'walk_in' }
}

/** Tour, day and departure: those of the booking until others are chosen. */
function useChosenDeparture(booking: Booking, choices: EditChoices, formId: string) {
  const { data: own } = useQuery(callQuery(getDeparture, { id: booking.departureId }))
  const { data: names } = useQuery(callQuery(tourOptionsForPickers, { status: ['published'] }))
  const tours = toursWith(names?.tours ?? [], own)
  const tourId = choices.tourId ?? own?.tourId
  const now = useNow(30_000)
  const today = localDateOf(now, booking.timeZone)
  const from = choices.from ?? (booking.localDate > today ? booking.localDate : today)
  const offer = useQuery({
    ...callQuery(getAvailability, { tourId: tourId ?? '', from, days: shownDays, bookingId: booking.id, formId }),
    enabled: tourId !== undefined,
    placeholderData: keepPreviousData,
  })
  const days = offer.data?.days ?? []
  const stays = tourId === own?.tourId && choices.day === null && choices.departureId === null
  const chosen = stays ? undefined : dayOf(days, choices.day, booking.pax)
  const day = stays ? days.find(({ localDate }) => localDate === booking.localDate) : chosen
  const wanted = choices.departureId ?? booking.departureId
  const departure = stays ? ownOf(booking, own, day) : departureOf(chosen, wanted, booking.pax)
  return {
    own,
    tours,
    tour: tours.find(({ id }) => id === tourId),
    now,
    today,
    from,
    days,
    day,
    units: offer.data && unitsAt(offer.data.units, departure?.optionPrices ?? null),
    zone: offer.data?.timeZone ?? booking.timeZone,
    departure,
    offerError: offer.error && offer.data === undefined ? offer.error : null,
    retry: () => void offer.refetch(),
  }
}

/** The departure of the booking, as it is offered, or as it is where it is no longer sold. */
function ownOf(booking: Booking, own: Departure | undefined, day: OfferedDay | undefined): ChosenDeparture | undefined {
  if (!own) return undefined
  const offered = day?.departures.find(({ id }) => id === own.id)
  if (offered) return offered
  const seats = takesSeats(booking.status) ? booking.pax : 0
  const { id, code, startTimeLocal, startsAt, endsAt, optionName, language, status, salesStatus, capacity } = own
  return {
    id,
    code,
    startTimeLocal,
    startsAt,
    endsAt,
    optionName,
    // what it has bought keeps its price
    optionPrices: null,
    language,
    status,
    salesStatus,
    capacity,
    isPrivate: own.isPrivate,
    leadGuide: null,
    seatsTaken: own.seatsConfirmed + own.seatsHeld,
    seatsLeft: own.seatsLeft + seats,
    waitlistCount: own.waitlistCount,
    formHolds: [],
    state: 'closed',
    pickups: own.stops
      .filter(({ kind }) => kind === 'pickup' || kind === 'start')
      .map((stop) => ({
        stopId: stop.id,
        placeName: stop.placeName,
        lat: stop.lat,
        lng: stop.lng,
        at: stop.plannedArriveAt,
      })),
  }
}

/** Where a party is picked up that was asked nothing: as it is, or at the same place where it goes. */
const pickupOf = (booking: Booking, departure: ChosenDeparture | undefined): string =>
  (departure === undefined || departure.id === booking.departureId
    ? booking.pickupStopId
    : departure.pickups.find(({ placeName }) => placeName === booking.pickupPlaceName)?.stopId) ?? ''

interface Priced {
  readonly party: BookingEdit['party']
  readonly prices: Out<typeof getParty>['prices']
  readonly terms: Out<typeof getParty> | undefined
  readonly departure: ChosenDeparture | undefined
  /** Where the party goes. */
  readonly there: Out<typeof getAvailability>['units'] | undefined
}

/** What the booking costs then: by the same rules as the single changes. */
function usePrice(booking: Booking, choices: EditChoices, { party, prices, terms, departure, there }: Priced) {
  const sameTour = totalAfterMinor(booking.amountTotalMinor, booking.units, party.units, prices)
  const minor = givenUpMinor(booking, { pax: party.pax, amountTotalMinor: sameTour })
  const rule = terms?.cancellation ?? { daysBefore: 0, refundPercent: null }
  const fee = useKeptFee(partFeeMinor(booking, minor, rule), minor)
  const isCharged = minor > 0 && booking.status === 'confirmed'
  const keptMinor = sameTour + (isCharged ? fee.minor : 0)
  const thereMinor =
    there &&
    totalThereMinor({ units: party.units, amountTotalMinor: keptMinor, currency: booking.currency }, prices, there)
  const isThere = choices.atPriceThere && typeof thereMinor === 'number'
  const discount = useChosenDiscount(booking, choices, {
    departure,
    listMinor: isThere && there ? amountMinorOf(party.units, there) : party.totalMinor,
  })
  const computedMinor = totalAtDiscountMinor(
    isThere ? thereMinor : keptMinor,
    booking.discount?.amountMinor ?? 0,
    discount.amountMinor,
  )
  return {
    thereMinor: thereMinor === keptMinor ? undefined : thereMinor,
    givenUp: isCharged ? { fee, rule, minor } : null,
    discount,
    computedMinor,
    total: choices.totalMinor ?? computedMinor,
  }
}

/** The discount of the booking, until another code is typed. */
function useChosenDiscount(
  { discount }: Booking,
  { discountCode }: EditChoices,
  { departure, listMinor }: { departure: ChosenDeparture | undefined; listMinor: number },
): DraftDiscount {
  const isSame = discountCode === (discount?.code ?? '')
  const other = useDiscount({ departureId: departure?.id, code: isSame ? '' : discountCode, listMinor })
  return isSame && discount ? { ...discount, error: null } : other
}

/** Statuses in which a booking has ended by itself, and its seats are nobody's. */
const isOver = ({ status }: Booking): boolean => status === 'expired'

/** The same rules as those of the dialogs: who is aboard does not change the departure, and an expired hold has no seats. */
function fixedParts(booking: Booking): BookingEdit['fixed'] {
  const ended = isOver(booking) ? m.bookings_edit_hold_over() : undefined
  const aboard = booking.guests.filter(({ status }) => status && !['expected', 'cancelled', 'no_show'].includes(status))
  return {
    departure: ended ?? (aboard.length > 0 ? m.bookings_edit_aboard({ count: aboard.length }) : undefined),
    seats: ended,
  }
}

function problemOf(edit: Omit<BookingEdit, 'problem' | 'save'>): string | undefined {
  const { departure, party, short, choices, total, givenUp, isMoved, computedMinor, booking } = edit
  if (!departure) return m.bookings_choose_departure()
  if (isMoved && departure.state === 'closed') return m.bookings_sales_closed()
  if (party.pax === 0) return m.bookings_one_guest()
  if (party.lacksAdult) return m.bookings_needs_adult()
  if (short > 0) return m.bookings_seats_missing({ count: short })
  if (edit.named > party.pax) return m.ui_words_names_above_seats({ seats: party.pax, names: edit.named })
  if (contactIn(booking, choices).name.trim() === '') return m.bookings_who_pays()
  if (typeof total === 'string') return m.bookings_no_amount()
  if (givenUp?.fee.problem) return givenUp.fee.problem
  const isAgreed = total !== computedMinor && total !== booking.amountTotalMinor
  if (isAgreed && choices.priceReason.trim() === '') return m.bookings_say_why_price()
  return edit.isTouched ? undefined : m.bookings_party_same()
}
