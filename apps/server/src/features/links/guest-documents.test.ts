import { cancelInvoice, getBillingDocument, issueInvoice, issueReceipt } from '@tour-ops/contract/bookings/billing'
import { recordPayment, voidPayment } from '@tour-ops/contract/bookings/payments'
import { createLink, pauseLink, revokeLink, setLinkPasscode } from '@tour-ops/contract/links/links'
import { getSharedDocument, getSharedPage } from '@tour-ops/contract/links/shared-page'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { guestOf } from '../../../testing/links.ts'
import { addDeparture, book, coreVerbOf, officeWithTour } from '../../../testing/operations.ts'
import { verbsOf } from '../../../testing/verbs.ts'
import { testDatabase, type TestWorld } from '../../../testing/world.ts'
import { allVerbs } from '../../verbs.ts'

let world: TestWorld
beforeAll(async () => {
  world = await testDatabase()
})
afterAll(() => world.close())

const verbOf = verbsOf(allVerbs)
const over = { code: 'not-found', details: { reason: 'shared_link_over' } }

/** A party with an invoice, a guest of it, and the ways to their pages. */
async function desk() {
  const { caller, clock, tourId } = await officeWithTour(world, new Date('2030-07-01T10:00:00Z'))
  const departureId = await addDeparture(caller, tourId, { capacity: 20 })
  const booking = await book(caller, departureId, 2)
  const invoiceOf = (bookingId: string) =>
    caller.call(coreVerbOf(issueInvoice), { bookingId, buyer: { name: 'Amara Okafor', address: 'Lagos' } })
  const linkTo = (
    subjectId: string,
    kind: 'booking_guest' | 'departure_guest' | 'traveler' = 'booking_guest',
    documents = true,
  ) => caller.call(verbOf(createLink), { kind, subjectId, label: 'Party', scopes: { documents } })
  return { caller, clock, departureId, booking, invoiceOf, linkTo, asGuest: guestOf(world, clock) }
}

test('the link of a booking lists its invoices and receipts, and opens each as the office prints it', async () => {
  const { caller, booking, invoiceOf, linkTo, asGuest } = await desk()
  const { token } = await linkTo(booking.id)
  expect((await asGuest(getSharedPage, { token })).documents).toEqual([])
  const { id, number } = await invoiceOf(booking.id)
  const { payment } = await caller.call(verbOf(recordPayment), {
    bookingId: booking.id,
    kind: 'payment',
    method: 'cash',
    amountMinor: 5000,
  })
  const receipt = await caller.call(coreVerbOf(issueReceipt), { paymentId: payment.id })
  const { documents } = await asGuest(getSharedPage, { token })
  expect(documents).toHaveLength(2)
  expect(documents).toContainEqual({
    id,
    kind: 'invoice',
    number,
    issuedOn: '2030-07-01',
    totalMinor: 17_800,
    currency: 'EUR',
    cancelledByNumber: null,
    isVoid: false,
  })
  const { sent, ...office } = await caller.call(verbOf(getBillingDocument), { id })
  expect(sent).toBeNull()
  // who of the office issued it is not for guests
  expect(await asGuest(getSharedDocument, { token, id })).toEqual({ ...office, issuedByName: null })
  const { number: credit } = await caller.call(coreVerbOf(cancelInvoice), { id, reason: 'Wrong company' })
  await caller.call(verbOf(voidPayment), { id: payment.id, reason: 'Wrong booking' })
  const after = (await asGuest(getSharedPage, { token })).documents
  expect(after.find((one) => one.id === id)).toMatchObject({ cancelledByNumber: credit })
  expect(after.find((one) => one.id === receipt.id)).toMatchObject({ isVoid: true })
  expect(after.find(({ kind }) => kind === 'credit_note')).toMatchObject({ totalMinor: -17_800 })
  expect(await asGuest(getSharedDocument, { token, id: receipt.id })).toMatchObject({ isVoid: true })
})

test('nothing of another booking is opened, and nothing on links that do not show documents or are for others than the contact', async () => {
  const { booking, departureId, caller, invoiceOf, linkTo, asGuest } = await desk()
  const other = await book(caller, departureId, 1)
  const own = await invoiceOf(booking.id)
  const foreign = await invoiceOf(other.id)
  const { token } = await linkTo(booking.id)
  const missing = { code: 'not-found' }
  await expect(asGuest(getSharedDocument, { token, id: foreign.id })).rejects.toMatchObject(missing)
  const elsewhere = await desk()
  const farAway = await elsewhere.invoiceOf(elsewhere.booking.id)
  await expect(asGuest(getSharedDocument, { token, id: farAway.id })).rejects.toMatchObject(missing)
  const [traveler] = await world.rows<{ id: string }>(
    'select traveler_id as id from manifest_entries where booking_id = $1 limit 1',
    [booking.id],
  )
  const closed = [
    await linkTo(booking.id, 'booking_guest', false),
    await linkTo(departureId, 'departure_guest'),
    await linkTo(traveler?.id ?? '', 'traveler'),
  ]
  for (const link of closed) {
    expect((await asGuest(getSharedPage, { token: link.token })).documents).toEqual([])
    await expect(asGuest(getSharedDocument, { token: link.token, id: own.id })).rejects.toMatchObject(over)
  }
})

test('a passcode, a pause and the end of a link hold for its documents', async () => {
  const { caller, booking, invoiceOf, linkTo, asGuest } = await desk()
  const { id } = await invoiceOf(booking.id)
  const link = await linkTo(booking.id)
  const open = () => asGuest(getSharedDocument, { token: link.token, id })
  await open()
  const { version } = await caller.call(verbOf(setLinkPasscode), { id: link.id, version: 1, passcode: '4711' })
  await expect(open()).rejects.toMatchObject({ details: { reason: 'link_passcode_needed' } })
  const open_ = await caller.call(verbOf(setLinkPasscode), { id: link.id, version, passcode: null })
  await open()
  const paused = await caller.call(verbOf(pauseLink), { id: link.id, version: open_.version, paused: true })
  await expect(open()).rejects.toMatchObject(over)
  await caller.call(verbOf(pauseLink), { id: link.id, version: paused.version, paused: false })
  await open()
  await caller.call(verbOf(revokeLink), { ids: [link.id] })
  await expect(open()).rejects.toMatchObject(over)
})
