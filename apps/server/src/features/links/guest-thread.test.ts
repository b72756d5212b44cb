import type { In } from '@tour-ops/contract/callable'
import { answerThread, bookingThread, markThreadRead } from '@tour-ops/contract/bookings/booking-thread'
import { cancelBooking, getBooking, listBookings } from '@tour-ops/contract/bookings/bookings'
import { createLink, pauseLink, revokeLink } from '@tour-ops/contract/links/links'
import { getOverview } from '@tour-ops/contract/overview/overview'
import { exportMonitoring, monitoringList } from '@tour-ops/contract/monitoring/monitoring-list'
import { sendGuestMessage, stopGuestMessage } from '@tour-ops/contract/notifications/guest-messages'
import { getSharedPage, setGuestEmails, writeSharedMessage } from '@tour-ops/contract/links/shared-page'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { afterAWhile, messagesOf, sentMails } from '../../../testing/guest-mail.ts'
import { notices } from '../../../testing/inbox.ts'
import { guestOf } from '../../../testing/links.ts'
import { addDeparture, book, officeWithTour } from '../../../testing/operations.ts'
import { verbsOf } from '../../../testing/verbs.ts'
import { testDatabase, type TestWorld } from '../../../testing/world.ts'
import { newId } from '../../platform/ids.ts'
import { allVerbs } from '../../verbs.ts'

let world: TestWorld
beforeAll(async () => {
  world = await testDatabase()
})
afterAll(() => world.close())

const verbOf = verbsOf(allVerbs)
const gone = { code: 'not-found', details: { reason: 'shared_link_over' } }

/** Two parties of one departure, each with a link on which it can write. */
async function twoParties() {
  const { caller, clock, tourId } = await officeWithTour(world, new Date('2030-07-01T10:00:00Z'))
  const departureId = await addDeparture(caller, tourId)
  const email = `${newId()}@example.com`
  const booking = await book(caller, departureId, 2, { contact: { name: 'Ana López', email, locale: 'es-MX' } })
  const other = await book(caller, departureId, 1, { contact: { name: 'Kim Vos' } })
  await sentMails(world, clock)
  const newLink = (more: Partial<In<typeof createLink>> = {}) =>
    caller.call(verbOf(createLink), {
      kind: 'booking_guest',
      subjectId: booking.id,
      label: 'For the party',
      scopes: { messages: true },
      ...more,
    })
  const link = await newLink()
  const otherLink = await newLink({ subjectId: other.id })
  const asGuest = guestOf(world, clock)
  const write = (body: string, token = link.token) => asGuest(writeSharedMessage, { token, body })
  const page = async (token = link.token) => (await asGuest(getSharedPage, { token })).thread
  const thread = async (id = booking.id) => (await caller.call(verbOf(bookingThread), { id })).messages
  const lastOf = async () => (await thread()).at(-1)?.id ?? ''
  const answer = async (body: string) =>
    caller.call(verbOf(answerThread), { id: booking.id, seen: await lastOf(), body })
  const mails = async () => (await sentMails(world, clock)).filter(({ to }) => to.endsWith(email))
  return {
    caller,
    clock,
    tourId,
    booking,
    other,
    link,
    otherLink,
    newLink,
    asGuest,
    write,
    page,
    thread,
    lastOf,
    answer,
    mails,
  }
}

test('the office begins: the party reads it on its page and by e-mail, and the log has it as any message', async () => {
  const { caller, booking, other, page, thread, write, mails } = await twoParties()
  const begin = (id: string) => caller.call(verbOf(answerThread), { id, seen: null, body: 'The harbour has moved.' })
  expect(await begin(booking.id)).toEqual({ sentBy: 'email' })
  expect((await page())?.messages).toMatchObject([{ author: 'office', body: 'The harbour has moved.' }])
  const [mail] = await mails()
  expect(mail?.subject).toBe('Un mensaje para usted: Golden Circle')
  expect(mail?.body).toContain('/share/')
  expect(await messagesOf(caller, booking.id)).toContain('guest_answer sent')
  // without an address it is on the page alone
  expect(await begin(other.id)).toEqual({ sentBy: null })
  // what a guest writes meanwhile is not read by that
  await write('Where to?')
  await begin(booking.id)
  expect((await thread()).filter(({ isUnread }) => isUnread)).toHaveLength(1)
  const viewer = await world.as('viewer', { orgId: caller.orgId })
  const refused = viewer.call(verbOf(answerThread), { id: booking.id, seen: null, body: 'Hello' })
  await expect(refused).rejects.toMatchObject({ code: 'permission-denied' })
  const stranger = await world.as('admin')
  const foreign = stranger.call(verbOf(answerThread), { id: booking.id, seen: null, body: 'Hello' })
  await expect(foreign).rejects.toMatchObject({ code: 'not-found' })
})

test('messages that nobody has read are counted at the booking and need attention, until somebody of the office reads them', async () => {
  const { caller, booking, write, answer } = await twoParties()
  const unread = async () =>
    (await caller.call(verbOf(listBookings), { filters: { unread: true } })).rows.map(({ id, unreadMessages }) => [
      id,
      unreadMessages,
    ])
  const waiting = async (as = caller) =>
    (await as.call(verbOf(getOverview), {})).attention.filter(({ kind }) => kind === 'guests_wrote')
  expect([await unread(), await waiting()]).toEqual([[], []])
  await write('One')
  await write('Two')
  expect(await unread()).toEqual([[booking.id, 2]])
  expect(await waiting()).toMatchObject([{ evidence: { messages: 2 }, departure: { tourName: 'Golden Circle' } }])
  // who may not answer is not asked to
  expect(await waiting(await world.as('viewer', { orgId: caller.orgId }))).toEqual([])
  expect((await caller.call(verbOf(listBookings), { filters: { unread: false } })).total).toBe(1)
  await answer('Thank you.')
  expect([await unread(), await waiting()]).toEqual([[], []])
})

test('a guest writes, the office reads who has written and answers, and the guest reads the answer on the page and by e-mail', async () => {
  const { write, page, thread, answer, mails } = await twoParties()
  expect(await page()).toEqual({ messages: [] })
  await write('  May we bring a dog?\nIt is small. ')
  expect(await thread()).toMatchObject([
    { author: 'guest', body: 'May we bring a dog?\nIt is small.', at: '2030-07-01T10:00:00.000Z', isUnread: true },
  ])
  expect(await answer('Yes, on a lead.')).toEqual({ sentBy: 'email' })
  expect(await thread()).toMatchObject([
    { author: 'guest', isUnread: false },
    { author: 'office', body: 'Yes, on a lead.', writtenBy: expect.any(String), isUnread: false },
  ])
  const read = await page()
  expect(read?.messages.map(({ author, body }) => [author, body])).toEqual([
    ['guest', 'May we bring a dog?\nIt is small.'],
    ['office', 'Yes, on a lead.'],
  ])
  expect(JSON.stringify(read)).not.toContain('writtenBy')
  const [mail, ...more] = await mails()
  expect(mail).toMatchObject({ subject: 'Nuestra respuesta: Golden Circle' })
  expect(mail?.body).toContain('Yes, on a lead.')
  expect(mail?.body).toMatch(/Responda en su página:\nhttps:\/\/ops\.example\/share\//)
  expect(more).toEqual([])
  // its page is one on which the guest can write
  const token = /\/share\/(\S+)/.exec(mail?.body ?? '')?.[1] ?? ''
  expect((await page(token))?.messages).toHaveLength(2)
})

test('the page in an answer is open for two weeks once the tour is over', async () => {
  const { clock, newLink, write, page, answer, mails } = await twoParties()
  const { token } = await newLink({ expiresAt: '2030-09-01T00:00:00Z' })
  clock.set(new Date('2030-07-20T10:00:00Z'))
  await write('I left my coat on the bus.', token)
  await answer('We have it here.')
  const [mail] = await mails()
  const late = /\/share\/(\S+)/.exec(mail?.body ?? '')?.[1] ?? ''
  clock.set(new Date('2030-08-03T09:00:00Z'))
  expect((await page(late))?.messages).toHaveLength(2)
  clock.set(new Date('2030-08-03T10:01:00Z'))
  await expect(page(late)).rejects.toMatchObject(gone)
})

test('the other party of the departure reads nothing of it, and cannot write into it', async () => {
  const { caller, other, otherLink, write, page, thread, lastOf } = await twoParties()
  await write('Our room is 12.')
  expect(await page(otherLink.token)).toEqual({ messages: [] })
  await write('We are late.', otherLink.token)
  expect((await thread()).map(({ body }) => body)).toEqual(['Our room is 12.'])
  expect((await thread(other.id)).map(({ body }) => body)).toEqual(['We are late.'])
  const seen = await lastOf()
  await expect(caller.call(verbOf(answerThread), { id: other.id, seen, body: 'No' })).rejects.toMatchObject({
    code: 'not-found',
  })
})

test('a link without the scope, of the whole departure, paused or revoked takes no message; nor does a member who looks', async () => {
  const { caller, booking, link, newLink, write, page, thread } = await twoParties()
  const silent = await newLink({ scopes: {} })
  const wide = await newLink({ kind: 'departure_guest', subjectId: booking.departureId })
  for (const { token } of [silent, wide]) {
    expect(await page(token)).toBeNull()
    await expect(write('Hello', token)).rejects.toMatchObject(gone)
  }
  await expect(caller.call(verbOf(writeSharedMessage), { token: link.token, body: 'Hello' })).rejects.toMatchObject({
    details: { reason: 'preview_only' },
  })
  const paused = await caller.call(verbOf(pauseLink), { id: link.id, version: link.version, paused: true })
  await expect(write('Hello')).rejects.toMatchObject(gone)
  await caller.call(verbOf(pauseLink), { ...paused, id: link.id, paused: false })
  await write('Hello')
  await caller.call(verbOf(revokeLink), { ids: [link.id] })
  await expect(write('Hello again')).rejects.toMatchObject(gone)
  expect(await thread()).toHaveLength(1)
})

test('a party writes ten messages within an hour, also from two phones at once, of a thousand characters each', async () => {
  const { clock, write, thread } = await twoParties()
  for (const body of ['', '   ', 'x'.repeat(1001)]) {
    await expect(write(body)).rejects.toMatchObject({
      code: 'invalid-argument',
      details: { fieldIssues: { body: [expect.anything()] } },
    })
  }
  const all = await Promise.allSettled(Array.from({ length: 12 }, (_, at) => write(`Message ${at}`)))
  expect(all.filter(({ status }) => status === 'fulfilled')).toHaveLength(10)
  await expect(write('One more')).rejects.toMatchObject({ details: { reason: 'too_many_messages' } })
  clock.set(new Date('2030-07-01T11:00:01Z'))
  await write('x'.repeat(1000))
  expect(await thread()).toHaveLength(11)
})

test('whoever books is notified of the first message that waits, and of the next one once that was read', async () => {
  const { caller, clock, booking, write, lastOf } = await twoParties()
  const viewer = await world.as('viewer', { orgId: caller.orgId, clock })
  await write('First')
  await write('Second')
  const first = { title: 'Ana López has written', body: 'First', link: `/travelers/list?booking=${booking.id}` }
  expect(await notices(world, caller)).toMatchObject([first])
  expect(await notices(world, viewer)).toEqual([])
  await caller.call(verbOf(markThreadRead), { id: booking.id, seen: await lastOf() })
  await write('Third')
  expect(await notices(world, caller)).toMatchObject([first, { body: 'Third' }])
})

test('what a guest wrote after the message that was on screen stays unread', async () => {
  const { caller, booking, write, thread, lastOf } = await twoParties()
  await write('First')
  const seen = await lastOf()
  await write('Second')
  await caller.call(verbOf(markThreadRead), { id: booking.id, seen })
  expect((await thread()).map(({ isUnread }) => isUnread)).toEqual([false, true])
  await caller.call(verbOf(answerThread), { id: booking.id, seen, body: 'To the first' })
  expect((await thread()).map(({ isUnread }) => isUnread)).toEqual([false, true, false])
})

test('who wants only needed e-mails reads the answer on the page alone; a booking without an address likewise', async () => {
  const { caller, clock, booking, other, link, otherLink, asGuest, write, page, thread, answer, mails } =
    await twoParties()
  await asGuest(setGuestEmails, { token: link.token, isOptedOut: true })
  await write('Is there lunch?')
  await answer('Yes.')
  expect(await mails()).toEqual([])
  expect(await messagesOf(caller, booking.id)).toContain('guest_answer suppressed')
  expect((await page())?.messages).toHaveLength(2)
  await write('And for us?', otherLink.token)
  const seen = (await thread(other.id))[0]?.id ?? ''
  expect(await caller.call(verbOf(answerThread), { id: other.id, seen, body: 'Yes.' })).toEqual({ sentBy: null })
  expect(await sentMails(world, clock)).toEqual([])
})

test('a party whose booking was cancelled still writes: it may ask about its money', async () => {
  const { caller, booking, write, page } = await twoParties()
  const { version } = await caller.call(verbOf(getBooking), { id: booking.id })
  await caller.call(verbOf(cancelBooking), { id: booking.id, version, reason: 'guest_request' })
  await write('When do we get our money?')
  expect(await page()).toMatchObject({ messages: [{ body: 'When do we get our money?' }] })
})

test('what people write is not in the audit log, that they did is', async () => {
  const { caller, write, answer } = await twoParties()
  await write('My secret')
  await answer('Our secret')
  const { rows } = await caller.transaction((tx) =>
    sql<{ action: string; actor: string; diff: unknown }>`
      select action, actor_kind as actor, diff from audit_entries where action in ('share-write', 'bookings-answer') order by id`.execute(
      tx,
    ),
  )
  expect(rows.map(({ action, actor }) => `${action} ${actor}`)).toContain('share-write guest_link')
  expect(rows.map(({ action, actor }) => `${action} ${actor}`)).toContain('bookings-answer user')
  expect(JSON.stringify(rows)).not.toContain('secret')
})

test('what the office writes to a departure is on the page of each of its parties, with its time, once it has left', async () => {
  const { caller, clock, booking, link, otherLink, asGuest, newLink } = await twoParties()
  const silent = await newLink({ scopes: {} })
  const news = async (token: string) => (await asGuest(getSharedPage, { token })).news
  const send = (subject: string, more: { departureIds?: string[]; bookingIds?: string[] }) =>
    caller.call(verbOf(sendGuestMessage), {
      audience: more,
      texts: [{ language: 'en', subject, body: 'Dear {{name}}, at the harbour.\n {{link}}' }],
      count: 1,
    })
  await send('The meeting point moved', { departureIds: [booking.departureId] })
  const stopped = await send('Sent too early', { departureIds: [booking.departureId] })
  await caller.call(verbOf(stopGuestMessage), { id: stopped.id })
  await send('Your seats', { bookingIds: [booking.id] })
  expect(await news(link.token)).toEqual([])
  await afterAWhile(caller)
  clock.set(new Date('2030-07-01T10:05:00Z'))
  await sentMails(world, clock)
  const [own, ...others] = await news(link.token)
  expect(own).toMatchObject({ subject: 'Your seats' })
  expect(others).toMatchObject([
    { subject: 'The meeting point moved', body: 'Dear Ana López, at the harbour.', at: '2030-07-01T10:05:00.000Z' },
  ])
  // a party without an address reads it as well, under its own name
  expect(await news(otherLink.token)).toMatchObject([
    { subject: 'The meeting point moved', body: 'Dear Kim Vos, at the harbour.' },
  ])
  expect(await news(silent.token)).toEqual([])
})

test('the monitoring list counts what guests wrote and nobody has read, sorts by it and exports it', async () => {
  const { caller, clock, tourId, booking, write, otherLink, answer } = await twoParties()
  const quiet = await addDeparture(caller, tourId, { startTimeLocal: '08:30' })
  clock.set(new Date('2030-07-14T08:00:00Z'))
  const counts = async () => {
    const { rows } = await caller.call(verbOf(monitoringList), { sort: [{ by: 'unreadMessages', descending: true }] })
    return rows.map((row) => [row.id, row.unreadMessages])
  }
  await write('Where is the bus?')
  await write('Still waiting.')
  await write('Is there lunch?', otherLink.token)
  expect(await counts()).toEqual([
    [booking.departureId, 3],
    [quiet, 0],
  ])
  const { csv } = await caller.call(verbOf(exportMonitoring), { columns: ['open_alerts', 'unread_messages'] })
  expect(
    csv
      .split('\r\n')
      .slice(1, 3)
      .map((line) => line.split(',')[1]),
  ).toContain('3')
  await answer('At the church.')
  expect(await counts()).toContainEqual([booking.departureId, 1])
})
