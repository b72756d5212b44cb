import { keepPreviousData, useQuery } from '@tanstack/react-query'
import {
  createBooking,
  defaultHoldMinutes,
  getAvailability,
  type Booking,
  type channels,
} from '@tour-ops/contract/bookings/bookings'
import { getDeparture } from '@tour-ops/contract/departures/departures'
import { AppError } from '@tour-ops/contract/errors'
import { getTourSettings } from '@tour-ops/contract/settings/settings'
import { tourOptionsForPickers } from '@tour-ops/contract/tours/tours'
import { useState } from 'react'
import { shownDays, type Availability, type OfferedDay, type OfferedDeparture } from './availability.tsx'
import type { PickedGuest } from './guest-picker.tsx'
import { useBookingWrite } from './use-booking-write.ts'
import { useNow } from '../../ui/clock.ts'
import { callQuery } from '../../backend/queries.ts'
import { useAccess } from '../../identity/access.ts'
import { localDateOf } from '../../ui/format.ts'
import { dayOf, departureOf, firstQuantities, partyOf, type Party, type Quantities } from './booking-choice.ts'

export type Mode = 'hold' | 'confirm'
type Channel = (typeof channels)[number]

/** The booking contact, when it is not the traveler. */
export interface OtherContact {
  name: string
  phone: string
  email: string
}

/** What a person has chosen; everything left alone follows from what is offered. */
interface Choices {
  tourId: string | null
  from: string | null
  day: string | null
  departureId: string | null
  quantities: Quantities | null
  contact: OtherContact | null
  companions: readonly PickedGuest[]
  isTraveling: boolean
  pickupId: string
  channel: Channel
  mode: Mode
  notes: string
  /** By e-mail, that the booking is confirmed. */
  isTold: boolean
}

const nothingChosen: Choices = {
  tourId: null,
  from: null,
  day: null,
  departureId: null,
  quantities: null,
  contact: null,
  companions: [],
  isTraveling: true,
  pickupId: '',
  channel: 'phone',
  mode: 'hold',
  notes: '',
  isTold: true,
}

/** The server refused because somebody was faster. See docs/screens.md, "Booking". */
export interface Refusal {
  readonly departureId: string
  readonly seatsLeft: number
  readonly asked: number
  readonly waitlistRank: number
  readonly lastSoldAt: string | null
}

/** The traveler a booking is for. */
export interface Person {
  /** Null for somebody who is only being entered. */
  readonly id: string | null
  readonly name: string
  readonly phone: string | null
  readonly email: string | null
  /** That they are written to in; null where it is not known. */
  readonly language: string | null
}

export interface BookingDraft {
  readonly choices: Choices
  readonly set: (change: Partial<Choices>) => void
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
  readonly departure: OfferedDeparture | undefined
  readonly quantities: Quantities
  readonly party: Party
  /** Seats missing for this party; 0 when it fits. */
  readonly short: number
  readonly refusal: Refusal | null
  readonly error: AppError | null
  readonly isPending: boolean
  readonly holdMinutes: number
  /** How long seats are held for a waiting party. */
  readonly offerMinutes: number
  /** Whether anything was chosen that would be lost. */
  readonly isTouched: boolean
  /**
   * Books for a traveler. A refusal for want of seats is stored as `refusal`, everything else as `error`; what was typed stays either way.
   *
   * @returns the booking, or null when it was refused.
   */
  readonly book: (
    person: Person & { id: string },
    options?: { mode?: Mode | 'waitlist'; quantities?: Quantities },
  ) => Promise<Booking | null>
}

/**
 * A booking that is being entered, with live availability.
 *
 * @param bookOn Departure to begin with.
 * @param isActive False while the form is not shown: nothing is asked of the server then.
 */
export function useBookingDraft(bookOn: string | null, isActive = true): BookingDraft {
  const { can } = useAccess()
  const [choices, setChoices] = useState(nothingChosen)
  const [refusal, setRefusal] = useState<Refusal | null>(null)
  const { data: wanted } = useQuery({
    ...callQuery(getDeparture, { id: bookOn ?? '' }),
    enabled: isActive && bookOn !== null,
  })
  const { data: names } = useQuery({
    ...callQuery(tourOptionsForPickers, { status: ['published'] }),
    enabled: isActive,
  })
  const { data: rules } = useQuery({ ...callQuery(getTourSettings, {}), enabled: isActive && can('settings:read') })
  const tours = names?.tours
  const tourId = choices.tourId ?? wanted?.tourId ?? (tours?.length === 1 ? tours[0]?.id : undefined) ?? null
  const tour = tours?.find((one) => one.id === tourId)
  const now = useNow(30_000)
  const today = localDateOf(now, tour?.timeZone ?? wanted?.timeZone)
  const isPrefilled = wanted !== undefined && tourId === wanted.tourId
  const from = choices.from ?? (isPrefilled && wanted.localDate > today ? wanted.localDate : today)
  const offer = useQuery({
    ...callQuery(getAvailability, { tourId: tourId ?? '', from, days: shownDays }),
    enabled: isActive && tourId !== null,
    placeholderData: keepPreviousData,
  })
  const prices = offer.data?.units ?? []
  const day = dayOf(offer.data?.days ?? [], choices.day ?? (isPrefilled ? wanted.localDate : null))
  const departure = departureOf(day, choices.departureId ?? (isPrefilled ? wanted.id : null))
  const quantities = choices.quantities ?? firstQuantities(prices)
  const party = partyOf(quantities, prices)
  const write = useBookingWrite(createBooking)

  const set = (change: Partial<Choices>) => {
    setChoices((before) => ({ ...before, ...change }))
    setRefusal(null)
  }
  const book: BookingDraft['book'] = async (person, { mode = choices.mode, quantities: fewer } = {}) => {
    if (!departure) return null
    const booked = fewer ? partyOf(fewer, prices) : party
    try {
      const booking = await write.mutateAsync({
        departureId: departure.id,
        mode,
        channel: choices.channel,
        contact: contactOf(person, choices.contact),
        units: booked.units,
        guests: guestsOf(person, choices, booked),
        pickupStopId: choices.pickupId || null,
        notes: choices.notes.trim() || null,
        tellGuest: choices.isTold,
      })
      setRefusal(null)
      return booking
    } catch (error) {
      setRefusal(refusalOf(AppError.from(error), departure.id))
      void offer.refetch()
      return null
    }
  }
  const isSeatRefusal = write.error?.details.reason === 'seats_exhausted'
  // The seats that our own booking takes are reported by the live stream like any others, perhaps before the call's answer: they are not missing.
  const isBooking = write.isPending && write.variables.mode !== 'waitlist'
  const short = departure ? Math.max(0, party.pax - departure.seatsLeft) : 0
  return {
    choices,
    set,
    tours,
    tour,
    offer: offer.data,
    offerError: offer.error && offer.data === undefined ? offer.error : null,
    retry: () => void offer.refetch(),
    now,
    today,
    from,
    day,
    departure,
    quantities,
    party,
    short: isBooking || write.isSuccess ? 0 : short,
    refusal: refusal && refusal.departureId === departure?.id ? refusal : null,
    error: isSeatRefusal ? null : write.error,
    isPending: write.isPending,
    holdMinutes: rules?.settings.holdMinutes ?? defaultHoldMinutes,
    offerMinutes: rules?.settings.waitlistOfferMinutes ?? defaultHoldMinutes,
    isTouched: choices !== nothingChosen,
    book,
  }
}

/** Who pays, and is written to. */
export const contactOf = (person: Person, other: OtherContact | null) => ({
  name: other ? other.name : person.name,
  phone: (other ? other.phone : person.phone) || null,
  email: (other ? other.email : person.email) || null,
  locale: other ? null : person.language,
})

/** The traveler and those along, at most one for each seat; each takes a kind of seat that was bought. */
function guestsOf(person: Person & { id: string }, choices: Choices, party: Party) {
  const own = party.units.find((unit) => unit.unitType === 'adult') ?? party.units[0]
  const traveler = choices.isTraveling && own ? [{ travelerId: person.id, unitType: own.unitType }] : []
  const others = choices.companions.map(({ travelerId, firstName, lastName, unitType }) =>
    travelerId === undefined
      ? { ...(firstName && { firstName }), lastName: lastName ?? '', unitType }
      : { travelerId, unitType },
  )
  return [...traveler, ...others].slice(0, party.pax)
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
