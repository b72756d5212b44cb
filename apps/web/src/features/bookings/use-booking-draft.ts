import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { getAvailability } from '@tour-ops/contract/bookings/availability'
import { createBooking, defaultHoldMinutes, type Booking } from '@tour-ops/contract/bookings/bookings'
import type { Channel } from '@tour-ops/contract/bookings/channels'
import { checkDiscount, discountMinorOf } from '@tour-ops/contract/bookings/discount-codes'
import { formHoldSeconds } from '@tour-ops/contract/bookings/form-holds'
import type { paymentMethods } from '@tour-ops/contract/bookings/payments'
import { getDeparture } from '@tour-ops/contract/departures/departures'
import { AppError } from '@tour-ops/contract/errors'
import { getTourSettings } from '@tour-ops/contract/settings/settings'
import { tourOptionsForPickers } from '@tour-ops/contract/tours/tours'
import { type TourUnit, unitsAt } from '@tour-ops/contract/units'
import { useState } from 'react'
import { shownDays, type Availability, type OfferedDay, type OfferedDeparture } from './availability.tsx'
import type { Pickup } from './pickup-on-map.tsx'
import { useFormHold } from './use-form-hold.ts'
import { useBookingWrite } from './use-booking-write.ts'
import { useKnownAges } from './use-known-ages.ts'
import { useNow } from '../../ui/clock.ts'
import { callQuery } from '../../backend/queries.ts'
import { randomUuid } from '../../backend/random-id.ts'
import { useAccess } from '../../identity/access.ts'
import { localDateOf } from '../../ui/format.ts'
import type { MinorEntry } from '../../ui/form/minor-of.ts'
import {
  type CallerLine,
  type Companion,
  dayOf,
  departureOf,
  firstQuantities,
  isNamed,
  partyOf,
  quantitiesFor,
  type Party,
  type Person,
  type Quantities,
} from './booking-choice.ts'
import { type KnownAges, guestOf, namedCompanions, seatedParty, type SeatedParty } from './party-ages.ts'

export type Mode = 'hold' | 'confirm'
type PaymentMethod = (typeof paymentMethods)[number]

/** The booking contact, when it is not the caller. */
export interface OtherContact {
  name: string
  phone: string
  email: string
}

/** What the form begins with: what a link, the palette or a departure says already. */
export interface Beginning {
  readonly bookOn?: string | undefined
  readonly tour?: string | undefined
  readonly day?: string | undefined
  readonly seats?: number | undefined
  readonly caller?: Person | undefined
}

/** What a person has chosen; everything left alone follows from what is offered. */
export interface Choices {
  tourId: string | null
  from: string | null
  day: string | null
  departureId: string | null
  quantities: Quantities | null
  caller: Person | null
  /** On the line of who calls. */
  own: CallerLine
  contact: OtherContact | null
  companions: readonly Companion[]
  isTraveling: boolean
  /** Null until somebody chooses; empty for none. */
  pickupId: string | null
  channel: Channel
  /** Null: the one of the caller's profile. */
  language: string | null
  mode: Mode
  /** Null: as long as the settings say. */
  holdMinutes: number | null
  /** Null: what the seats cost. */
  totalMinor: MinorEntry
  priceReason: string
  /** Empty: none. */
  discountCode: string
  paidMinor: MinorEntry
  /** Empty until somebody chooses. */
  paidBy: '' | PaymentMethod
  notes: string
  /** By e-mail, that the booking is confirmed. */
  isTold: boolean
}

export const firstChoices = ({ tour, day, caller }: Beginning): Choices => ({
  tourId: tour ?? null,
  from: null,
  day: day ?? null,
  departureId: null,
  quantities: null,
  caller: caller ?? null,
  own: {},
  contact: null,
  companions: [],
  isTraveling: true,
  pickupId: null,
  channel: 'phone',
  language: null,
  mode: 'hold',
  holdMinutes: null,
  totalMinor: null,
  priceReason: '',
  discountCode: '',
  paidMinor: null,
  paidBy: '',
  notes: '',
  isTold: true,
})

/** The server refused because somebody was faster. See docs/screens.md, "Booking". */
export interface Refusal {
  readonly departureId: string
  readonly seatsLeft: number
  readonly asked: number
  readonly waitlistRank: number
  readonly lastSoldAt: string | null
}

/** What a code takes off; nothing where none was typed, or it is not taken. */
export interface DraftDiscount {
  readonly code: string | null
  readonly amountMinor: number
  readonly error: AppError | null
}

/** One that is offered, or that a party is on already: its pickups may have no position. */
export type ChosenDeparture = Omit<OfferedDeparture, 'pickups'> & { readonly pickups: readonly Pickup[] }

/** What the fields of the screen need of a booking that is entered or changed. */
export interface FormDraft {
  readonly choices: Choices
  /** Changes some choices, as a function of those before where one change may follow another at once. */
  readonly set: (change: Partial<Choices> | ((before: Choices) => Partial<Choices>)) => void
  readonly tours: readonly { id: string; name: string }[] | undefined
  readonly tour: { id: string; name: string } | undefined
  readonly offer: Availability | undefined
  readonly offerError: AppError | null
  readonly retry: () => void
  /** Epoch milliseconds, renewed now and then. */
  readonly now: number
  readonly today: string
  readonly from: string
  readonly day: OfferedDay | undefined
  readonly departure: ChosenDeparture | undefined
  readonly quantities: Quantities
  readonly party: Party
  /** Who sits where, with what is known of their ages. */
  readonly seated: SeatedParty
  /** Guests with a name, the caller included where they travel. */
  readonly named: number
  readonly error: AppError | null
}

export interface BookingDraft extends FormDraft {
  readonly departure: OfferedDeparture | undefined
  /** Of the tour's prices; undefined where it has none. */
  readonly currency: string | undefined
  readonly discount: DraftDiscount
  /** What the seats cost, less the discount. Minor units. */
  readonly listMinor: number
  /** What the party is to cost; text for an entry that is no amount. */
  readonly total: number | string
  /** Seats missing for this party; 0 when it fits. */
  readonly short: number
  /** Seats that the form holds while it is open. */
  readonly held: number
  readonly refusal: Refusal | null
  readonly isPending: boolean
  readonly holdMinutes: number
  /** The same as the settings of the organization say. */
  readonly usualHoldMinutes: number
  /** How long seats are held for a waiting party. */
  readonly offerMinutes: number
  /** Whether anything was chosen that would be lost. */
  readonly isTouched: boolean
  /**
   * Books for the caller. A refusal for want of seats is stored as `refusal`, everything else as `error`; what was typed stays either way.
   *
   * @returns the booking, or null when it was refused.
   */
  readonly book: (options?: { mode?: Mode | 'waitlist'; quantities?: Quantities }) => Promise<Booking | null>
}

/** A booking that is being entered, with live availability. */
export function useBookingDraft(beginning: Beginning): BookingDraft {
  const { can } = useAccess()
  const bookOn = beginning.bookOn ?? null
  const [first] = useState(() => firstChoices(beginning))
  const [formId] = useState(randomUuid)
  const [choices, setChoices] = useState(first)
  const [refusal, setRefusal] = useState<Refusal | null>(null)
  const { data: wanted } = useQuery({ ...callQuery(getDeparture, { id: bookOn ?? '' }), enabled: bookOn !== null })
  const { data: names } = useQuery(callQuery(tourOptionsForPickers, { status: ['published'] }))
  const { data: rules } = useQuery({ ...callQuery(getTourSettings, {}), enabled: can('settings:read') })
  const usualHoldMinutes = rules?.settings.holdMinutes ?? defaultHoldMinutes
  const tours = names?.tours
  const tourId = choices.tourId ?? wanted?.tourId ?? (tours?.length === 1 ? tours[0]?.id : undefined) ?? null
  const tour = tours?.find((one) => one.id === tourId)
  const now = useNow(30_000)
  const today = localDateOf(now, tour?.timeZone ?? wanted?.timeZone)
  const isPrefilled = wanted !== undefined && tourId === wanted.tourId
  const wantedDay = isPrefilled ? wanted.localDate : tourId === beginning.tour ? beginning.day : undefined
  const from = choices.from ?? (wantedDay !== undefined && wantedDay > today ? wantedDay : today)
  const offer = useQuery({
    ...callQuery(getAvailability, { tourId: tourId ?? '', from, days: shownDays, formId }),
    enabled: tourId !== null,
    placeholderData: keepPreviousData,
    // that a form of somebody else is still open is announced to nobody
    refetchInterval: ({ state }) => (hasFormHolds(state.data) ? formHoldSeconds * 500 : false),
  })
  const seats = beginning.seats ?? 1
  const day = dayOf(offer.data?.days ?? [], choices.day ?? wantedDay ?? null, seats)
  const departure = departureOf(day, choices.departureId ?? (isPrefilled ? wanted.id : null), seats)
  const offered = offer.data && { ...offer.data, units: unitsAt(offer.data.units, departure?.optionPrices ?? null) }
  const prices = offered?.units ?? []
  const quantities =
    choices.quantities ?? (beginning.seats ? quantitiesFor(beginning.seats, prices) : firstQuantities(prices))
  const party = partyOf(quantities, prices)
  const ages = useKnownAges({ departureId: departure?.id, prices, ...travelingOf(choices) })
  const write = useBookingWrite(createBooking)
  const [isSelling, setSelling] = useState(false)

  const set: BookingDraft['set'] = (change) => {
    setChoices((before) => ({ ...before, ...(typeof change === 'function' ? change(before) : change) }))
    setRefusal(null)
  }
  const book: BookingDraft['book'] = async ({ mode = choices.mode, quantities: fewer } = {}) => {
    const { caller } = choices
    if (!departure || !caller) return null
    const booked = fewer ? partyOf(fewer, prices) : party
    setSelling(true)
    await held.settled()
    try {
      const booking = await write.mutateAsync({
        departureId: departure.id,
        formId,
        mode,
        channel: choices.channel,
        contact: contactOf(caller, choices),
        units: booked.units,
        guests: guestsOf(caller, choices, { party: booked, prices, ages }),
        pickupStopId: choices.pickupId || null,
        notes: choices.notes.trim() || null,
        ...(choices.holdMinutes !== null && { holdMinutes: choices.holdMinutes }),
        // a price that was agreed on is that of this party
        ...(typeof choices.totalMinor === 'number' && !fewer && { amountTotalMinor: choices.totalMinor }),
        priceReason: choices.priceReason.trim() || null,
        discountCode: choices.discountCode || null,
        ...(typeof choices.paidMinor === 'number' && { amountPaidMinor: choices.paidMinor }),
        ...(choices.paidBy !== '' && { paidBy: choices.paidBy }),
        tellGuest: choices.isTold,
      })
      setSelling(false)
      setRefusal(null)
      return booking
    } catch (error) {
      setRefusal(refusalOf(AppError.from(error), departure.id))
      setSelling(false)
      void offer.refetch()
      return null
    }
  }
  const isSeatRefusal = write.error?.details.reason === 'seats_exhausted'
  // The seats that our own booking takes are reported by the live stream like any others, perhaps before the call's answer: they are not missing.
  const isBooking = write.isPending && write.variables.mode !== 'waitlist'
  const short = departure ? Math.max(0, party.pax - departure.seatsLeft) : 0
  const discount = useDiscount({ departureId: departure?.id, code: choices.discountCode, listMinor: party.totalMinor })
  const listMinor = party.totalMinor - discount.amountMinor
  const isHoldable = departure !== undefined && departure.state !== 'closed' && party.pax > 0 && short === 0
  const held = useFormHold({
    formId,
    wanted: isHoldable ? { departureId: departure.id, seats: party.pax, channel: choices.channel } : null,
    isSelling: isSelling || write.isSuccess,
  })
  return {
    choices,
    set,
    tours,
    tour,
    offer: offered,
    offerError: offer.error && offer.data === undefined ? offer.error : null,
    retry: () => void offer.refetch(),
    now,
    today,
    from,
    day,
    departure,
    quantities,
    party,
    seated: seatedParty(travelingOf(choices), party, prices, ages),
    named: (choices.caller && choices.isTraveling ? 1 : 0) + choices.companions.filter(isNamed).length,
    currency: prices[0]?.currency,
    discount,
    listMinor,
    total: choices.totalMinor ?? listMinor,
    short: isBooking || write.isSuccess ? 0 : short,
    held: held.seats,
    refusal: refusal && refusal.departureId === departure?.id ? refusal : null,
    error: isSeatRefusal ? null : write.error,
    isPending: isSelling,
    holdMinutes: choices.holdMinutes ?? usualHoldMinutes,
    usualHoldMinutes,
    offerMinutes: rules?.settings.waitlistOfferMinutes ?? defaultHoldMinutes,
    isTouched: choices !== first,
    book,
  }
}

/**
 * What a code takes off on a departure.
 *
 * @param listMinor What the seats cost. Minor units.
 */
export function useDiscount({
  departureId,
  code,
  listMinor,
}: {
  departureId: string | undefined
  code: string
  listMinor: number
}): DraftDiscount {
  const { data, error } = useQuery({
    ...callQuery(checkDiscount, { departureId: departureId ?? '', code }),
    enabled: departureId !== undefined && code !== '',
  })
  return { code: data?.code ?? null, amountMinor: data ? discountMinorOf(data, listMinor) : 0, error }
}

const hasFormHolds = (offer: Availability | undefined): boolean =>
  offer?.days.some((day) => day.departures.some(({ formHolds }) => formHolds.length > 0)) ?? false

/** Who pays, and is written to. */
export const contactOf = (caller: Person, { contact, language }: Pick<Choices, 'contact' | 'language'>) => ({
  name: (contact ? contact.name : caller.name).trim(),
  phone: (contact ? contact.phone : caller.phone)?.trim() || null,
  email: (contact ? contact.email : caller.email)?.trim() || null,
  locale: language ?? (contact ? null : caller.language),
})

/** The caller where they travel, and those along. */
const travelingOf = ({ caller, own, isTraveling, companions }: Choices) => ({
  caller: isTraveling ? caller : null,
  own,
  companions,
})

interface Sold {
  readonly party: Party
  readonly prices: readonly TourUnit[]
  readonly ages: KnownAges
}

/** The caller and those along whose names are known, at most one for each seat where fewer are taken than were asked for; each takes a kind of seat that was bought. */
function guestsOf(caller: Person, choices: Choices, { party, prices, ages }: Sold) {
  const seated = seatedParty(travelingOf(choices), party, prices, ages)
  const own = seated.caller ? [{ ...guestOf(seated.caller, party, prices), ...profileOf(caller, choices) }] : []
  return [...own, ...namedCompanions(seated.lines, party, prices)].slice(0, party.pax)
}

/** What is known of a new caller besides their line. */
function profileOf(caller: Person, { language }: Choices) {
  if (caller.id !== null) return {}
  return {
    phone: caller.phone?.trim() || null,
    email: caller.email?.trim() || null,
    language,
  }
}

function refusalOf({ details }: AppError, departureId: string): Refusal | null {
  if (details.reason !== 'seats_exhausted') return null
  const number = (value: unknown) => (typeof value === 'number' ? value : 0)
  return {
    departureId,
    seatsLeft: number(details['seatsLeft']),
    asked: number(details['asked']),
    waitlistRank: number(details['waitlistRank']),
    lastSoldAt: typeof details['lastSoldAt'] === 'string' ? details['lastSoldAt'] : null,
  }
}
