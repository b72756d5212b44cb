import { createLink, listLinks, pauseLink, revokeLink } from '@tour-ops/contract/links/links'
import { previewLinkMessage, sendLink } from '@tour-ops/contract/links/link-messages'
import { getSharedPage } from '@tour-ops/contract/links/shared-page'
import { createService, createSupplier } from '@tour-ops/contract/vehicles/vehicles'
import type { In } from '@tour-ops/contract/callable'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { afterAWhile, failToSend, messagesOf, sentMails } from '../../../testing/guest-mail.ts'
import { guestOf } from '../../../testing/links.ts'
import { addDeparture, assignGuide, book, publishedTour } from '../../../testing/operations.ts'
import { verbsOf } from '../../../testing/verbs.ts'
import { type TestCaller, testDatabase, type TestWorld } from '../../../testing/world.ts'
import { allVerbs } from '../../verbs.ts'

let world: TestWorld
beforeAll(async () => {
  world = await testDatabase()
})
afterAll(() => world.close())

const verbOf = verbsOf(allVerbs)
const inDays = (days: number): string => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10)

/** A departure with a party that reads German, a crew and a dinner. */
async function desk() {
  const caller = await world.as('operations_manager')
  const { tourId } = await publishedTour(caller)
  const departureId = await addDeparture(caller, tourId, { localDate: inDays(7) })
  const booking = await book(caller, departureId, 2, {
    contact: { name: 'Bert', email: 'bert@example.com', locale: 'de' },
    tellGuest: false,
  })
  const link = (more: Pick<In<typeof createLink>, 'kind' | 'subjectId'> & Partial<In<typeof createLink>>) =>
    caller.call(verbOf(createLink), { label: 'Of the office', ...more })
  const preview = async (id: string, note: string | null = null) =>
    (await caller.call(verbOf(previewLinkMessage), { id, note })).readers
  const send = (id: string, readers: string[], note: string | null = null) =>
    caller.call(verbOf(sendLink), { id, readers, note })
  return { caller, departureId, booking, link, preview, send }
}

/** Somebody of the crew of a departure, with an address. */
async function guideOf(caller: TestCaller, departureId: string, email: string, role?: 'driver'): Promise<string> {
  const staffId = await assignGuide(caller, departureId, role ? { role } : {})
  await caller.transaction((tx) => sql`update field_staff set email = ${email} where id = ${staffId}`.execute(tx))
  return staffId
}

const mailTo = async (address: string) => (await sentMails(world)).find(({ to }) => to === address)
const tokenIn = (body = ''): string => /[/#](?:share\/|link=)(\S+)/.exec(body)?.[1] ?? ''

test('the link of a booking reaches its contact in their language, with own words and an address of its own', async () => {
  const { caller, booking, link, preview, send } = await desk()
  const { id } = await link({ kind: 'booking_guest', subjectId: booking.id })
  const [reader] = await preview(id, 'Bis {link} bald')
  expect(reader).toMatchObject({ key: 'contact', name: 'Bert', to: 'bert@example.com', language: 'de', sentAt: null })
  expect(reader?.subject).toMatch(/^Ihre Seite: Golden Circle, /)
  expect(await send(id, ['contact'], 'Bis {link} bald')).toEqual({ count: 1 })
  await expect(send(id, ['contact'])).rejects.toMatchObject({ details: { reason: 'link_just_sent' } })
  const mail = await mailTo('bert@example.com')
  // what somebody types is no place for an address
  expect(mail?.body).toMatch(/^Guten Tag Bert,\n\nBis link bald\n\n.*\nhttps:\/\/ops\.example\/share\/\S+\n/)
  expect(await guestOf(world, world.services.clock)(getSharedPage, { token: tokenIn(mail?.body) })).toMatchObject({
    kind: 'booking_guest',
  })
  expect(await messagesOf(caller, booking.id)).toEqual(['shared_link sent'])
  const [known] = await preview(id)
  expect(known?.sentAt).not.toBeNull()
})

test('a traveler, the crew and a supplier are written to where they have an address, and nobody else', async () => {
  const { caller, departureId, booking, link, preview, send } = await desk()
  const [traveler] = await world.rows<{ id: string }>(
    'select traveler_id as id from manifest_entries where booking_id = $1 order by id limit 1',
    [booking.id],
  )
  const own = await link({ kind: 'traveler', subjectId: traveler?.id ?? '' })
  expect(await preview(own.id)).toEqual([])
  await caller.transaction((tx) =>
    sql`update travelers set email = 'luca@example.com' where id = ${traveler?.id}`.execute(tx),
  )
  expect(await preview(own.id)).toMatchObject([{ key: traveler?.id, to: 'luca@example.com' }])
  const staffId = await assignGuide(caller, departureId)
  await caller.transaction((tx) =>
    sql`update field_staff set email = 'guide@example.com' where id = ${staffId}`.execute(tx),
  )
  const sheet = await link({ kind: 'staff_runsheet', subjectId: departureId, scopes: { checkin: true } })
  expect(await preview(sheet.id)).toMatchObject([{ key: staffId, to: 'guide@example.com' }])
  await send(sheet.id, [staffId])
  expect((await mailTo('guide@example.com'))?.body).toContain('https://ops.example/duty#link=')
  const supplier = await caller.call(verbOf(createSupplier), {
    name: 'Harbor Kitchen',
    kind: 'restaurant',
    language: 'es',
    contacts: [
      { name: 'Kari', email: 'kitchen@example.com' },
      { name: 'Ola', phone: '+4755500000' },
    ],
  })
  await caller.call(verbOf(createService), {
    departureId,
    supplierId: supplier.id,
    kind: 'meal',
    description: 'Dinner',
  })
  const manifest = await link({ kind: 'supplier_manifest', subjectId: departureId, supplierId: supplier.id })
  expect(await preview(manifest.id)).toMatchObject([{ name: 'Kari', to: 'kitchen@example.com', language: 'es' }])
  await send(manifest.id, ['kitchen@example.com'])
  const page = await guestOf(world, world.services.clock)(getSharedPage, {
    token: tokenIn((await mailTo('kitchen@example.com'))?.body),
  })
  expect(page).toMatchObject({ kind: 'supplier_manifest', supplierName: 'Harbor Kitchen' })
})

test('what opens nothing or is nobody’s is not sent, and what was paused meanwhile does not leave', async () => {
  const { caller, departureId, booking, link, send } = await desk()
  const { id } = await link({ kind: 'booking_guest', subjectId: booking.id })
  await expect(send(id, ['somebody'])).rejects.toMatchObject({ details: { reason: 'link_unreachable' } })
  await send(id, ['contact'])
  await caller.call(verbOf(pauseLink), { id, version: 1, paused: true })
  expect(await mailTo('bert@example.com')).toBeUndefined()
  expect(await messagesOf(caller, booking.id)).toEqual(['shared_link suppressed'])
  await expect(send(id, ['contact'])).rejects.toMatchObject({ details: { reason: 'link_ended' } })
  await caller.call(verbOf(revokeLink), { ids: [id] })
  await expect(send(id, ['contact'])).rejects.toMatchObject({ details: { reason: 'link_ended' } })
  const everybody = await link({ kind: 'departure_guest', subjectId: departureId })
  await expect(send(everybody.id, ['contact'])).rejects.toMatchObject({ code: 'not-found' })
  const { rows } = await caller.call(verbOf(listLinks), { filters: { departureId: [departureId] } })
  expect(rows).toHaveLength(2)
})

test('an attempt that is repeated goes to the address of the contact by then, and not to a guide who is off the tour', async () => {
  const { caller, departureId, booking, link, send } = await desk()
  const { id } = await link({ kind: 'booking_guest', subjectId: booking.id })
  await send(id, ['contact'])
  const guide = await guideOf(caller, departureId, 'former@example.com')
  const sheet = await link({ kind: 'staff_runsheet', subjectId: departureId })
  await send(sheet.id, [guide])
  await failToSend(world)
  await caller.transaction(async (tx) => {
    await sql`update bookings set contact_email = 'right@example.com' where id = ${booking.id}`.execute(tx)
    await sql`update assignments set status = 'released', release_reason = 'ill' where staff_id = ${guide}`.execute(tx)
  })
  await afterAWhile(caller)
  const recipients = (await sentMails(world)).map(({ to }) => to)
  expect(recipients).toContain('right@example.com')
  expect(recipients).not.toContain('bert@example.com')
  expect(recipients).not.toContain('former@example.com')
  expect(await messagesOf(caller, booking.id)).toEqual(['shared_link sent'])
})

test('people who share an address get one message', async () => {
  const { caller, departureId, link, preview, send } = await desk()
  const long = `${'reception.'.repeat(6)}of@${'harbor-'.repeat(6)}hotel.example`
  const supplier = await caller.call(verbOf(createSupplier), {
    name: 'Harbor Hotel',
    kind: 'hotel',
    contacts: [
      { name: 'Kari', email: long },
      { name: 'Ola', email: long },
    ],
  })
  await caller.call(verbOf(createService), {
    departureId,
    supplierId: supplier.id,
    kind: 'hotel',
    description: 'Rooms',
  })
  const manifest = await link({ kind: 'supplier_manifest', subjectId: departureId, supplierId: supplier.id })
  expect(await preview(manifest.id)).toMatchObject([{ key: long, name: 'Kari' }])
  expect(await send(manifest.id, [long])).toEqual({ count: 1 })
  const crew = [
    await guideOf(caller, departureId, 'crew@example.com'),
    await guideOf(caller, departureId, 'crew@example.com', 'driver'),
  ]
  const sheet = await link({ kind: 'staff_runsheet', subjectId: departureId })
  expect(await preview(sheet.id)).toHaveLength(2)
  expect(await send(sheet.id, crew)).toEqual({ count: 1 })
})

test('what opens nothing yet or shows no tour is not sent, and its name for the office reaches nobody', async () => {
  const { caller, booking, link, preview, send } = await desk()
  const { id } = await link({ kind: 'booking_guest', subjectId: booking.id })
  await send(id, ['contact'])
  await caller.transaction((tx) =>
    sql`update shared_links set starts_at = app_now() + interval '1 day' where id = ${id}`.execute(tx),
  )
  expect(await mailTo('bert@example.com')).toBeUndefined()
  expect(await messagesOf(caller, booking.id)).toEqual(['shared_link suppressed'])
  await expect(send(id, ['contact'])).rejects.toMatchObject({ details: { reason: 'link_opens_later' } })
  const [seat] = await world.rows<{ id: string }>(
    'select traveler_id as id from manifest_entries where booking_id = $1 order by id limit 1',
    [booking.id],
  )
  const travelerId = seat?.id ?? ''
  await caller.transaction((tx) =>
    sql`update travelers set email = 'luca@example.com' where id = ${travelerId}`.execute(tx),
  )
  const own = await link({ kind: 'traveler', subjectId: travelerId })
  await caller.transaction((tx) => sql`delete from manifest_entries where traveler_id = ${travelerId}`.execute(tx))
  await expect(preview(own.id)).rejects.toMatchObject({ details: { reason: 'link_ended' } })
  await expect(send(own.id, [travelerId])).rejects.toMatchObject({ details: { reason: 'link_ended' } })
})

test('in German the line above the address begins a sentence where an own note precedes it', async () => {
  const { caller, departureId, link, preview } = await desk()
  await guideOf(caller, departureId, 'guide@example.com')
  const sheet = await link({ kind: 'staff_runsheet', subjectId: departureId, language: 'de' })
  expect((await preview(sheet.id))[0]?.body).toContain(',\n\nder Ablaufplan')
  expect((await preview(sheet.id, 'Bis bald.'))[0]?.body).toContain('Bis bald.\n\nDer Ablaufplan')
})
