import { getAvailability } from '@tour-ops/contract/bookings/availability'
import { cancelBooking, confirmBooking, getBooking, updateBooking } from '@tour-ops/contract/bookings/bookings'
import type { In } from '@tour-ops/contract/callable'
import { getDeparture } from '@tour-ops/contract/departures/departures'
import { revokeLink } from '@tour-ops/contract/links/links'
import { getSharedPage } from '@tour-ops/contract/links/shared-page'
import { previewRuleText } from '@tour-ops/contract/notifications/guest-rule-texts'
import { type GuestEvent, listGuestRules, setGuestRule } from '@tour-ops/contract/notifications/guest-rules'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { move } from '../../../testing/bookings.ts'
import { afterAWhile, failToSend, messagesOf, sentMails, withoutQuietHours } from '../../../testing/guest-mail.ts'
import { addDeparture, book, coreVerbOf, officeWithTour, publishedTour } from '../../../testing/operations.ts'
import { verbsOf } from '../../../testing/verbs.ts'
import { guestOf } from '../../../testing/links.ts'
import { type TestCaller, testDatabase, type TestWorld } from '../../../testing/world.ts'
import type { Mail } from '../../platform/channels/mail-transport.ts'
import { tellGuest } from '../../platform/operations/tell-guests.ts'
import { linksVerbs } from '../links/verbs.ts'
import { guestRuleVerbs } from './guest-rules-service.ts'

let world: TestWorld
beforeAll(async () => {
  world = await testDatabase()
})
afterAll(() => world.close())

const verbOf = verbsOf([...guestRuleVerbs, ...linksVerbs])
const ana = { name: 'Ana López', email: 'ana@example.com', locale: 'es-MX' }
const dayMs = 86_400_000
const inDays = (days: number): string => new Date(Date.now() + days * dayMs).toISOString().slice(0, 10)

/** Somebody who sells, and two departures of a tour, in a week and a day later. */
async function desk() {
  const caller = await world.as('operations_manager')
  await withoutQuietHours(caller)
  const { tourId } = await publishedTour(caller)
  const departureId = await addDeparture(caller, tourId, { localDate: inDays(7) })
  const laterId = await addDeparture(caller, tourId, { localDate: inDays(8) })
  return { caller, departureId, laterId }
}

const sent = (): Promise<Mail[]> => sentMails(world)

const tokenIn = (mail: Mail | undefined): string => /\/share\/(\S+)/.exec(mail?.body ?? '')?.[1] ?? ''
const open = (token: string) => guestOf(world, world.services.clock)(getSharedPage, { token })

describe('a booking that is confirmed', () => {
  test('is told in the language of its contact, with what is due, where to be, the guest’s page and a calendar file', async () => {
    const { caller, departureId } = await desk()
    const { id, bookingRef } = await book(caller, departureId, 2, { contact: ana })
    expect(await messagesOf(caller, id)).toEqual(['booking_confirmed queued'])
    const [mail, ...more] = await sent()
    expect(more).toEqual([])
    expect(mail).toMatchObject({ to: 'ana@example.com', subject: 'Su reserva está confirmada: Golden Circle' })
    expect(mail?.body).toContain('Hola, Ana López:')
    expect(mail?.body).toContain('Sus 2 plazas están reservadas: Golden Circle')
    expect(mail?.body).toContain('Punto de encuentro: BSÍ terminal, 9:00 (Reykjavik)')
    expect(mail?.body).toMatch(/Pendiente de pago: 178,00\sEUR/)
    expect(mail?.body).toContain(`Su localizador: ${bookingRef}`)
    const day = inDays(7).replaceAll('-', '')
    expect(mail?.calendar).toContain(`DTSTART:${day}T090000Z`)
    expect(mail?.calendar).toContain(`UID:${id}`)
    expect(await open(tokenIn(mail))).toMatchObject({ kind: 'booking_guest', bookingRef, language: 'es' })
    expect(await messagesOf(caller, id)).toEqual(['booking_confirmed sent'])
  })

  test('opens the guest’s page by an address that is stored nowhere', async () => {
    const { caller, departureId } = await desk()
    await book(caller, departureId, 1, { contact: ana })
    const [mail] = await sent()
    const token = tokenIn(mail)
    expect(token).not.toBe('')
    const stored = await world.rows<{ body: string }>(
      'select d.body from deliveries d union all select m.body from messages m union all select a.diff::text from audit_entries a',
    )
    expect(stored.filter(({ body }) => body?.includes(token))).toEqual([])
  })

  test('is told at the address that was corrected before the e-mail left', async () => {
    const { caller, departureId } = await desk()
    const { id } = await book(caller, departureId, 1, { contact: ana })
    await caller.transaction((tx) =>
      sql`update bookings set contact_email = 'ana.lopez@example.com' where id = ${id}`.execute(tx),
    )
    expect(await sent()).toMatchObject([{ to: 'ana.lopez@example.com' }])
  })

  test('was held before: told when it is confirmed, and once', async () => {
    const { caller, departureId } = await desk()
    const held = await book(caller, departureId, 1, { contact: ana, mode: 'hold' })
    expect(await messagesOf(caller, held.id)).toEqual([])
    await caller.call(coreVerbOf(confirmBooking), { id: held.id, version: held.version })
    await caller.transaction((tx) =>
      tellGuest({ tx, orgId: caller.orgId, channels: world.services.channels }, 'booking_confirmed', held.id, true),
    )
    expect(await messagesOf(caller, held.id)).toEqual(['booking_confirmed queued'])
    expect(await sent()).toHaveLength(1)
  })

  test('tells nobody without an address, or where the seller said so', async () => {
    const { caller, departureId } = await desk()
    const bookings = [
      await book(caller, departureId, 1),
      await book(caller, departureId, 1, { contact: ana, tellGuest: false }),
    ]
    for (const { id } of bookings) expect(await messagesOf(caller, id)).toEqual([])
    expect(await sent()).toEqual([])
  })
})

describe('a booking that is moved', () => {
  test('is told a few minutes later where it is now, on the same page', async () => {
    const { caller, departureId, laterId } = await desk()
    const booking = await book(caller, departureId, 1, { contact: { ...ana, locale: 'de' } })
    const token = tokenIn((await sent())[0])
    await move(caller, [booking], laterId)
    expect(await sent()).toEqual([])
    expect(await messagesOf(caller, booking.id)).toEqual(['booking_changed queued', 'booking_confirmed sent'])
    await afterAWhile(caller)
    const [mail] = await sent()
    expect(mail?.subject).toBe('Ihre Buchung hat sich geändert: Golden Circle')
    expect(mail?.calendar).toContain(`DTSTART:${inDays(8).replaceAll('-', '')}T090000Z`)
    expect((await open(token)).departure.localDate).toBe(inDays(8))
    expect((await open(tokenIn(mail))).departure.localDate).toBe(inDays(8))
  })

  test('and back before that, tells nobody; after it, both', async () => {
    const { caller, departureId, laterId } = await desk()
    const booking = await book(caller, departureId, 1, { contact: ana })
    await sent()
    const { parties } = await move(caller, [booking], laterId)
    const back = await move(caller, parties, departureId)
    expect(await messagesOf(caller, booking.id)).toEqual(['booking_changed suppressed', 'booking_confirmed sent'])
    await afterAWhile(caller)
    expect(await sent()).toEqual([])
    const again = await move(caller, back.parties, laterId)
    await afterAWhile(caller)
    expect(await sent()).toHaveLength(1)
    await move(caller, again.parties, departureId)
    await afterAWhile(caller)
    expect(await sent()).toHaveLength(1)
  })
})

describe('a booking whose guest was never told', () => {
  test('tells nothing of what does not concern them, and of a move that is undone neither', async () => {
    const { caller, departureId, laterId } = await desk()
    const booking = await book(caller, departureId, 1, { contact: ana, tellGuest: false })
    const edited = await edit(caller, booking.id, { notes: 'Window seat' })
    expect(await messagesOf(caller, booking.id)).toEqual([])
    const { parties } = await move(caller, [edited], laterId)
    await move(caller, parties, departureId)
    expect(await messagesOf(caller, booking.id)).toEqual(['booking_changed suppressed'])
  })

  test('is told of another pickup, in the language of the office where none was booked', async () => {
    const { caller, departureId } = await desk()
    await caller.transaction((tx) => sql`update org_settings set locale = 'de'`.execute(tx))
    const booking = await book(caller, departureId, 1, { contact: { ...ana, locale: null }, tellGuest: false })
    const { days } = await caller.call(coreVerbOf(getAvailability), {
      tourId: await tourOf(caller, departureId),
      from: inDays(7),
    })
    const pickup = days[0]?.departures[0]?.pickups.find(({ placeName }) => placeName === 'City Hall')
    await edit(caller, booking.id, { pickupStopId: pickup?.stopId ?? null })
    await afterAWhile(caller)
    expect((await sent())[0]?.body).toContain('Abholung: City Hall, 08:20 (Reykjavik)')
  })

  const tourOf = async (caller: TestCaller, id: string) => (await caller.call(coreVerbOf(getDeparture), { id })).tourId
})

/** Changes what the form of a booking has; everything else stays. */
async function edit(caller: TestCaller, id: string, to: Partial<In<typeof updateBooking>>) {
  const { version, contact, sellerName, externalRef, pickupStopId, notes, amountTotalMinor } = await caller.call(
    coreVerbOf(getBooking),
    { id },
  )
  const form = { id, version, contact, sellerName, externalRef, pickupStopId, notes, amountTotalMinor }
  return caller.call(coreVerbOf(updateBooking), { ...form, ...to })
}

describe('an e-mail that is no longer true', () => {
  test('about a move is not sent when the booking is cancelled without a word', async () => {
    const { caller, departureId, laterId } = await desk()
    const booking = await book(caller, departureId, 1, { contact: ana })
    await sent()
    const [moved] = (await move(caller, [booking], laterId)).parties
    if (!moved) throw new Error('It was moved')
    await caller.call(coreVerbOf(cancelBooking), { ...moved, reason: 'guest_request', note: null, tellGuest: false })
    await afterAWhile(caller)
    expect(await sent()).toEqual([])
  })

  test('stays waiting when something else changes, and follows a corrected address', async () => {
    const { caller, departureId, laterId } = await desk()
    const booking = await book(caller, departureId, 1, { contact: ana })
    await sent()
    await move(caller, [booking], laterId)
    await edit(caller, booking.id, { notes: 'Window seat', tellGuest: false })
    expect(await messagesOf(caller, booking.id)).toEqual(['booking_changed queued', 'booking_confirmed sent'])
    await edit(caller, booking.id, { contact: { ...ana, email: 'right@example.com' } })
    await afterAWhile(caller)
    expect((await sent()).map(({ to }) => to)).toEqual(['right@example.com'])
  })

  test('is still sent where what came later was taken back', async () => {
    const { caller, departureId, laterId } = await desk()
    const booking = await book(caller, departureId, 1, { contact: ana })
    await failToSend(world)
    const { parties } = await move(caller, [booking], laterId)
    await caller.transaction((tx) =>
      sql`update deliveries set next_attempt_at = app_now() where status = 'queued' and attempts > 0`.execute(tx),
    )
    const [mail] = await sent()
    await move(caller, parties, departureId)
    expect(mail?.subject).toBe('Su reserva está confirmada: Golden Circle')
    expect(await messagesOf(caller, booking.id)).toEqual(['booking_changed suppressed', 'booking_confirmed sent'])
  })

  test('and failed before is not sent after what came later', async () => {
    const { caller, departureId } = await desk()
    const booking = await book(caller, departureId, 1, { contact: ana })
    await failToSend(world)
    const { id, version } = booking
    await caller.call(coreVerbOf(cancelBooking), { id, version, reason: 'guest_request', note: null })
    await afterAWhile(caller)
    expect((await sent()).map(({ subject }) => subject)).toEqual(['Su reserva está cancelada: Golden Circle'])
    expect(await messagesOf(caller, id)).toEqual(['booking_cancelled sent', 'booking_confirmed suppressed'])
  })
})

describe('a booking that is cancelled', () => {
  test('is told a few minutes later, and what waited about a move is not', async () => {
    const { caller, departureId, laterId } = await desk()
    const booking = await book(caller, departureId, 1, { contact: { ...ana, locale: null } })
    await sent()
    const [moved] = (await move(caller, [booking], laterId)).parties
    if (!moved) throw new Error('It was moved')
    await caller.call(coreVerbOf(cancelBooking), { ...moved, reason: 'guest_request', note: null })
    expect(await sent()).toEqual([])
    await afterAWhile(caller)
    const [mail, ...more] = await sent()
    expect(more).toEqual([])
    expect(mail?.subject).toBe('Your booking is cancelled: Golden Circle')
    expect(mail?.body).not.toContain('/share/')
    expect(mail?.calendar).toContain('STATUS:CANCELLED')
    expect(await messagesOf(caller, booking.id)).toEqual([
      'booking_cancelled sent',
      'booking_changed suppressed',
      'booking_confirmed sent',
    ])
  })

  test('after its tour has begun tells nobody', async () => {
    const { caller, clock, tourId } = await officeWithTour(world, new Date())
    const departureId = await addDeparture(caller, tourId, { localDate: inDays(7) })
    const { id, version } = await book(caller, departureId, 1, { contact: ana })
    await sent()
    clock.set(new Date(Date.now() + 8 * dayMs))
    await caller.call(coreVerbOf(cancelBooking), { id, version, reason: 'guest_request', note: null })
    expect(await messagesOf(caller, id)).toEqual(['booking_confirmed sent'])
  })

  test('was only held: nobody is told', async () => {
    const { caller, departureId } = await desk()
    const held = await book(caller, departureId, 1, { contact: ana, mode: 'hold' })
    await caller.call(coreVerbOf(cancelBooking), {
      id: held.id,
      version: held.version,
      reason: 'guest_request',
      note: null,
    })
    expect(await messagesOf(caller, held.id)).toEqual([])
  })
})

test('a link that the office has ended stays ended; the next message brings another one', async () => {
  const { caller, departureId, laterId } = await desk()
  const booking = await book(caller, departureId, 1, { contact: ana })
  const token = tokenIn((await sent())[0])
  const [link] = await world.rows<{ id: string }>('select id from shared_links where subject_id = $1', [booking.id])
  await caller.call(verbOf(revokeLink), { ids: [link?.id ?? ''] })
  await move(caller, [booking], laterId)
  await afterAWhile(caller)
  const [mail] = await sent()
  await expect(open(token)).rejects.toMatchObject({ code: 'not-found' })
  expect((await open(tokenIn(mail))).departure.localDate).toBe(inDays(8))
})

describe('a rule', () => {
  test('that is switched off tells nobody, in its own organization only', async () => {
    const { caller, departureId } = await desk()
    const other = await desk()
    await caller.call(verbOf(setGuestRule), { event: 'booking_confirmed', isOn: false })
    const booking = await book(caller, departureId, 1, { contact: ana })
    const told = await book(other.caller, other.departureId, 1, { contact: ana })
    expect(await messagesOf(caller, booking.id)).toEqual([])
    expect(await messagesOf(other.caller, told.id)).toEqual(['booking_confirmed queued'])
    expect(await isOn(caller, 'booking_confirmed')).toBe(false)
    expect(await isOn(other.caller, 'booking_confirmed')).toBe(true)
    await caller.call(verbOf(setGuestRule), { event: 'booking_confirmed', isOn: true })
    const again = await book(caller, departureId, 1, { contact: ana })
    expect(await messagesOf(caller, again.id)).toEqual(['booking_confirmed queued'])
    await sent()
  })

  test('counts what it sent in a week, and is changed by those who manage notifications', async () => {
    const { caller, departureId } = await desk()
    await book(caller, departureId, 1, { contact: ana })
    await sent()
    const { rules } = await caller.call(verbOf(listGuestRules), {})
    expect(rules.map(({ event, sent7d }) => [event, sent7d])).toEqual([
      ['waitlist_offer', 0],
      ['booking_confirmed', 1],
      ['booking_changed', 0],
      ['pre_tour_info', 0],
      ['pickup_reminder', 0],
      ['last_reminder', 0],
      ['delay_notice', 0],
      ['rebooking_offer', 0],
      ['booking_cancelled', 0],
      ['feedback_request', 0],
    ])
    const dispatcher = await world.as('dispatcher', { orgId: caller.orgId })
    await expect(
      dispatcher.call(verbOf(setGuestRule), { event: 'booking_changed', isOn: false }),
    ).rejects.toMatchObject({
      code: 'permission-denied',
    })
  })

  test('shows what guests read in every language, with a real booking and no way into its page', async () => {
    const { caller, departureId } = await desk()
    const preview = (event: GuestEvent, language: 'en' | 'de' | 'es') =>
      caller.call(verbOf(previewRuleText), { event, language })
    expect(await preview('booking_confirmed', 'en')).toEqual({ message: null })
    const { bookingRef } = await book(caller, departureId, 3, { contact: ana })
    const { message } = await preview('booking_changed', 'de')
    expect(message?.bookingRef).toBe(bookingRef)
    expect(message?.body).toContain('Ihre 3 Plätze sind jetzt gebucht für: Golden Circle')
    expect(message?.body).not.toContain('/share/')
    await sent()
  })

  const isOn = async (caller: TestCaller, event: GuestEvent) =>
    (await caller.call(verbOf(listGuestRules), {})).rules.find((rule) => rule.event === event)?.isOn
})

test.each(['Eve\r\nBcc: all@example.com\n\nhttps://evil.example/pay', 'Eve https://evil.example/pay {link}'])(
  'the name %j cannot add lines, links or headers to what a guest reads',
  async (name) => {
    const { caller, departureId } = await desk()
    await book(caller, departureId, 1, { contact: { ...ana, name, locale: 'en' } })
    const [mail, ...more] = await sent()
    expect(more).toEqual([])
    expect(mail?.to).toBe('ana@example.com')
    expect(mail?.body.split('\n')[0]).toMatch(/^Hello Eve/)
    expect(mail?.body).not.toContain('https://evil')
    expect(mail?.body.split('/share/')).toHaveLength(2)
  },
)

// PGlite has one connection: nothing happens at the same moment there
describe.runIf(process.env['TEST_DATABASE'] === 'embedded')('at the same moment (runs on PostgreSQL)', () => {
  test('twelve sales of a new organization make one rule, and tell twelve contacts once each', async () => {
    const { caller, departureId } = await desk()
    const parties = Array.from({ length: 12 }, (_, at) => ({ ...ana, email: `guest${at}@example.com` }))
    await Promise.all(parties.map((contact) => book(caller, departureId, 1, { contact })))
    const mails = await sent()
    expect(mails.map(({ to }) => to).toSorted()).toEqual(parties.map(({ email }) => email).toSorted())
    const rules = await world.rows('select id from notification_rules where org_id = $1', [caller.orgId])
    expect(rules).toHaveLength(1)
  })
})
