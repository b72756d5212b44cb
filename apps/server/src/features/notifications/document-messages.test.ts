import { getBillingDocument, issueInvoice } from '@tour-ops/contract/bookings/billing'
import type { In } from '@tour-ops/contract/callable'
import { getSharedPage } from '@tour-ops/contract/links/shared-page'
import {
  guestAudience,
  previewGuestText,
  sendGuestMessage,
  stopGuestMessage,
} from '@tour-ops/contract/notifications/guest-messages'
import { setOptOut } from '@tour-ops/contract/notifications/opt-outs'
import { listMessageTemplates } from '@tour-ops/contract/notifications/message-templates'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { afterAWhile, messagesOf, sentMails } from '../../../testing/guest-mail.ts'
import { guestOf } from '../../../testing/links.ts'
import { addDeparture, book, coreVerbOf, publishedTour } from '../../../testing/operations.ts'
import { verbsOf } from '../../../testing/verbs.ts'
import { testDatabase, type TestWorld } from '../../../testing/world.ts'
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

test('the document of one booking is not sent to another, nor to a whole departure', async () => {
  const { sell, id, booking, send } = await desk()
  const other = await sell('Ana')
  await expect(send({ audience: { bookingIds: [other.id], documentId: id } })).rejects.toMatchObject({
    code: 'not-found',
  })
  const wide = { bookingIds: [booking.id, other.id], documentId: id }
  await expect(send({ audience: wide, count: 2 })).rejects.toMatchObject({ code: 'not-found' })
})
