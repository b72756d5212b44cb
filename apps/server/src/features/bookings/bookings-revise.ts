import { isDeepStrictEqual } from 'node:util'
import type { Booking } from '@tour-ops/contract/bookings/bookings'
import { discountMinorOf, totalAtDiscountMinor } from '@tour-ops/contract/bookings/discount-codes'
import { takesSeats } from '@tour-ops/contract/bookings/party'
import { reviseBooking } from '@tour-ops/contract/bookings/revise'
import type { Given } from '@tour-ops/contract/callable'
import { type BookedUnit, paxOf } from '@tour-ops/contract/units'
import { sql } from 'kysely'
import type { MemberCall } from '../../context.ts'
import { notFound } from '../../platform/optimistic-lock.ts'
import { touchBooking } from '../../platform/operations/named-guests.ts'
import { withdrawProposals } from '../../platform/operations/proposals.ts'
import type { LockedDeparture } from '../../platform/operations/seats.ts'
import { tellingChange } from '../../platform/operations/tell-guests.ts'
import { verb } from '../../platform/verb.ts'
import { goThere, lockBookings, promoteWaitlists, requireMovable } from './bookings-changes.ts'
import { changeSeats, soldAs } from './bookings-party.ts'
import { selectBooking, selectRecord, type BookingRecord } from './bookings-store.ts'
import { requireDiscount } from './discounts.ts'
import { takeFormHold } from './form-holds.ts'
import { updateKinds } from './guests.ts'
import { nameSeats, onManifest } from './name-guests.ts'
import { lockOne, requireOnSale, requireSeats } from './seat-rules.ts'
import { type Details, updateDetails } from './update-booking.ts'

type Wanted = Omit<Given<typeof reviseBooking>, 'id' | 'version' | 'tellGuest' | 'formId'>

/**
 * Everything that somebody changes of a booking on one screen, in one transaction and by the rules of the single changes. A party that becomes smaller
 * gives seats up where they were sold before it moves; one that becomes larger moves first and takes them there.
 */
export const revise = verb(reviseBooking, async (call, { id, version, tellGuest, formId, ...wanted }) => {
  const { bookings, departures } = await lockBookings(
    call,
    [{ id, version }],
    ...(wanted.departureId === undefined ? [] : [wanted.departureId]),
  )
  const [booking] = bookings
  const home = booking && departures.get(booking.departureId)
  const found = departures.get(wanted.departureId ?? home?.id ?? '')
  if (!home || !found) throw notFound('departure')
  await takeFormHold(call, found, formId)
  // as it is without what its form has held
  const target = formId === undefined ? found : await lockOne(call, found.id)
  let left: readonly string[] = []
  await tellingChange(call, booking, tellGuest, async () => {
    left = await reviseSeats(call, { booking, home: home.id === target.id ? target : home, target }, wanted)
    await reviseDiscount(call, id, target, wanted.discountCode)
    await reviseGuests(call, id, wanted)
    await reviseDetails(call, id, wanted, target.id === home.id)
  })
  const promoted = await promoteWaitlists(call, left)
  return { booking: await selectBooking(call, id), promoted }
})

interface Seated {
  readonly booking: BookingRecord
  /** Where the party is. */
  readonly home: LockedDeparture
  /** Where it goes; the same where it stays. */
  readonly target: LockedDeparture
}

/** @returns departures on which seats may be free now. */
async function reviseSeats(call: MemberCall, seated: Seated, wanted: Wanted): Promise<string[]> {
  const { booking, home, target } = seated
  const units = await otherUnits(call, booking, wanted)
  const pax = units === undefined ? booking.pax : await paxThere(call, booking, target, units)
  const isLarger = pax > booking.pax
  const change = async (departure: LockedDeparture) => {
    if (units === undefined) return
    const current = await selectRecord(call, booking.id)
    await changeSeats(
      call,
      { booking: current, departure },
      {
        ...wanted,
        units,
        amountTotalMinor: undefined,
        leaving: await leavingOf(call, booking.id, wanted),
        soldOn: target.id,
        leavingField: 'guests',
      },
    )
  }
  const smaller = pax < booking.pax ? [home.id] : []
  if (target.id === home.id) {
    await change(home)
    return smaller
  }
  if (!isLarger) await change(home)
  const held = await moveTo(call, seated, pax, wanted)
  // its numbers are others since the party is there
  if (isLarger) await change(await lockOne(call, target.id))
  // who waited elsewhere may fit there
  return [home.id, ...held, ...(booking.status === 'waitlisted' ? [target.id] : [])]
}

/** The seats that are asked for, where they are others than the party has. */
async function otherUnits(
  call: MemberCall,
  { id }: BookingRecord,
  { units }: Wanted,
): Promise<BookedUnit[] | undefined> {
  if (units === undefined) return undefined
  const before = await selectBooking(call, id)
  const sorted = (list: readonly BookedUnit[]) => list.toSorted((a, b) => a.unitType.localeCompare(b.unitType))
  return isDeepStrictEqual(sorted(units), sorted(before.units)) ? undefined : units
}

async function paxThere(
  call: MemberCall,
  { id }: BookingRecord,
  target: LockedDeparture,
  units: readonly BookedUnit[],
): Promise<number> {
  const { prices } = await soldAs(call, id, units, target.id)
  return paxOf(units, prices)
}

/** Who leaves with their seat; somebody whose place another one takes leaves later. */
async function leavingOf(call: MemberCall, id: string, { guests, swaps }: Wanted): Promise<string[]> {
  if (guests === undefined) return []
  const staying = new Set([...guests.map(({ travelerId }) => travelerId), ...swaps.map(({ leaving }) => leaving)])
  const current = onManifest(await selectBooking(call, id))
  return current.flatMap(({ travelerId }) => (staying.has(travelerId) ? [] : [travelerId]))
}

/** @returns departures on which seats were held for the party. */
async function moveTo(
  call: MemberCall,
  { booking, target: before }: Seated,
  pax: number,
  { pickupStopId, atPriceThere }: Wanted,
): Promise<string[]> {
  const held = await withdrawProposals(call, [booking.id])
  // after that: seats that were held there for the party are its own
  const target = await lockOne(call, before.id)
  await requireMovable(call, booking, target)
  requireOnSale(target, call.clock.now(), 'walk_in')
  if (takesSeats(booking.status)) await requireSeats(call, target, pax)
  await goThere(call, booking, target, { pickupStopId, atPriceThere })
  return held
}

async function reviseGuests(call: MemberCall, id: string, { guests, swaps }: Wanted): Promise<void> {
  if (guests === undefined) return
  const isOther = await nameSeats(call, await selectBooking(call, id), guests, swaps)
  const kinds = await updateKinds(call, id, guests)
  if (isOther || kinds > 0) await touchBooking(call, id)
}

/** Another code, or none; what was agreed on follows the amount that it takes off. */
async function reviseDiscount(
  call: MemberCall,
  id: string,
  { id: departureId }: LockedDeparture,
  code: Wanted['discountCode'],
): Promise<void> {
  const { discount, currency } = await selectBooking(call, id)
  if (code === undefined || code?.toUpperCase() === discount?.code.toUpperCase() || (code === null && !discount)) return
  const { listMinor, amountTotalMinor } = await selectRecord(call, id)
  const before = discount?.amountMinor ?? 0
  const taken =
    code === null ? null : await requireDiscount(call, { code, departureId, currency, path: 'discountCode' })
  const after = taken ? discountMinorOf(taken, listMinor + before) : 0
  await sql`
    update bookings set discount_code_id = ${taken?.id ?? null}, discount_code = ${taken?.code ?? null}, discount_minor = ${after},
      amount_total_minor = ${totalAtDiscountMinor(amountTotalMinor, before, after)}
    where org_id = ${call.orgId} and id = ${id}`.execute(call.tx)
}

/** @param isHere Whether the party stays on its departure; the move has dealt with the pickup otherwise. */
async function reviseDetails(call: MemberCall, id: string, wanted: Wanted, isHere: boolean): Promise<void> {
  const before = await selectBooking(call, id)
  if (wanted.channel !== undefined && wanted.channel !== before.channel) {
    await sql`update bookings set channel = ${wanted.channel} where org_id = ${call.orgId} and id = ${id}`.execute(
      call.tx,
    )
  }
  const current = detailsOf(before)
  const next: Details = {
    contact: or(wanted.contact, current.contact),
    sellerName: or(wanted.sellerName, current.sellerName),
    externalRef: or(wanted.externalRef, current.externalRef),
    pickupStopId: or(isHere ? wanted.pickupStopId : undefined, current.pickupStopId),
    notes: or(wanted.notes, current.notes),
    amountTotalMinor: or(wanted.amountTotalMinor, current.amountTotalMinor),
    priceReason: wanted.priceReason ?? current.priceReason,
    isOnAgentCredit: or(wanted.isOnAgentCredit, current.isOnAgentCredit),
  }
  if (isDeepStrictEqual(current, next)) return
  await updateDetails(call, await selectRecord(call, id), next, next.pickupStopId !== current.pickupStopId)
}

/** What is left out stays as it is. */
const or = <T>(wanted: T | undefined, current: T): T => (wanted === undefined ? current : wanted)

const detailsOf = (booking: Booking): Details => ({
  contact: booking.contact,
  sellerName: booking.sellerName,
  externalRef: booking.externalRef,
  pickupStopId: booking.pickupStopId,
  notes: booking.notes,
  amountTotalMinor: booking.amountTotalMinor,
  priceReason: booking.priceReason,
  isOnAgentCredit: booking.paymentStatus === 'agent_credit',
})
