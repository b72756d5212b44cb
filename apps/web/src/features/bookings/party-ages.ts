import { childSeatUnderAge } from '@tour-ops/contract/bookings/bookings'
import { type AgeFit, fitOf, type getGuestAges, hasAgeLimit } from '@tour-ops/contract/bookings/guest-ages'
import type { Out } from '@tour-ops/contract/callable'
import { paxOf, type TourUnit, type UnitType } from '@tour-ops/contract/units'
import {
  callerKey,
  type CallerLine,
  type Companion,
  isNamed,
  namedBy,
  type Party,
  type Person,
  type Quantities,
} from './booking-choice.ts'

/** What the server says of the age of a guest on the day of the departure. */
export type KnownAge = Out<typeof getGuestAges>['guests'][number]
/** By traveler. */
export type KnownAges = ReadonlyMap<string, KnownAge>

/** A guest of the party, with what follows from the age that was typed, or else is known. */
export interface SeatedGuest extends Companion {
  /** Null where it is not known, or may not be seen. */
  readonly years: number | null
  /** Known, but not to the year, or not for who looks. */
  readonly onFile: KnownAge | null
  /** Of the age, for the kind of seat. */
  readonly fit: AgeFit
  /** By an age that is known, whoever may see it; null where that does not say. */
  readonly needsSeat: boolean | null
  /** A kind that is sold and fits where this one does not, or where that one is for their age. */
  readonly better: UnitType | null
}

export interface SeatedParty {
  /** Null where who calls stays at home. */
  readonly caller: SeatedGuest | null
  /** Those along, in the order of their lines. */
  readonly lines: readonly SeatedGuest[]
}

/** Whether a kind costs less by age, so that the age of who sits there is asked: children, and seniors. */
export const asksAge = ({ minAge, maxAge }: Pick<TourUnit, 'minAge' | 'maxAge'>): boolean =>
  maxAge !== null || (minAge !== null && minAge > 18)

/** The kind of the caller's own seat, unless their age is known. */
const callersKind = ({ units }: Pick<Party, 'units'>): UnitType =>
  (units.find((unit) => unit.unitType === 'adult') ?? units[0])?.unitType ?? 'adult'

/** The line of who calls, as far as anything was said on it. */
const lineOf = ({ id, name, flags }: Person, party: Pick<Party, 'units'>, own: CallerLine): Companion => ({
  key: callerKey,
  travelerId: id,
  name,
  unitType: callersKind(party),
  diet: null,
  mobility: null,
  note: '',
  age: undefined,
  childSeat: null,
  flags,
  ...own,
})

interface Guests {
  readonly caller: Person | null
  readonly own?: CallerLine
  readonly companions: readonly Companion[]
}

/** Who sits where: each on the kind of seat that was chosen for them, else on one that fits their age and is left. */
export function seatedParty(
  { caller, own = {}, companions }: Guests,
  party: Pick<Party, 'units'>,
  prices: readonly TourUnit[],
  known: KnownAges,
): SeatedParty {
  const first = caller && lineOf(caller, party, own)
  const all = [...(first ? [first] : []), ...companions]
  const ageOf = ({ travelerId }: Companion) => (travelerId === null ? undefined : known.get(travelerId))
  const follows = (guest: Companion) => followsAge(guest, ageOf(guest))
  // those who stay where they were put come first: their seats are not free for the others
  const taken = all.filter((guest) => !follows(guest)).map((guest) => ownKind(guest, party))
  const seat = (guest: Companion): SeatedGuest => {
    const age = ageOf(guest)
    const isFree = (kind: UnitType) => taken.filter((one) => one === kind).length < seatsOf(kind, party, prices)
    const seated = { ...guest, unitType: kindFor(guest, age, { party, prices, isFree }) }
    if (follows(guest)) taken.push(seated.unitType)
    return { ...seated, ...agesIn(seated, age, prices) }
  }
  return { caller: first && seat(first), lines: companions.map(seat) }
}

const seatsOf = (kind: UnitType, { units }: Pick<Party, 'units'>, prices: readonly TourUnit[]): number =>
  paxOf(
    units.filter(({ unitType }) => unitType === kind),
    prices,
  )

interface Kinds {
  readonly party: Pick<Party, 'units'>
  readonly prices: readonly TourUnit[]
  readonly isFree: (kind: UnitType) => boolean
}

/** Whether nobody has said on which kind of seat somebody sits, and their age is known. */
const followsAge = ({ isKindSaid, age: typed }: Companion, known: KnownAge | undefined): boolean =>
  !isKindSaid && typed === undefined && known !== undefined

/** The kind of a line, as far as it was bought. */
function ownKind({ unitType }: Companion, { units }: Pick<Party, 'units'>): UnitType {
  const kinds = units.map((unit) => unit.unitType)
  return kinds.includes(unitType) ? unitType : (kinds[0] ?? unitType)
}

function kindFor(guest: Companion, age: KnownAge | undefined, { party, prices, isFree }: Kinds): UnitType {
  const kinds = party.units.map(({ unitType }) => unitType)
  const own = ownKind(guest, party)
  if (!age || !followsAge(guest, age)) return own
  const isForTheirAge = (kind: UnitType) => age.fits.includes(kind) && isAsked(kind, prices)
  if (isForTheirAge(own)) return own
  const fitting = kinds.find((kind) => isForTheirAge(kind) && isFree(kind))
  if (fitting || !age.unfit.includes(own)) return fitting ?? own
  return kinds.find((kind) => !age.unfit.includes(kind) && isFree(kind)) ?? own
}

const isAsked = (kind: UnitType, prices: readonly TourUnit[]): boolean =>
  prices.some((price) => price.unitType === kind && asksAge(price))

/** What is known of an age, typed or not, and how it fits the kind of seat. */
function agesIn(
  guest: Companion,
  known: KnownAge | undefined,
  prices: readonly TourUnit[],
): Pick<SeatedGuest, 'years' | 'onFile' | 'fit' | 'needsSeat' | 'better'> {
  const isTyped = guest.age !== undefined
  const exact = known?.age?.from === known?.age?.to ? known?.age?.from : undefined
  const years = (isTyped ? guest.age : exact) ?? null
  const fitIn = (price: TourUnit): AgeFit => {
    if (!hasAgeLimit(price)) return 'fits'
    if (isTyped) return years === null ? 'unknown' : fitOf({ from: years, to: years }, price)
    if (known?.fits.includes(price.unitType)) return 'fits'
    return known?.unfit.includes(price.unitType) ? 'unfit' : 'unknown'
  }
  const price = prices.find(({ unitType }) => unitType === guest.unitType)
  const fit = price ? fitIn(price) : 'fits'
  const singles = prices.filter(({ paxCount, unitType }) => paxCount === 1 && unitType !== guest.unitType)
  const forTheirAge = singles.find((one) => asksAge(one) && fitIn(one) === 'fits')
  const other = fit === 'unfit' ? (forTheirAge ?? singles.find((one) => fitIn(one) === 'fits')) : forTheirAge
  const isAtHome = price === undefined || price.paxCount !== 1 || (fit !== 'unfit' && asksAge(price))
  return {
    years,
    onFile: !isTyped && years === null ? (known ?? null) : null,
    fit,
    needsSeat: isTyped ? null : (known?.needsChildSeat ?? null),
    better: isAtHome ? null : (other?.unitType ?? null),
  }
}

/** Who calls, where they travel, and those along. */
export const guestsIn = ({ caller, lines }: SeatedParty): SeatedGuest[] => [...(caller ? [caller] : []), ...lines]

/** The seats with one of another kind for a guest: the same where one is left of it, else one more of it and one less of theirs. */
export function quantitiesWith(
  { unitType }: Pick<SeatedGuest, 'unitType'>,
  kind: UnitType,
  seated: SeatedParty,
  quantities: Quantities,
  prices: readonly TourUnit[],
): Quantities {
  const taken = guestsIn(seated).filter((guest) => guest.unitType === kind).length
  if (taken < paxOf([{ unitType: kind, quantity: quantities[kind] ?? 0 }], prices)) return quantities
  return {
    ...quantities,
    [unitType]: Math.max(0, (quantities[unitType] ?? 0) - 1),
    [kind]: (quantities[kind] ?? 0) + 1,
  }
}

/** Whether a guest needs a child seat: as somebody said, else by the age, else by the kind. */
export function needsChildSeat(
  { childSeat, years, needsSeat, unitType }: Pick<SeatedGuest, 'childSeat' | 'years' | 'needsSeat' | 'unitType'>,
  prices: readonly TourUnit[],
): boolean {
  const oldest = years ?? prices.find((price) => price.unitType === unitType)?.maxAge ?? childSeatUnderAge
  return childSeat ?? needsSeat ?? oldest < childSeatUnderAge
}

/** Lines with a name, for the call; each takes a kind of seat that was bought. */
export function namedCompanions(
  lines: readonly SeatedGuest[],
  party: Pick<Party, 'units'>,
  prices: readonly TourUnit[],
) {
  return lines.filter(isNamed).map((line) => guestOf(line, party, prices))
}

/** A line for the call, with a kind of seat that was bought. */
export function guestOf(
  { travelerId, name, diet, mobility, note, age, ...guest }: SeatedGuest,
  { units }: Pick<Party, 'units'>,
  prices: readonly TourUnit[],
) {
  const isBought = units.some(({ unitType }) => unitType === guest.unitType)
  return {
    ...(travelerId === null
      ? { ...namedBy(name), dietary: diet === null ? [] : [diet], mobility: mobility ?? 'none' }
      : { travelerId, tripDietary: diet, tripMobility: mobility }),
    note: note.trim() || null,
    // left alone, it is as it is known
    ...(age !== undefined && { age }),
    childSeat: needsChildSeat(guest, prices),
    unitType: isBought ? guest.unitType : (units[0]?.unitType ?? guest.unitType),
  }
}

/** How many child seats a party needs: of those with a line of their own, and of seats without one by their kind. */
export function childSeatsOf(
  { units }: Pick<Party, 'units'>,
  lines: readonly SeatedGuest[],
  prices: readonly TourUnit[],
): number {
  const untold = units.reduce((sum, { unitType, quantity }) => {
    if (!needsChildSeat({ childSeat: null, years: null, needsSeat: null, unitType }, prices)) return sum
    const told = lines.filter((guest) => guest.unitType === unitType).length
    return sum + Math.max(0, paxOf([{ unitType, quantity }], prices) - told)
  }, 0)
  return untold + lines.filter((guest) => needsChildSeat(guest, prices)).length
}

/** What is known of the ages that prices depend on. */
export interface AgeCheck {
  /** Each age that a price depends on is known, and fits. */
  readonly isFit: boolean
  /** Guests whose age is not known. */
  readonly unknown: number
  /** Guests who are too young or too old for their kind of seat. */
  readonly unfit: readonly SeatedGuest[]
  /** Guests for whose age another kind of seat is sold. */
  readonly better: readonly SeatedGuest[]
}

/** Null where no price of the party depends on an age, and nobody is on a seat for others. */
export function ageCheckOf(
  { units }: Pick<Party, 'units'>,
  seated: SeatedParty,
  prices: readonly TourUnit[],
): AgeCheck | null {
  const guests = guestsIn(seated)
  const asked = units.filter(({ unitType }) => isAsked(unitType, prices))
  const unfit = guests.filter(({ fit }) => fit === 'unfit')
  const better = guests.filter((guest) => guest.better !== null && guest.fit !== 'unfit')
  if (asked.length + unfit.length + better.length === 0) return null
  const told = guests.filter(({ fit, unitType }) => fit !== 'unknown' && isAsked(unitType, prices))
  const unknown = Math.max(0, paxOf(asked, prices) - told.length)
  const isCrowded = asked.some(
    (unit) => told.filter((guest) => guest.unitType === unit.unitType).length > paxOf([unit], prices),
  )
  return { isFit: asked.length > 0 && unknown === 0 && unfit.length === 0 && !isCrowded, unknown, unfit, better }
}
