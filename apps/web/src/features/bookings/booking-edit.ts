import type { Booking } from '@tour-ops/contract/bookings/bookings'
import { type TravelerFlag, travelerFlags } from '@tour-ops/contract/bookings/manifest'
import type { reviseBooking } from '@tour-ops/contract/bookings/revise'
import type { In } from '@tour-ops/contract/callable'
import type { TourUnit } from '@tour-ops/contract/units'
import { type Companion, isNamed, type Party, type Quantities } from './booking-choice.ts'
import { namedCompanions, type SeatedGuest } from './party-ages.ts'
import { firstChoices, type Choices, type OtherContact } from './use-booking-draft.ts'

/** What a person has chosen of a booking that is changed. */
export interface EditChoices extends Choices {
  sellerName: string
  externalRef: string
  isOnAgentCredit: boolean
  /** Where the party moves: seats cost what they do there. */
  atPriceThere: boolean
}

/** The screen filled with a booking. */
export function choicesOf(booking: Booking): EditChoices {
  const { contact } = booking
  return {
    ...firstChoices({}),
    contact: contactOf(booking),
    companions: linesOf(booking),
    channel: booking.channel,
    language: contact.locale,
    priceReason: booking.priceReason ?? '',
    discountCode: booking.discount?.code ?? '',
    notes: booking.notes ?? '',
    sellerName: booking.sellerName ?? '',
    externalRef: booking.externalRef ?? '',
    isOnAgentCredit: booking.paymentStatus === 'agent_credit',
    atPriceThere: false,
  }
}

/** Who pays and is written to. */
export const contactIn = (booking: Booking, { contact }: Pick<Choices, 'contact'>): OtherContact =>
  contact ?? contactOf(booking)

const contactOf = ({ contact }: Booking): OtherContact => ({
  name: contact.name,
  phone: contact.phone ?? '',
  email: contact.email ?? '',
})

/** Seats of each kind: as they were chosen, else those that the booking has. */
export const quantitiesIn = ({ units }: Booking, { quantities }: Pick<Choices, 'quantities'>): Quantities =>
  quantities ?? Object.fromEntries(units.map(({ unitType, quantity }) => [unitType, quantity]))

/** Guests who are on the manifest, a line each. */
const linesOf = ({ guests }: Booking): Companion[] =>
  guests
    .filter(({ status }) => status !== 'cancelled')
    .map((guest, at) => ({
      key: at + 1,
      travelerId: guest.travelerId,
      name: guest.name,
      unitType: guest.unitType,
      isKindSaid: true,
      diet: guest.tripDietary,
      mobility: guest.tripMobility,
      note: guest.note ?? '',
      age: undefined,
      childSeat: guest.childSeat,
      flags: profileFlagsOf(guest),
      placeOf: guest.travelerId,
      isBound: guest.status !== 'expected',
    }))

/** What the profile names, as far as the booking says so. */
function profileFlagsOf({ dietary, tripDietary, mobility, tripMobility }: Booking['guests'][number]): TravelerFlag[] {
  const needs: readonly string[] = [
    ...dietary.filter((need) => need !== tripDietary),
    ...(tripMobility === null ? [mobility] : []),
  ]
  return travelerFlags.filter((flag) => needs.includes(flag))
}

const isSame = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other)

/**
 * What was chosen, over a booking that somebody else has changed meanwhile: what was left alone follows the booking, everything else stays.
 *
 * @param before What the screen was filled with.
 * @param after What it would be filled with now.
 */
export function rebased(choices: EditChoices, before: EditChoices, after: EditChoices): EditChoices {
  const touched = Object.keys(choices).filter((key) => !isSame(Reflect.get(choices, key), Reflect.get(before, key)))
  return { ...after, ...Object.fromEntries(touched.map((key) => [key, Reflect.get(choices, key)])) }
}

/** What the screen shows besides what was chosen. */
export interface Shown {
  readonly departureId: string
  /** Null for none. */
  readonly pickupStopId: string | null
  readonly party: Party
  /** Guests on their seats. */
  readonly lines: readonly SeatedGuest[]
  readonly prices: readonly TourUnit[]
  /** What it costs unless another price is typed. Minor units. */
  readonly computedMinor: number
}

type Changes = Omit<In<typeof reviseBooking>, 'id' | 'version'>

/** What differs from the booking, for the call; empty where nothing does. */
export function changesOf(booking: Booking, choices: EditChoices, shown: Shown): Changes {
  const first = choicesOf(booking)
  const isMoved = shown.departureId !== booking.departureId
  const text = (entry: string) => entry.trim() || null
  const typed = contactIn(booking, choices)
  const contact = {
    name: typed.name.trim(),
    phone: text(typed.phone),
    email: text(typed.email),
    locale: choices.language,
    country: booking.contact.country,
  }
  const isOther = (key: keyof EditChoices) => !isSame(choices[key], first[key])
  return {
    ...(isMoved && { departureId: shown.departureId, ...(choices.atPriceThere && { atPriceThere: true }) }),
    ...(isOtherParty(booking, shown.party) && { units: shown.party.units }),
    ...guestChanges(first.companions, choices.companions, shown),
    ...((isOther('contact') || isOther('language')) && { contact }),
    ...(isOther('channel') && { channel: choices.channel }),
    ...((isMoved || shown.pickupStopId !== booking.pickupStopId) && { pickupStopId: shown.pickupStopId }),
    ...(isOther('notes') && { notes: text(choices.notes) }),
    ...(isOther('sellerName') && { sellerName: text(choices.sellerName) }),
    ...(isOther('externalRef') && { externalRef: text(choices.externalRef) }),
    ...(isOther('isOnAgentCredit') && { isOnAgentCredit: choices.isOnAgentCredit }),
    ...(isOther('discountCode') && { discountCode: choices.discountCode || null }),
    ...(typeof choices.totalMinor === 'number' &&
      choices.totalMinor !== shown.computedMinor && { amountTotalMinor: choices.totalMinor }),
    ...(isOther('priceReason') && { priceReason: text(choices.priceReason) }),
    // another price has its reason with it, also where that stays
    ...(typeof choices.totalMinor === 'number' && { priceReason: text(choices.priceReason) }),
  }
}

/** Whether the seats are others than the booking has. */
const isOtherParty = ({ units }: Pick<Booking, 'units'>, party: Pick<Party, 'units'>): boolean =>
  units.length !== party.units.length ||
  party.units.some(
    ({ unitType, quantity }) => !units.some((unit) => unit.unitType === unitType && unit.quantity === quantity),
  )

/** All guests where one of them is another, and whose places those who come have. */
function guestChanges(
  before: readonly Companion[],
  companions: readonly Companion[],
  { party, lines, prices }: Shown,
): Pick<Changes, 'guests' | 'swaps'> {
  const named = companions.filter(isNamed)
  const guests = namedCompanions(lines, party, prices)
  const isSameKind = named.every(({ unitType }, at) => guests[at]?.unitType === unitType)
  if (isSame(companions, before) && isSameKind) return {}
  const staying = new Set(named.map(({ travelerId }) => travelerId))
  const swaps = named.flatMap(({ placeOf, travelerId }, guest) =>
    placeOf === undefined || placeOf === travelerId || staying.has(placeOf) ? [] : [{ leaving: placeOf, guest }],
  )
  return { guests, ...(swaps.length > 0 && { swaps }) }
}
