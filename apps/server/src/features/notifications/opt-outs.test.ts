import { cancelBooking, updateBooking } from '@tour-ops/contract/bookings/bookings'
import { createLink } from '@tour-ops/contract/links/links'
import { getSharedPage, setGuestEmails } from '@tour-ops/contract/links/shared-page'
import { guestAudience, sendGuestMessage } from '@tour-ops/contract/notifications/guest-messages'
import { listBookingMessages } from '@tour-ops/contract/notifications/guest-rules'
import { listOutbox } from '@tour-ops/contract/notifications/notifications'
import { setOptOut } from '@tour-ops/contract/notifications/opt-outs'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { afterAWhile, messagesOf, sentMails, showOnScreen } from '../../../testing/guest-mail.ts'
import { guestOf } from '../../../testing/links.ts'
import { addDeparture, book, officeWithTour } from '../../../testing/operations.ts'
import { testServer, type TestServer } from '../../../testing/http-server.ts'
import { mailSink } from '../../../testing/mail-sink.ts'
import { verbsOf } from '../../../testing/verbs.ts'
import { type TestCaller, testDatabase, type TestWorld } from '../../../testing/world.ts'
import { type Mail, smtpTransport } from '../../platform/channels/mail-transport.ts'
import { newId } from '../../platform/ids.ts'
import { allVerbs } from '../../verbs.ts'
import { remindGuests } from './remind-guests.ts'

let world: TestWorld
let server: TestServer
beforeAll(async () => {
  world = await testDatabase()
  const env = { DEMO: 'off', SESSION_SECRET: world.services.config.secret }
  server = await testServer({ services: world.services, env })
})
afterAll(async () => {
  await server?.close()
  await world?.close()
})

/** What a mail program reads, without the host. */
const addressIn = (mail: Mail | undefined): string => (mail?.optOutUrl ?? '').replace('https://ops.example', '')
/** Where a person gets to who opens it. */
const leadsTo = async (mail: Mail | undefined): Promise<string | null> =>
  (await server.fetch(addressIn(mail), { redirect: 'manual' })).headers.get('location')
/** As mail programs do. */
const post = async (address: string, body: URLSearchParams | FormData): Promise<number> =>
  (await server.fetch(address, { method: 'POST', body })).status
const oneClick = { 'List-Unsubscribe': 'One-Click' }

const verbOf = verbsOf(allVerbs)
const texts = [{ language: 'en' as const, subject: 'Hello', body: 'A new meeting point.' }]

/** A party of two on a departure of next week, its confirmation sent, and the link of its booking. */
async function party() {
  const { caller, clock, tourId } = await officeWithTour(world, new Date('2030-07-01T10:00:00Z'))
  const departureId = await addDeparture(caller, tourId)
  const email = `ana.${newId()}@example.com`
  const contact = { name: 'Ana López', email, phone: '+354 555 0101' }
  const booking = await book(caller, departureId, 2, { contact })
  await sentMails(world, clock)
  const asGuest = guestOf(world, clock)
  const link = (kind: 'booking_guest' | 'departure_guest' = 'booking_guest') =>
    caller.call(verbOf(createLink), {
      kind,
      subjectId: kind === 'booking_guest' ? booking.id : departureId,
      label: 'For guests',
    })
  const { token } = await link()
  const choose = (isOptedOut: boolean, by = token) => asGuest(setGuestEmails, { token: by, isOptedOut })
  const mails = async () => (await sentMails(world, clock)).filter(({ to }) => to === email)
  const write = (count = 1) =>
    caller.call(verbOf(sendGuestMessage), { audience: { departureIds: [departureId] }, texts, count })
  const remind = async () => {
    clock.set(new Date('2030-07-13T19:00:00Z'))
    await remindGuests({ ...world.services, clock })
  }
  return {
    caller,
    clock,
    tourId,
    departureId,
    booking,
    email,
    contact,
    link,
    token,
    choose,
    mails,
    write,
    remind,
    asGuest,
  }
}

const stateOf = async (caller: TestCaller, id: string) => {
  const { messages, isOptedOut } = await caller.call(verbOf(listBookingMessages), { id })
  return {
    isOptedOut,
    held: messages.filter(({ status }) => status === 'suppressed').map((row) => row.suppressedReason),
  }
}

describe('a guest who wants only the e-mails that are needed', () => {
  test('says so on the link of the booking, which names the address no further than its owner needs', async () => {
    const { token, asGuest, choose, email } = await party()
    const shown = { channel: 'email', address: `a…${email.slice(email.indexOf('@'))}`, isStopped: false }
    expect((await asGuest(getSharedPage, { token })).emails).toEqual({ ...shown, isOptedOut: false })
    expect(await choose(true)).toEqual({ ...shown, isOptedOut: true })
    expect(await choose(true)).toEqual({ ...shown, isOptedOut: true })
    expect((await asGuest(getSharedPage, { token })).emails).toEqual({ ...shown, isOptedOut: true })
    expect(await choose(false)).toEqual({ ...shown, isOptedOut: false })
  })

  test('gets no reminder, and the cancellation all the same', async () => {
    const { caller, booking, choose, mails, remind } = await party()
    await choose(true)
    await remind()
    expect(await mails()).toEqual([])
    expect(await messagesOf(caller, booking.id)).toEqual(['pickup_reminder suppressed', 'booking_confirmed sent'])
    expect(await stateOf(caller, booking.id)).toEqual({ isOptedOut: true, held: ['opted_out'] })
    await caller.call(verbOf(cancelBooking), {
      id: booking.id,
      version: booking.version,
      reason: 'guest_request',
      tellGuest: true,
    })
    await afterAWhile(caller)
    expect((await mails()).map(({ subject }) => subject)).toEqual(['Your booking is cancelled: Golden Circle'])
  })

  test('gets the reminder again who wants all of them again, with where to say otherwise', async () => {
    const { choose, mails, remind } = await party()
    await choose(true)
    await choose(false)
    await remind()
    const [mail, ...others] = await mails()
    expect(others).toEqual([])
    expect(mail?.body).toContain('Fewer e-mails?')
    expect(await leadsTo(mail)).toMatch(/^\/share\/\S+#emails$/)
  })

  test('is left out of what somebody writes, and named with the phone to call', async () => {
    const { caller, departureId, choose, write } = await party()
    await choose(true)
    const audience = { departureIds: [departureId] }
    expect(await caller.call(verbOf(guestAudience), { audience })).toMatchObject({
      count: 0,
      unreached: [{ name: 'Ana López', phone: '+3545550101', reason: 'opted_out' }],
      unreachedCount: 1,
    })
    await expect(write()).rejects.toMatchObject({ details: { reason: 'audience_changed' } })
  })

  test('gets nothing of what waits already when they say so', async () => {
    const { caller, booking, choose, mails, write } = await party()
    await write()
    await choose(true)
    await afterAWhile(caller)
    expect(await mails()).toEqual([])
    expect(await messagesOf(caller, booking.id)).toEqual(['guest_message suppressed', 'booking_confirmed sent'])
  })

  test('gets nothing also where e-mails are only read on screen', async () => {
    const { caller, clock, booking, choose, write } = await party()
    await write()
    await choose(true)
    await afterAWhile(caller)
    await showOnScreen(world, clock)
    expect(await stateOf(caller, booking.id)).toEqual({ isOptedOut: true, held: ['opted_out'] })
  })

  test('is spared on every booking of the address, however it is written, and on one whose address was corrected to it', async () => {
    const { caller, clock, departureId, choose, email, write, mails } = await party()
    const shouted = await book(caller, departureId, 1, { contact: { name: 'Ana', email: email.toUpperCase() } })
    const typo = await book(caller, departureId, 1, { contact: { name: 'Ana', email: `typo-${newId()}@example.com` } })
    await sentMails(world, clock)
    await write(3)
    await caller.call(verbOf(updateBooking), {
      id: typo.id,
      version: typo.version,
      contact: { name: 'Ana', email },
      amountTotalMinor: typo.amountTotalMinor,
      tellGuest: false,
    })
    await choose(true)
    await afterAWhile(caller)
    expect(await mails()).toEqual([])
    expect((await stateOf(caller, shouted.id)).held).toEqual(['opted_out'])
    expect((await stateOf(caller, typo.id)).held).toEqual(['opted_out'])
  })

  test('is counted in the log, which says why something was held back and keeps the address out of the audit log', async () => {
    const { caller, clock, choose, write, email } = await party()
    await write()
    await choose(true)
    await afterAWhile(caller)
    await sentMails(world, clock)
    const { figures, rows } = await caller.call(verbOf(listOutbox), { filters: { status: ['suppressed'] } })
    expect(figures.optedOut).toBe(1)
    expect(rows).toMatchObject([{ to: email, suppressedReason: 'opted_out' }])
    const { rows: logged } = await caller.transaction((tx) =>
      sql<{
        address: string
        actor: string
      }>`select diff ->> 'address' as address, actor_kind as actor from audit_entries
        where entity_type = 'opt_outs'`.execute(tx),
    )
    expect(logged).toEqual([{ address: '***', actor: 'guest_link' }])
  })
})

describe('a mail program', () => {
  test('says it for its owner by one post, however often, and opening the address changes nothing', async () => {
    const { caller, booking, mails, remind } = await party()
    await remind()
    const [mail] = await mails()
    expect(mail?.isOneClick).toBe(true)
    const address = addressIn(mail)
    expect(await leadsTo(mail)).toMatch(/^\/share\/\S+#emails$/)
    expect(await post(address, new URLSearchParams({ List: 'One-Click' }))).toBe(400)
    expect(await stateOf(caller, booking.id)).toMatchObject({ isOptedOut: false })
    expect(await post(address, new URLSearchParams(oneClick))).toBe(200)
    expect(await post(address, new URLSearchParams(oneClick))).toBe(200)
    expect(await stateOf(caller, booking.id)).toMatchObject({ isOptedOut: true })
  })

  test('may send it as a form of parts, and it counts for who got the e-mail, not for an address that was corrected since', async () => {
    const { caller, booking, mails, remind, email } = await party()
    await remind()
    const [mail] = await mails()
    const { version } = booking
    const other = `new.${email}`
    const contact = { name: 'Ana López', email: other }
    const { id, amountTotalMinor } = booking
    await caller.call(verbOf(updateBooking), { id, version, contact, amountTotalMinor, tellGuest: false })
    const form = new FormData()
    form.set('List-Unsubscribe', 'One-Click')
    expect(await post(addressIn(mail), form)).toBe(200)
    expect(await stateOf(caller, booking.id)).toMatchObject({ isOptedOut: false })
    const { rows } = await caller.transaction((tx) =>
      sql<{ address: string }>`select address from opt_outs where org_id = ${caller.orgId}`.execute(tx),
    )
    expect(rows).toEqual([{ address: email }])
  })

  test('gets nothing by an address that was made for another e-mail, or by nobody, and no page elsewhere', async () => {
    const one = await party()
    const two = await party()
    for (const { remind } of [one, two]) await remind()
    const [first] = await one.mails()
    const [second] = await two.mails()
    const [, org = '', delivery = '', proof = ''] =
      /^\/unsubscribe\/([^/]+)\/([^/]+)\/([^/?]+)/.exec(addressIn(first)) ?? []
    const [, otherOrg = '', otherDelivery = ''] = /^\/unsubscribe\/([^/]+)\/([^/]+)/.exec(addressIn(second)) ?? []
    for (const address of [
      `/unsubscribe/${org}/${otherDelivery}/${proof}`,
      `/unsubscribe/${otherOrg}/${delivery}/${proof}`,
      `/unsubscribe/${org}/${delivery}/${proof.slice(1)}A`,
      `/unsubscribe/${org}/${delivery}/`,
    ]) {
      expect(await post(address, new URLSearchParams(oneClick))).toBe(404)
    }
    expect(await stateOf(two.caller, two.booking.id)).toMatchObject({ isOptedOut: false })
    const elsewhere = `/unsubscribe/${org}/${delivery}/${proof}?page=${encodeURIComponent('//evil.example')}`
    expect((await server.fetch(elsewhere, { redirect: 'manual' })).status).toBe(404)
  })

  test('reads both headers in what the mail server gets', async () => {
    const sink = await mailSink()
    const mail = smtpTransport(`smtp://127.0.0.1:${sink.port}`, 'Tours <office@example.com>')
    const optOutUrl = 'https://ops.example/unsubscribe/a/b/c'
    await mail.send({ to: 'ana@example.com', subject: 'Hello', body: 'Hello', optOutUrl, isOneClick: true })
    expect(sink.mails.join()).toContain(`List-Unsubscribe: <${optOutUrl}>`)
    expect(sink.mails.join()).toContain('List-Unsubscribe-Post: List-Unsubscribe=One-Click')
    mail.close()
    await sink.close()
  })
})

describe('who may say so', () => {
  test('is the office, for a guest on the phone', async () => {
    const { caller, booking, asGuest, token } = await party()
    const set = (isOptedOut: boolean) => caller.call(verbOf(setOptOut), { id: booking.id, isOptedOut })
    expect(await set(true)).toEqual({ isOptedOut: true })
    expect((await asGuest(getSharedPage, { token })).emails?.isOptedOut).toBe(true)
    expect(await set(false)).toEqual({ isOptedOut: false })
    expect(await stateOf(caller, booking.id)).toEqual({ isOptedOut: false, held: [] })
  })

  test('is nobody for a booking without an address', async () => {
    const { caller, departureId } = await party()
    const { id } = await book(caller, departureId, 1, { contact: { name: 'Carl', phone: '+354 555 0102' } })
    await expect(caller.call(verbOf(setOptOut), { id, isOptedOut: true })).rejects.toMatchObject({
      code: 'aborted',
      details: { reason: 'no_guest_address' },
    })
  })

  test('is not who holds a link that is no booking’s, nor a member who looks at what guests see', async () => {
    const { caller, link, choose, asGuest, token } = await party()
    const everybody = await link('departure_guest')
    expect((await asGuest(getSharedPage, { token: everybody.token })).emails).toBeNull()
    await expect(choose(true, everybody.token)).rejects.toMatchObject({ code: 'not-found' })
    await expect(caller.call(verbOf(setGuestEmails), { token, isOptedOut: true })).rejects.toMatchObject({
      details: { reason: 'preview_only' },
    })
  })

  test('says it for one organization: another one writes as before', async () => {
    const { choose } = await party()
    await choose(true)
    const other = await party()
    const same = await book(other.caller, other.departureId, 1, { contact: { name: 'Ana', email: other.email } })
    expect((await stateOf(other.caller, same.id)).isOptedOut).toBe(false)
  })
})

test('two who say the same at once say it once', async () => {
  const { choose, caller, email } = await party()
  const answers = await Promise.all([choose(true), choose(true), choose(true)])
  expect(answers.every(({ isOptedOut }) => isOptedOut)).toBe(true)
  const { rows } = await caller.transaction((tx) => sql<{ address: string }>`select address from opt_outs`.execute(tx))
  expect(rows).toEqual([{ address: email }])
})
