import { cancelInvoice, getBillingDocument, issueInvoice, issueReceipt } from '@tour-ops/contract/bookings/billing'
import { recordPayment, voidPayment } from '@tour-ops/contract/bookings/payments'
import type { In } from '@tour-ops/contract/callable'
import { listLinks, pauseLink } from '@tour-ops/contract/links/links'
import { getSharedPage } from '@tour-ops/contract/links/shared-page'
import {
  guestAudience,
  previewGuestText,
  sendGuestMessage,
  stopGuestMessage,
} from '@tour-ops/contract/notifications/guest-messages'
import { setOptOut } from '@tour-ops/contract/notifications/opt-outs'
import { listMessageTemplates } from '@tour-ops/contract/notifications/message-templates'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { afterAWhile, messagesOf, sentMails, withoutQuietHours } from '../../../testing/guest-mail.ts'
import { guestOf } from '../../../testing/links.ts'
import { addDeparture, book, coreVerbOf, publishedTour } from '../../../testing/operations.ts'
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

/** An invoice of a guest who wants only what is needed, and the text that comes with the product. */
async function desk() {
  const caller = await world.as('operations_manager')
  const { tourId } = await publishedTour(caller)
  const departureId = await addDeparture(caller, tourId, { localDate: inDays(30) })
  const sell = (name: string) =>
    book(caller, departureId, 2, {
      contact: { name, email: `${name.toLowerCase()}@example.com`, locale: 'de' },
      tellGuest: false,
    })
  const booking = await sell('Bert')
  const { id, number } = await caller.call(coreVerbOf(issueInvoice), { bookingId: booking.id, buyer: { name: 'Bert' } })
  const { shipped } = await caller.call(verbOf(listMessageTemplates), {})
  const texts = shipped.find(({ key }) => key === 'invoice')?.texts ?? []
  const audience = { bookingIds: [booking.id], documentId: id }
  const send = (more: Partial<In<typeof sendGuestMessage>> = {}) =>
    caller.call(verbOf(sendGuestMessage), { audience, texts, count: 1, ...more })
  const sent = async () => (await caller.call(verbOf(getBillingDocument), { id })).sent
  return { caller, sell, booking, id, number, texts, audience, send, sent }
}

/** What was written about a booking, once all of it was due. */
async function leaves(caller: TestCaller, id: string): Promise<string[]> {
  await afterAWhile(caller)
  await sentMails(world)
  return messagesOf(caller, id)
}

test('an invoice reaches the guest in their language with the page that shows it, also a guest who wants only what is needed', async () => {
  const { caller, booking, id, number, texts, audience, send, sent } = await desk()
  await caller.call(verbOf(setOptOut), { id: booking.id, isOptedOut: true })
  expect(await caller.call(verbOf(guestAudience), { audience: { bookingIds: [booking.id] } })).toMatchObject({
    count: 0,
  })
  expect(await caller.call(verbOf(guestAudience), { audience })).toMatchObject({ count: 1, quiet: { count: 0 } })
  const { message } = await caller.call(verbOf(previewGuestText), { audience, texts })
  expect(message).toMatchObject({ language: 'de', to: 'bert@example.com', missing: ['phone'] })
  expect(message?.subject).toBe(`Ihre Rechnung ${number}: Golden Circle`)
  await send()
  expect(await sent()).toEqual({ to: 'bert@example.com', channel: 'email', status: 'queued', sentAt: null })
  await afterAWhile(caller)
  const mail = (await sentMails(world)).find(({ to }) => to === 'bert@example.com')
  const token = /\/share\/(\S+)/.exec(mail?.body ?? '')?.[1] ?? ''
  const page = await guestOf(world, world.services.clock)(getSharedPage, { token })
  expect(page.documents).toMatchObject([{ id, number }])
  // the document is on the page itself, and no news beside it
  expect(page.news).toEqual([])
  expect(await messagesOf(caller, booking.id)).toEqual(['billing_document sent'])
  expect(await sent()).toMatchObject({ status: 'sent', to: 'bert@example.com' })
})

test('while a message with it waits, a document is not sent again; it is once that was taken back', async () => {
  const { caller, send, sent } = await desk()
  const both = await Promise.allSettled([send(), send()])
  expect(both.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
  await expect(send()).rejects.toMatchObject({ details: { reason: 'document_waits' } })
  const [first] = both.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []))
  await caller.call(verbOf(stopGuestMessage), { id: first?.id ?? '' })
  expect(await sent()).toBeNull()
  await send()
  expect(await sent()).toMatchObject({ status: 'queued' })
})

test('a document that is taken back while its message waits is not announced; whoever sends it afterwards means it', async () => {
  const { caller, booking, id, send, sent } = await desk()
  await send()
  await caller.call(coreVerbOf(cancelInvoice), { id, reason: 'Wrong company' })
  expect(await leaves(caller, booking.id)).toEqual(['billing_document suppressed'])
  await send()
  expect(await leaves(caller, booking.id)).toEqual(['billing_document sent', 'billing_document suppressed'])
  expect(await sent()).toMatchObject({ status: 'sent' })
})

test('nor is the receipt of a payment that is voided meanwhile', async () => {
  const { caller, booking, texts, send } = await desk()
  const paid = { bookingId: booking.id, kind: 'payment', method: 'cash', amountMinor: 5000 } as const
  const { payment } = await caller.call(verbOf(recordPayment), paid)
  const receipt = await caller.call(coreVerbOf(issueReceipt), { paymentId: payment.id })
  await send({ audience: { bookingIds: [booking.id], documentId: receipt.id }, texts })
  await caller.call(verbOf(voidPayment), { id: payment.id, reason: 'Wrong booking' })
  expect(await leaves(caller, booking.id)).toEqual(['billing_document suppressed'])
})

test('no document goes around a page of the guest that the office has paused', async () => {
  const { caller, booking, send } = await desk()
  await send()
  expect(await leaves(caller, booking.id)).toEqual(['billing_document sent'])
  const links = async () => (await caller.call(verbOf(listLinks), { q: booking.bookingRef })).rows
  const [link] = await links()
  await caller.call(verbOf(pauseLink), { id: link?.id ?? '', version: link?.version ?? 0, paused: true })
  await send()
  expect((await leaves(caller, booking.id))[0]).toBe('billing_document suppressed')
  // as one that was made before there were documents on pages
  await caller.transaction((tx) =>
    sql`update shared_links set scopes = '{"details": true}', ends_with_departure = true where id = ${link?.id}`.execute(
      tx,
    ),
  )
  await send()
  expect((await leaves(caller, booking.id))[0]).toBe('billing_document suppressed')
  await withoutQuietHours(caller)
  // nor does what is about the day make a second page
  await send({ audience: { bookingIds: [booking.id] } })
  expect((await leaves(caller, booking.id))[0]).toMatch(/ sent$/)
  expect(await links()).toMatchObject([{ id: link?.id, status: 'paused' }])
})

test('the document of one booking is not sent to another, nor to a whole departure', async () => {
  const { sell, id, booking, send } = await desk()
  const other = await sell('Ana')
  await expect(send({ audience: { bookingIds: [other.id], documentId: id } })).rejects.toMatchObject({
    code: 'not-found',
  })
  const wide = { bookingIds: [booking.id, other.id], documentId: id }
  await expect(send({ audience: wide, count: 2 })).rejects.toMatchObject({ code: 'not-found' })
})
