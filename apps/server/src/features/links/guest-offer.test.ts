import { cancelBooking, extendHold, getBooking, offerBooking } from '@tour-ops/contract/bookings/bookings'
import type { In } from '@tour-ops/contract/callable'
import { departureHistory } from '@tour-ops/contract/departures/departures'
import { createLink } from '@tour-ops/contract/links/links'
import { answerOffer, getSharedPage } from '@tour-ops/contract/links/shared-page'
import { setGuestRule } from '@tour-ops/contract/notifications/guest-rules'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { seats } from '../../../testing/bookings.ts'
import { messagesOf, sentMails } from '../../../testing/guest-mail.ts'
import { guestOf } from '../../../testing/links.ts'
import { addDeparture, book, officeWithTour } from '../../../testing/operations.ts'
import { verbsOf } from '../../../testing/verbs.ts'
import { type TestCaller, testDatabase, type TestWorld } from '../../../testing/world.ts'
import { newId } from '../../platform/ids.ts'
import { allVerbs } from '../../verbs.ts'

let world: TestWorld
beforeAll(async () => {
  world = await testDatabase()
})
afterAll(() => world.close())

const verbOf = verbsOf(allVerbs)
const gone = { code: 'not-found', details: { reason: 'shared_link_over' } }
const over = { code: 'aborted', details: { reason: 'offer_over' } }

/** A full departure, with two parties of two that wait for seats; both have links. */
async function fullDeparture() {
  const { caller, clock, tourId } = await officeWithTour(world, new Date('2030-07-01T12:00:00Z'))
  const departureId = await addDeparture(caller, tourId, { capacity: 4 })
  const sold = await book(caller, departureId, 4)
  const waiting = async (locale: string, on = departureId) => {
    const email = `${newId()}@example.com`
    const contact = { name: 'Ines Vogel', email, locale }
    const booking = await book(caller, on, 4, { mode: 'waitlist', contact })
    return { id: booking.id, email, token: (await newLink(caller, booking.id)).token }
  }
  const first = await waiting('de')
  const second = await waiting('en')
  const waitingFor = async (localDate: string) => waiting('en', await addDeparture(caller, tourId, { localDate }))
  const asGuest = guestOf(world, clock)
  const offered = async (token: string) => (await asGuest(getSharedPage, { token })).offer
  const stateOf = async (id: string) => caller.call(verbOf(getBooking), { id })
  const freeSeats = () =>
    caller.call(verbOf(cancelBooking), { id: sold.id, version: sold.version, reason: 'guest_request', note: null })
  const mails = async ({ email }: { email: string }) => (await sentMails(world, clock)).filter(({ to }) => to === email)
  return { caller, clock, tourId, departureId, first, second, waitingFor, asGuest, offered, stateOf, freeSeats, mails }
}

const newLink = (caller: TestCaller, subjectId: string, scopes: In<typeof createLink>['scopes'] = { offer: true }) =>
  caller.call(verbOf(createLink), { kind: 'booking_guest', subjectId, label: 'For the party', scopes })

describe('a party that has waited', () => {
  test('reads of the seats by e-mail, and books them with one press on the link of the e-mail', async () => {
    const { caller, departureId, first, asGuest, offered, stateOf, freeSeats, mails, clock } = await fullDeparture()
    // while it waits, its page does not look like that of a booking
    expect(await asGuest(getSharedPage, { token: first.token })).toMatchObject({
      state: 'waiting',
      stops: [],
      crew: [],
      meeting: null,
      offer: null,
      bookingRef: null,
      departure: { vehicleName: null },
    })
    await freeSeats()
    const [mail, ...more] = await mails(first)
    expect(more).toEqual([])
    expect(mail).toMatchObject({ subject: '4 Plätze sind frei geworden: Golden Circle' })
    expect(mail?.body).toContain('Für Sie reserviert bis Dienstag, 2. Juli 2030 um 12:00 (Reykjavik)')
    expect(mail?.calendar).toBeUndefined()
    const token = mail?.body.match(/share\/([\w-]+)/)?.[1] ?? ''
    expect(await offered(token)).toEqual({
      seats: 4,
      until: '2030-07-02T12:00:00.000Z',
      amountMinor: 35_600,
      currency: 'EUR',
    })
    expect(await asGuest(getSharedPage, { token })).toMatchObject({ state: 'before', meeting: expect.anything() })
    expect(await asGuest(answerOffer, { token, take: true })).toEqual({ isBooked: true })
    expect(await stateOf(first.id)).toMatchObject({ status: 'confirmed', expiresAt: null })
    expect(await offered(token)).toBeNull()
    expect(await seats(caller, departureId)).toEqual({
      seatsConfirmed: 4,
      seatsHeld: 0,
      seatsLeft: 0,
      waitlistCount: 1,
    })
    await sentMails(world, clock)
    expect(await messagesOf(caller, first.id)).toEqual(['booking_confirmed sent', 'waitlist_offer sent'])
    const { rows } = await caller.call(verbOf(departureHistory), { id: departureId })
    expect(rows.some(({ action, actorKind }) => action === 'share-offer' && actorKind === 'guest_link')).toBe(true)
    await expect(asGuest(answerOffer, { token, take: false })).rejects.toMatchObject(over)
  })

  test('leaves them, and the next one is offered them in the same moment; their page shows nothing of the day any more', async () => {
    const { first, second, asGuest, offered, stateOf, freeSeats, mails } = await fullDeparture()
    await freeSeats()
    expect(await asGuest(answerOffer, { token: first.token, take: false })).toEqual({ isBooked: false })
    expect(await stateOf(first.id)).toMatchObject({ status: 'cancelled', cancelReason: 'guest_request' })
    expect(await asGuest(getSharedPage, { token: first.token })).toMatchObject({
      state: 'not_booked',
      stops: [],
      crew: [],
      meeting: null,
      offer: null,
    })
    expect(await offered(second.token)).toMatchObject({ seats: 4 })
    expect((await mails(second)).map(({ subject }) => subject)).toEqual(['4 seats have opened up: Golden Circle'])
  })

  test('who presses twice, or takes and leaves at once, gets one answer, and the seats go to one party', async () => {
    const { caller, departureId, first, asGuest, stateOf, freeSeats } = await fullDeparture()
    await freeSeats()
    const answers = await Promise.allSettled(
      [true, false, true].map((take) => asGuest(answerOffer, { token: first.token, take })),
    )
    expect(answers.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    for (const answer of answers) if (answer.status === 'rejected') expect(answer.reason).toMatchObject(over)
    const { status } = await stateOf(first.id)
    expect(['confirmed', 'cancelled']).toContain(status)
    const { seatsConfirmed, seatsHeld } = await seats(caller, departureId)
    expect(seatsConfirmed + seatsHeld).toBe(4)
  })

  test('is too late when the time is over: the seats are offered to the next one first', async () => {
    const { clock, first, second, asGuest, offered, freeSeats, mails, stateOf } = await fullDeparture()
    await freeSeats()
    clock.set(new Date('2030-07-02T12:00:00Z'))
    expect(await offered(first.token)).toBeNull()
    await expect(asGuest(answerOffer, { token: first.token, take: true })).rejects.toMatchObject(over)
    expect(await stateOf(second.id)).toMatchObject({ status: 'waitlisted' })
    // what was written and did not leave by then is not sent
    expect(await mails(first)).toEqual([])
  })

  test('is told as well when a person offers the seats, and has the time that it was given', async () => {
    const { caller, clock, waitingFor, offered, stateOf, mails, asGuest } = await fullDeparture()
    const party = await waitingFor('2030-07-20')
    const { version } = await stateOf(party.id)
    const held = await caller.call(verbOf(offerBooking), { id: party.id, version })
    expect((await mails(party)).map(({ subject }) => subject)).toEqual(['4 seats have opened up: Golden Circle'])
    await caller.call(verbOf(extendHold), { id: party.id, version: held.version, until: '2030-07-05T12:00:00Z' })
    clock.set(new Date('2030-07-04T12:00:00Z'))
    expect(await offered(party.token)).toMatchObject({ until: '2030-07-05T12:00:00.000Z' })
    expect(await asGuest(answerOffer, { token: party.token, take: true })).toEqual({ isBooked: true })
  })

  test('is not written to where the rule is off; the seats are held all the same', async () => {
    const { caller, first, freeSeats, mails, stateOf, offered } = await fullDeparture()
    await caller.call(verbOf(setGuestRule), { event: 'waitlist_offer', isOn: false })
    await freeSeats()
    expect(await mails(first)).toEqual([])
    expect(await stateOf(first.id)).toMatchObject({ status: 'on_hold' })
    expect(await offered(first.token)).not.toBeNull()
  })
})

test('nobody takes seats on a link without them, of a departure, or of what the office holds', async () => {
  const { caller, tourId, departureId, first, asGuest, offered, freeSeats } = await fullDeparture()
  const plain = await newLink(caller, first.id, {})
  await freeSeats()
  expect(await offered(plain.token)).toBeNull()
  await expect(asGuest(answerOffer, { token: plain.token, take: true })).rejects.toMatchObject(gone)
  const shared = await caller.call(verbOf(createLink), {
    kind: 'departure_guest',
    subjectId: departureId,
    label: 'For all',
    scopes: { offer: true },
  })
  await expect(asGuest(answerOffer, { token: shared.token, take: true })).rejects.toMatchObject(gone)

  const held = await book(caller, await addDeparture(caller, tourId, { localDate: '2030-07-21' }), 1, { mode: 'hold' })
  const { token } = await newLink(caller, held.id)
  expect(await offered(token)).toBeNull()
  await expect(asGuest(answerOffer, { token, take: true })).rejects.toMatchObject(over)
})
