import type { Booking } from '@tour-ops/contract/bookings/bookings'
import { expect, test } from 'vitest'
import { partyOf } from './booking-choice.ts'
import { seatedParty } from './party-ages.ts'
import { changesOf, choicesOf, quantitiesIn, rebased, type EditChoices } from './booking-edit.ts'

const guest = (travelerId: string, name: string, change: Partial<Booking['guests'][number]> = {}) => ({
  entryId: `entry ${travelerId}`,
  travelerId,
  name,
  unitType: 'adult' as const,
  status: 'expected' as const,
  dietary: [],
  tripDietary: null,
  tripMobility: null,
  mobility: 'none' as const,
  note: null,
  childSeat: false,
  confirmedAt: null,
  isChangedSince: false,
  ...change,
})

const booking: Booking = {
  id: 'b1',
  version: 3,
  bookingRef: 'TO-1234',
  departureId: 'd1',
  departureCode: 'GC-1',
  tourName: 'Golden Circle',
  startsAt: '2030-07-14T09:00:00Z',
  timeZone: 'Atlantic/Reykjavik',
  localDate: '2030-07-14',
  startTimeLocal: '09:00',
  departureStatus: 'scheduled',
  status: 'confirmed',
  kind: 'seat_in_coach',
  channel: 'phone',
  sellerName: 'North Travel',
  externalRef: null,
  contact: { name: 'Ana Ruiz', email: 'ana@example.org', phone: null, locale: 'es', country: 'ES' },
  units: [{ unitType: 'adult', quantity: 2 }],
  pax: 2,
  amountTotalMinor: 17_800,
  priceReason: null,
  discount: null,
  amountPaidMinor: 0,
  cancellationFeeMinor: 0,
  cancellationFeeReason: null,
  currency: 'EUR',
  paymentStatus: 'unpaid',
  pickupStopId: 's1',
  pickupPlaceName: 'BSÍ',
  pickupAt: '2030-07-14T08:30:00Z',
  notes: 'Quiet',
  expiresAt: null,
  waitlistRank: null,
  createdAt: '2030-07-01T12:00:00Z',
  confirmedAt: '2030-07-01T12:00:00Z',
  cancelledAt: null,
  cancelReason: null,
  unreadMessages: 0,
  guests: [
    guest('t1', 'Ana Ruiz', {
      dietary: ['nut_allergy', 'vegan'],
      tripDietary: 'vegan',
      mobility: 'cane',
      note: 'Window',
    }),
    guest('t2', 'Bo Lind', { status: 'checked_in' }),
    guest('t3', 'Who left', { status: 'cancelled' }),
  ],
  nextStatuses: ['cancelled'],
}

const price = (unitType: 'adult' | 'child', priceMinor: number) => ({
  unitType,
  priceMinor,
  currency: 'EUR',
  paxCount: 1,
  minAge: null,
  maxAge: null,
  requiresAdult: unitType === 'child',
})
const prices = [price('adult', 8900), price('child', 4500)]

/** What would be sent after some choices, on the departure of the booking unless another is shown. */
function sent(change: Partial<EditChoices>, shown: { departureId?: string; pickupStopId?: string | null } = {}) {
  const choices = { ...choicesOf(booking), ...change }
  const party = partyOf(quantitiesIn(booking, choices), prices)
  return changesOf(booking, choices, {
    departureId: 'd1',
    pickupStopId: 's1',
    party,
    lines: seatedParty({ caller: null, companions: choices.companions }, party, prices, new Map()).lines,
    prices,
    computedMinor: party.totalMinor,
    ...shown,
  })
}

const [ana, bo] = choicesOf(booking).companions
if (!ana || !bo) throw new Error('two guests are on the booking')

test('the screen is filled with what a booking has: contact, guests on the manifest, seller and notes', () => {
  expect(choicesOf(booking)).toMatchObject({
    contact: { name: 'Ana Ruiz', phone: '', email: 'ana@example.org' },
    language: 'es',
    channel: 'phone',
    notes: 'Quiet',
    sellerName: 'North Travel',
    externalRef: '',
    isOnAgentCredit: false,
    totalMinor: null,
  })
  expect(choicesOf(booking).companions).toMatchObject([
    {
      name: 'Ana Ruiz',
      note: 'Window',
      diet: 'vegan',
      mobility: null,
      flags: ['nut_allergy', 'cane'],
      placeOf: 't1',
      isBound: false,
    },
    { name: 'Bo Lind', placeOf: 't2', isBound: true },
  ])
  expect(quantitiesIn(booking, choicesOf(booking))).toEqual({ adult: 2 })
})

test('nothing is sent of a booking that was left alone', () => {
  expect(sent({})).toEqual({})
})

test('only what differs is sent', () => {
  expect(sent({ notes: ' Birthday ' })).toEqual({ notes: 'Birthday' })
  expect(sent({ notes: '' })).toEqual({ notes: null })
  expect(sent({ language: 'de' })).toEqual({ contact: { ...booking.contact, locale: 'de' } })
  expect(sent({ quantities: { adult: 2, child: 1 } })).toMatchObject({
    units: [
      { unitType: 'adult', quantity: 2 },
      { unitType: 'child', quantity: 1 },
    ],
  })
  expect(sent({ totalMinor: 10_000, priceReason: 'Loyal' })).toEqual({ amountTotalMinor: 10_000, priceReason: 'Loyal' })
  expect(sent({ channel: 'agent', discountCode: 'SUMMER' })).toEqual({ channel: 'agent', discountCode: 'SUMMER' })
  expect(sent({}, { pickupStopId: null })).toEqual({ pickupStopId: null })
})

test('a party that moves says where it is picked up there', () => {
  expect(sent({ atPriceThere: true }, { departureId: 'd2', pickupStopId: 's9' })).toEqual({
    departureId: 'd2',
    atPriceThere: true,
    pickupStopId: 's9',
  })
  expect(sent({ atPriceThere: true })).toEqual({})
})

test('who comes instead of somebody has their place; who keeps a line keeps their age', () => {
  const changes = sent({
    companions: [
      { ...ana, note: 'Aisle' },
      { ...bo, travelerId: null, name: 'Nils Lind' },
    ],
  })
  expect(changes).toEqual({
    guests: [
      {
        travelerId: 't1',
        tripDietary: 'vegan',
        tripMobility: null,
        note: 'Aisle',
        childSeat: false,
        unitType: 'adult',
      },
      {
        firstName: 'Nils',
        lastName: 'Lind',
        dietary: [],
        mobility: 'none',
        note: null,
        childSeat: false,
        unitType: 'adult',
      },
    ],
    swaps: [{ leaving: 't2', guest: 1 }],
  })
})

test('an age that was typed or emptied is sent, one that was left alone is not', () => {
  const ages = (age: number | null | undefined) =>
    sent({ companions: [{ ...ana, age, note: 'Aisle' }, bo] }).guests?.map((guest) => guest.age)
  expect([ages(9), ages(null), ages(undefined)]).toEqual([
    [9, undefined],
    [null, undefined],
    [undefined, undefined],
  ])
})

test('two guests who change lines take nobody’s place', () => {
  const changes = sent({
    companions: [
      { ...ana, travelerId: 't2', name: 'Bo Lind' },
      { ...bo, travelerId: 't1', name: 'Ana Ruiz' },
    ],
  })
  expect(changes).not.toHaveProperty('swaps')
})

test('guests follow the kinds of seats that are left', () => {
  expect(sent({ quantities: { adult: 1, child: 1 }, companions: [ana, { ...bo, unitType: 'child' }] })).toMatchObject({
    guests: [
      { travelerId: 't1', unitType: 'adult' },
      { travelerId: 't2', unitType: 'child' },
    ],
  })
})

test('what somebody else has changed is taken over, and what was typed stays', () => {
  const before = choicesOf(booking)
  const after = choicesOf({ ...booking, version: 4, notes: 'Theirs', sellerName: 'South Travel' })
  const typed = { ...before, notes: 'Mine' }
  expect(rebased(typed, before, after)).toEqual({ ...after, notes: 'Mine' })
})
