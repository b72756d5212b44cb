import { getBooking, moveBookings } from '@tour-ops/contract/bookings/bookings'
import { answerProposal, listProposals, sendProposals } from '@tour-ops/contract/bookings/proposals'
import type { In } from '@tour-ops/contract/callable'
import { createLink, pauseLink, revokeLink } from '@tour-ops/contract/links/links'
import { answerSharedProposal, getSharedPage } from '@tour-ops/contract/links/shared-page'
import { setGuestRule } from '@tour-ops/contract/notifications/guest-rules'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { seats } from '../../../testing/bookings.ts'
import { afterAWhile, sentMails } from '../../../testing/guest-mail.ts'
import { guestOf } from '../../../testing/links.ts'
import { addDeparture, addPlace, book, officeWithTour, publishedTour, setStatus } from '../../../testing/operations.ts'
import { verbsOf } from '../../../testing/verbs.ts'
import { requestMeta, testDatabase, type TestCaller, type TestWorld } from '../../../testing/world.ts'
import { newId } from '../../platform/ids.ts'
import { execute } from '../../platform/verb.ts'
import { allVerbs } from '../../verbs.ts'
import { sweepExpiredHolds } from './sweep-holds.ts'

let world: TestWorld
beforeAll(async () => {
  world = await testDatabase()
})
afterAll(() => world.close())

const verbOf = verbsOf(allVerbs)
const over = { code: 'aborted', details: { reason: 'proposal_over' } }
const gone = { code: 'not-found', details: { reason: 'shared_link_over' } }
const start = new Date('2030-07-10T12:00:00Z')

/** A departure of 14 July that was cancelled with parties of two, and another one the day after with so many seats. */
async function cancelledDeparture({ parties = 1, seatsThere = 6 }: { parties?: number; seatsThere?: number } = {}) {
  const { caller, clock, tourId } = await officeWithTour(world, start)
  const departureId = await addDeparture(caller, tourId)
  const nextDay = await addDeparture(caller, tourId, { localDate: '2030-07-15', capacity: seatsThere })
  const booked: { id: string; email: string; token: string }[] = []
  for (let index = 0; index < parties; index++) {
    const email = `${newId()}@example.com`
    const { id } = await book(caller, departureId, 2, {
      contact: { name: `Party ${index}`, email, phone: '+354 555 0100', locale: index % 2 === 0 ? 'de' : 'en' },
    })
    booked.push({ id, email, token: await newLink(caller, id) })
  }
  await afterAWhile(caller)
  await sentMails(world, clock)
  await setStatus(caller, departureId, { to: 'cancelled', cancelReason: 'weather' })
  const stateOf = (id: string) => caller.call(verbOf(getBooking), { id })
  const list = () => caller.call(verbOf(listProposals), { departureId })
  const send = async (to: string | null, more: Partial<In<typeof sendProposals>> = {}) => {
    const { parties: all } = await list()
    return caller.call(verbOf(sendProposals), {
      departureId,
      parties: all
        .filter(({ state }) => state !== 'moved')
        .map(({ id, version }) => ({ id, version, toDepartureId: to })),
      ...more,
    })
  }
  const asGuest = guestOf(world, clock)
  const answer = (token: string, said: 'accept' | 'other' | 'refund', toDepartureId: string | null = null) =>
    asGuest(answerSharedProposal, { token, answer: said, toDepartureId })
  const states = async () => (await list()).parties.map(({ state }) => state)
  const [first] = booked
  if (!first) throw new Error('A party is booked')
  return { caller, clock, tourId, departureId, nextDay, booked, first, stateOf, list, send, asGuest, answer, states }
}

const newLink = async (
  caller: TestCaller,
  subjectId: string,
  scopes: In<typeof createLink>['scopes'] = { offer: true },
): Promise<string> =>
  (await caller.call(verbOf(createLink), { kind: 'booking_guest', subjectId, label: 'For the party', scopes })).token

describe('the parties of a cancelled departure', () => {
  test('are listed with departures that have seats: of the tour the nearest days first, then of other tours on the day', async () => {
    const { caller, tourId, departureId, nextDay, list } = await cancelledDeparture()
    const dayBefore = await addDeparture(caller, tourId, { localDate: '2030-07-12' })
    const other = await publishedTour(caller, { name: 'South Coast' })
    const sameDay = await addDeparture(caller, other.tourId)
    await addDeparture(caller, other.tourId, { localDate: '2030-07-15' })
    const full = await addDeparture(caller, tourId, { localDate: '2030-07-13', capacity: 1 })
    await book(caller, full, 1)
    const { parties, alternatives } = await list()
    expect(alternatives.map((one) => one.departureId)).toEqual([nextDay, dayBefore, sameDay])
    expect(parties).toMatchObject([
      { state: 'unasked', pax: 2, proposal: null, amountsThere: [{ departureId: sameDay, amountMinor: 17_800 }] },
    ])
    expect(alternatives.some((one) => one.departureId === departureId)).toBe(false)
  })

  test('are asked by e-mail in their language, with the seats held for them, and accept on their link', async () => {
    const { caller, clock, nextDay, first, send, answer, asGuest, stateOf, states } = await cancelledDeparture()
    expect(await send(nextDay)).toEqual({ asked: 1 })
    expect(await seats(caller, nextDay)).toMatchObject({ seatsConfirmed: 0, seatsHeld: 2, seatsLeft: 4 })
    const [mail, ...more] = await sentMails(world, clock)
    expect(more).toEqual([])
    expect(mail).toMatchObject({ to: first.email, subject: 'Ihre Tour fällt aus: Golden Circle' })
    expect(mail?.body).toContain('Unser Vorschlag: Golden Circle, Montag, 15. Juli 2030 um 09:00 (Reykjavik)')
    expect(mail?.body).toContain('Bitte antworten Sie bis Donnerstag, 11. Juli 2030 um 12:00 (Reykjavik)')
    const token = mail?.body.match(/share\/([\w-]+)/)?.[1] ?? ''
    expect(await asGuest(getSharedPage, { token })).toMatchObject({
      state: 'cancelled',
      proposal: {
        seats: 2,
        until: '2030-07-11T12:00:00.000Z',
        proposed: { departureId: nextDay, amountMinor: 17_800 },
      },
    })
    expect(await answer(token, 'accept')).toEqual({ isMoved: true })
    expect(await stateOf(first.id)).toMatchObject({ departureId: nextDay, status: 'confirmed' })
    expect(await seats(caller, nextDay)).toMatchObject({ seatsConfirmed: 2, seatsHeld: 0 })
    expect(await asGuest(getSharedPage, { token })).toMatchObject({ state: 'before', proposal: null })
    expect(await states()).toEqual(['moved'])
    await expect(answer(token, 'refund')).rejects.toMatchObject(over)
    clock.set(new Date('2030-07-10T12:10:00Z'))
    expect((await sentMails(world, clock)).map(({ subject }) => subject)).toEqual([
      'Ihre Buchung hat sich geändert: Golden Circle',
    ])
  })

  test('choose another departure with seats instead; what was held goes to who waits for it', async () => {
    const { caller, tourId, nextDay, first, send, answer, asGuest, stateOf } = await cancelledDeparture({
      seatsThere: 2,
    })
    const later = await addDeparture(caller, tourId, { localDate: '2030-07-17' })
    await send(nextDay)
    const waiting = await book(caller, nextDay, 2, { mode: 'waitlist' })
    const { proposal } = await asGuest(getSharedPage, { token: first.token })
    expect(proposal?.others.map(({ departureId }) => departureId)).toEqual([later])
    expect(await answer(first.token, 'other', later)).toEqual({ isMoved: true })
    expect(await stateOf(first.id)).toMatchObject({ departureId: later })
    expect(await stateOf(waiting.id)).toMatchObject({ status: 'on_hold' })
  })

  test('choose the refund: the booking is cancelled without a fee', async () => {
    const { caller, nextDay, first, send, answer, stateOf, states } = await cancelledDeparture()
    await send(nextDay)
    expect(await answer(first.token, 'refund')).toEqual({ isMoved: false })
    expect(await stateOf(first.id)).toMatchObject({
      status: 'cancelled',
      cancelReason: 'departure_cancelled',
      cancellationFeeMinor: 0,
    })
    expect(await seats(caller, nextDay)).toMatchObject({ seatsHeld: 0 })
    expect(await states()).toEqual(['refunded'])
  })

  test('are proposed the refund, accept it, or choose a departure all the same', async () => {
    const { nextDay, booked, send, answer, states } = await cancelledDeparture({ parties: 2 })
    await send(null)
    await answer(booked[0]?.token ?? '', 'accept')
    await answer(booked[1]?.token ?? '', 'other', nextDay)
    expect(await states()).toEqual(['refunded', 'moved'])
  })

  test('pay on another tour what their seats cost there, where the office says so', async () => {
    const { caller, first, send, answer, stateOf, asGuest } = await cancelledDeparture()
    const dear = await publishedTour(caller, {
      name: 'Glacier walk',
      content: {
        stops: [
          { dayIndex: 1, order: 1, placeId: await addPlace(caller), kind: 'start', offsetMin: 0 },
          { dayIndex: 1, order: 2, placeId: await addPlace(caller), kind: 'end', offsetMin: 480 },
        ],
        units: [{ unitType: 'adult', priceMinor: 12_900, currency: 'EUR' }],
      },
    })
    const there = await addDeparture(caller, dear.tourId)
    await send(there, { atPriceThere: true })
    const { proposal } = await asGuest(getSharedPage, { token: first.token })
    expect(proposal).toMatchObject({ proposed: { amountMinor: 25_800 }, amountMinor: 17_800 })
    await answer(first.token, 'accept')
    expect(await stateOf(first.id)).toMatchObject({ departureId: there, amountTotalMinor: 25_800 })
  })
})

describe('the seats of a proposal', () => {
  test('are sold to nobody else, and free again when its time is over', async () => {
    const { caller, clock, nextDay, first, send, states, stateOf, answer } = await cancelledDeparture({ seatsThere: 2 })
    await send(nextDay, { hours: 4 })
    await expect(book(caller, nextDay, 1)).rejects.toMatchObject({ details: { reason: 'seats_exhausted' } })
    clock.set(new Date('2030-07-10T16:00:00Z'))
    expect(await states()).toEqual(['expired'])
    await expect(answer(first.token, 'accept')).rejects.toMatchObject(over)
    await sweepExpiredHolds({ ...world.services, clock })
    expect(await seats(caller, nextDay)).toMatchObject({ seatsHeld: 0 })
    expect(await stateOf(first.id)).toMatchObject({ status: 'confirmed' })
    await book(caller, nextDay, 2)
  })

  test('are free when the office moves or cancels the party otherwise, and when the departure is cancelled', async () => {
    const { caller, nextDay, first, send, states, stateOf } = await cancelledDeparture({ seatsThere: 2 })
    await send(nextDay)
    const { version } = await stateOf(first.id)
    // the seats that are held for it are its own
    await caller.call(verbOf(moveBookings), { parties: [{ id: first.id, version }], toDepartureId: nextDay })
    expect(await seats(caller, nextDay)).toMatchObject({ seatsConfirmed: 2, seatsHeld: 0 })
    expect(await states()).toEqual(['settled'])
    const again = await cancelledDeparture()
    await again.send(again.nextDay)
    await setStatus(again.caller, again.nextDay, { to: 'cancelled', cancelReason: 'weather' })
    expect(await again.states()).toEqual(['unasked'])
  })

  test('are given for all parties or none', async () => {
    const { caller, nextDay, send, states } = await cancelledDeparture({ parties: 3, seatsThere: 4 })
    await expect(send(nextDay)).rejects.toMatchObject({
      details: { reason: 'seats_exhausted', seatsLeft: 4, asked: 6 },
    })
    expect(await states()).toEqual(['unasked', 'unasked', 'unasked'])
    expect(await seats(caller, nextDay)).toMatchObject({ seatsHeld: 0 })
  })

  test('are released by what is proposed next', async () => {
    const { caller, tourId, nextDay, send, answer, first } = await cancelledDeparture({ seatsThere: 2 })
    await send(nextDay)
    await send(nextDay)
    expect(await seats(caller, nextDay)).toMatchObject({ seatsHeld: 2, seatsLeft: 0 })
    const later = await addDeparture(caller, tourId, { localDate: '2030-07-16' })
    await send(later)
    expect(await seats(caller, nextDay)).toMatchObject({ seatsHeld: 0, seatsLeft: 2 })
    expect(await answer(first.token, 'accept')).toEqual({ isMoved: true })
  })

  test('never more than one open proposal, and only for a confirmed party of a cancelled departure: the schema says so', async () => {
    const { caller, departureId, nextDay, first, send } = await cancelledDeparture()
    await send(nextDay)
    const insert = (bookingId: string, from: string) =>
      caller.transaction((tx) =>
        sql`insert into proposals (org_id, id, booking_id, from_departure_id, seats, expires_at)
          values (${caller.orgId}, ${newId()}, ${bookingId}, ${from}, 2, app_now() + interval '1 hour')`.execute(tx),
      )
    await expect(insert(first.id, departureId)).rejects.toThrow(/proposals_open_once/)
    const running = await book(caller, nextDay, 2)
    await expect(insert(running.id, nextDay)).rejects.toThrow(/confirmed parties/)
  })
})

describe('who answers at once', () => {
  const settled = (results: PromiseSettledResult<unknown>[]) => {
    for (const result of results) if (result.status === 'rejected') expect(result.reason).toMatchObject(over)
    return results.filter(({ status }) => status === 'fulfilled').length
  }

  test('two phones of a party, and the office, get one answer', async () => {
    const { caller, nextDay, first, send, answer, list, states } = await cancelledDeparture()
    await send(nextDay)
    const [party] = (await list()).parties
    const asOffice = caller.call(verbOf(answerProposal), {
      id: party?.proposal?.id ?? '',
      answer: 'refund',
      toDepartureId: null,
    })
    const results = await Promise.allSettled([answer(first.token, 'accept'), asOffice, answer(first.token, 'refund')])
    expect(settled(results)).toBe(1)
    expect(['moved', 'refunded']).toContain((await states())[0])
    const { seatsConfirmed, seatsHeld } = await seats(caller, nextDay)
    expect([0, 2]).toContain(seatsConfirmed)
    expect(seatsHeld).toBe(0)
  })

  test('parties that want the last seats elsewhere: one gets them, the other learns it and still has its answer', async () => {
    const { caller, tourId, nextDay, booked, send, answer, states } = await cancelledDeparture({ parties: 3 })
    const last = await addDeparture(caller, tourId, { localDate: '2030-07-18', capacity: 2 })
    await send(nextDay)
    const results = await Promise.allSettled(booked.map(({ token }) => answer(token, 'other', last)))
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    for (const result of results) {
      if (result.status === 'rejected') expect(result.reason).toMatchObject({ code: 'invalid-argument' })
    }
    expect((await states()).toSorted()).toEqual(['moved', 'open', 'open'])
    expect(await seats(caller, last)).toMatchObject({ seatsConfirmed: 2, seatsLeft: 0 })
    expect(await seats(caller, nextDay)).toMatchObject({ seatsHeld: 4 })
  })

  test('as the sweep comes: the guest is moved or is too late, and seats are never sold twice', async () => {
    const { caller, clock, nextDay, booked, send, answer, states } = await cancelledDeparture({
      parties: 3,
      seatsThere: 6,
    })
    await send(nextDay, { hours: 4 })
    clock.set(new Date('2030-07-10T15:59:59Z'))
    const answers = booked.map(({ token }) => answer(token, 'accept'))
    clock.set(new Date('2030-07-10T16:00:00Z'))
    const sales = [book(caller, nextDay, 4), book(caller, nextDay, 4)]
    const sweep = sweepExpiredHolds({ ...world.services, clock })
    const [results] = await Promise.all([Promise.allSettled(answers), Promise.allSettled(sales), sweep])
    settled(results)
    const { seatsConfirmed, seatsHeld } = await seats(caller, nextDay)
    expect(seatsConfirmed + seatsHeld).toBeLessThanOrEqual(6)
    expect((await states()).filter((state) => state === 'open')).toEqual([])
  })
})

test('nobody answers on a link without offers, of a departure, paused or revoked, nor a member who looks at it', async () => {
  const { caller, clock, departureId, nextDay, first, send, answer, asGuest, states } = await cancelledDeparture()
  await send(nextDay)
  const plain = await newLink(caller, first.id, {})
  expect(await asGuest(getSharedPage, { token: plain })).toMatchObject({ proposal: null })
  await expect(answer(plain, 'accept')).rejects.toMatchObject(gone)
  const shared = await caller.call(verbOf(createLink), {
    kind: 'departure_guest',
    subjectId: departureId,
    label: 'For all',
    scopes: { offer: true },
  })
  await expect(answer(shared.token, 'accept')).rejects.toMatchObject(gone)
  await expect(
    execute({ ...world.services, clock }, requestMeta(), caller.caller, verbOf(answerSharedProposal), {
      token: first.token,
      answer: 'accept',
    }),
  ).rejects.toMatchObject({ code: 'aborted', details: { reason: 'preview_only' } })
  const made = await caller.call(verbOf(createLink), {
    kind: 'booking_guest',
    subjectId: first.id,
    label: 'Paused',
    scopes: { offer: true },
  })
  await caller.call(verbOf(pauseLink), { id: made.id, version: made.version, paused: true })
  await expect(answer(made.token, 'accept')).rejects.toMatchObject(gone)
  expect(await states()).toEqual(['open'])
  const other = await newLink(caller, first.id)
  await caller.call(verbOf(revokeLink), { ids: [made.id] })
  await expect(answer(made.token, 'accept')).rejects.toMatchObject(gone)
  expect(await answer(other, 'accept')).toEqual({ isMoved: true })
})

test('a party is offered only departures of its tour with seats, and no other organization’s', async () => {
  const { caller, first, nextDay, send, answer, list } = await cancelledDeparture()
  await send(nextDay)
  const otherTour = await publishedTour(caller, { name: 'South Coast' })
  const elsewhere = await cancelledDeparture()
  for (const id of [await addDeparture(caller, otherTour.tourId), elsewhere.nextDay, newId()]) {
    await expect(answer(first.token, 'other', id)).rejects.toMatchObject({ code: 'invalid-argument' })
  }
  await expect(
    elsewhere.caller.call(verbOf(answerProposal), {
      id: (await list()).parties[0]?.proposal?.id ?? '',
      answer: 'refund',
    }),
  ).rejects.toMatchObject({ code: 'not-found' })
})

test('nothing is sent where the rule is off, or the office leaves it out; the seats are held all the same', async () => {
  const { caller, clock, nextDay, send } = await cancelledDeparture()
  await send(nextDay, { tellGuests: false })
  await caller.call(verbOf(setGuestRule), { event: 'rebooking_offer', isOn: false })
  await send(nextDay)
  expect(await sentMails(world, clock)).toEqual([])
  expect(await seats(caller, nextDay)).toMatchObject({ seatsHeld: 2 })
})

test('nothing is proposed on a departure that runs, nor by who only looks', async () => {
  const { caller, nextDay, first, stateOf, departureId } = await cancelledDeparture()
  const running = await book(caller, nextDay, 2)
  const { version } = await stateOf(first.id)
  await expect(
    caller.call(verbOf(sendProposals), {
      departureId: nextDay,
      parties: [{ id: running.id, version: running.version, toDepartureId: null }],
    }),
  ).rejects.toMatchObject({ details: { reason: 'departure_not_cancelled' } })
  const viewer = await world.as('viewer', { orgId: caller.orgId })
  await expect(
    viewer.call(verbOf(sendProposals), { departureId, parties: [{ id: first.id, version, toDepartureId: null }] }),
  ).rejects.toMatchObject({ code: 'permission-denied' })
})
