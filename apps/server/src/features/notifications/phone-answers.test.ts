import { answerThread, bookingThread } from '@tour-ops/contract/bookings/booking-thread'
import { cancelBooking } from '@tour-ops/contract/bookings/bookings'
import { createLink } from '@tour-ops/contract/links/links'
import { getSharedPage, setGuestEmails } from '@tour-ops/contract/links/shared-page'
import { sendGuestMessage } from '@tour-ops/contract/notifications/guest-messages'
import { listBookingMessages } from '@tour-ops/contract/notifications/guest-rules'
import { setOptOut } from '@tour-ops/contract/notifications/opt-outs'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { afterAWhile, withoutQuietHours } from '../../../testing/guest-mail.ts'
import { notices } from '../../../testing/inbox.ts'
import { guestOf } from '../../../testing/links.ts'
import { addDeparture, book } from '../../../testing/operations.ts'
import {
  account,
  answersPath,
  answersServer,
  deliverTexts,
  postForm,
  postSigned,
  startedAt,
  textingOffice,
} from '../../../testing/phone-answers.ts'
import { setUpPhone, type TestProvider, testProvider } from '../../../testing/phone-provider.ts'
import { verbsOf } from '../../../testing/verbs.ts'
import { testDatabase, type TestWorld } from '../../../testing/world.ts'
import { newWebhookSecret } from '../../platform/http/webhook-signature.ts'
import { newId } from '../../platform/ids.ts'
import { allVerbs } from '../../verbs.ts'

let world: TestWorld
let server: Awaited<ReturnType<typeof answersServer>>
let provider: TestProvider
beforeAll(async () => {
  world = await testDatabase()
  server = await answersServer(world)
  provider = await testProvider()
})
afterAll(async () => {
  await provider?.close()
  await server?.close()
  await world?.close()
})

const verbOf = verbsOf(allVerbs)
const phone = '+3545550101'
const newSid = () => `SM${newId().replaceAll('-', '')}`

/** A party whose contact has a phone and no e-mail address, and what its phone sends. */
async function party() {
  const office = await textingOffice(world)
  const { caller, clock, departureId, token, path } = office
  await withoutQuietHours(caller)
  const booking = await book(caller, departureId, 2, { contact: { name: 'Ana López', phone } })
  provider.answer(() => ({ status: 201, body: { sid: newSid() } }))
  await deliverTexts(world, provider, clock)
  const say = (text: string, more: Record<string, string> = {}, by: Partial<Parameters<typeof postForm>[1]> = {}) =>
    postForm(server, {
      path,
      token,
      form: { MessageSid: newSid(), SmsStatus: 'received', From: phone, To: '+447700900999', Body: text, ...more },
      ...by,
    })
  const thread = async (id = booking.id) => (await caller.call(verbOf(bookingThread), { id })).messages
  const texts = async (id?: string) => (await thread(id)).map(({ body }) => body)
  const choice = async () => {
    const { isOptedOut, isByText } = await caller.call(verbOf(listBookingMessages), { id: booking.id })
    return { isOptedOut, isByText }
  }
  /** Texts that reach the guest of what the office writes now. */
  const written = async (count = 1) => {
    const content = [{ language: 'en' as const, subject: 'A new meeting point', body: 'We meet at the church.' }]
    const audience = { departureIds: [departureId] }
    await caller.call(verbOf(sendGuestMessage), { audience, texts: content, count })
    await afterAWhile(caller)
    return (await deliverTexts(world, provider, clock)).length
  }
  return { ...office, booking, say, thread, texts, choice, written }
}

describe('a guest who answers a text', () => {
  test('is read in the thread of the booking, and whoever books is notified', async () => {
    const { say, thread, caller } = await party()
    const answer = await say('We are five minutes late')
    expect([answer.status, await answer.text()]).toEqual([200, '<?xml version="1.0" encoding="UTF-8"?><Response/>'])
    expect(await thread()).toMatchObject([
      { author: 'guest', channel: 'sms', body: 'We are five minutes late', writtenBy: null, isUnread: true },
    ])
    expect((await notices(world, caller)).map(({ title, body }) => `${title}: ${body}`)).toEqual([
      'Ana López has written: We are five minutes late',
    ])
  })

  test('gets the answer of the office by a text too', async () => {
    const { say, thread, caller, clock, booking } = await party()
    await say('Which bus?')
    const seen = (await thread()).at(-1)?.id ?? ''
    const answered = await caller.call(verbOf(answerThread), { id: booking.id, seen, body: 'The red one.' })
    expect(answered).toEqual({ sentBy: 'sms' })
    await afterAWhile(caller)
    const texts = (await deliverTexts(world, provider, clock)).map(({ body }) => new URLSearchParams(body).get('Body'))
    expect(texts).toEqual([expect.stringMatching(/^The red one\.\nhttps:\/\/ops\.example\/share\/[\w-]+$/)])
  })

  test('is read line by line, as people write on phones, up to a hundred in an hour', async () => {
    const { say, texts, caller, booking } = await party()
    const count = async () => {
      const { rows } = await caller.transaction((tx) =>
        sql<{
          count: number
        }>`select count(*)::int as count from booking_messages where booking_id = ${booking.id}`.execute(tx),
      )
      return rows[0]?.count
    }
    // each as long as the provider lets it
    await say('ü'.repeat(5000))
    expect((await texts())[0]).toHaveLength(4096)
    for (let line = 2; line <= 12; line += 1) expect((await say(`Line ${line}`)).status).toBe(200)
    expect(await count()).toBe(12)
    await caller.transaction((tx) =>
      sql`insert into booking_messages (org_id, id, booking_id, author, body, channel)
        select ${caller.orgId}, gen_random_uuid(), ${booking.id}, 'guest', 'Line', 'sms' from generate_series(13, 99)`.execute(
        tx,
      ),
    )
    await say('Line 100')
    await say('Line 101')
    expect(await count()).toBe(100)
  })

  test('is read once, however often the provider sends it', async () => {
    const { say, texts } = await party()
    const same = { MessageSid: newSid() }
    await Promise.all([say('Hello', same), say('Hello', same)])
    await say('Hello', same)
    expect(await texts()).toEqual(['Hello'])
    await say('Hello')
    expect(await texts()).toEqual(['Hello', 'Hello'])
  })

  test('is not read where the provider did not sign it, or another organization did', async () => {
    const { say, texts } = await party()
    const other = await party()
    expect((await say('Hello', {}, { signature: 'x' })).status).toBe(403)
    expect((await say('Hello', {}, { token: other.token })).status).toBe(403)
    // a provider speaks for its own organization only, whatever number it names
    expect((await other.say('Hello there')).status).toBe(200)
    expect(await texts()).toEqual([])
    expect(await other.texts()).toEqual(['Hello there'])
  })

  test('is found by the tour that runs, else the next, else the last one', async () => {
    const { caller, tourId, say, texts, booking } = await party()
    const bookAt = async (localDate: string) => {
      const departureId = await addDeparture(caller, tourId, { localDate })
      return (await book(caller, departureId, 1, { contact: { name: 'Ana', phone } })).id
    }
    const later = await bookAt('2030-08-20')
    await say('Next week')
    expect([await texts(), await texts(later)]).toEqual([['Next week'], []])
    server.clock.set(new Date('2030-08-20T11:00:00Z'))
    await say('On the tour')
    server.clock.set(new Date('2030-08-25T11:00:00Z'))
    await say('I left my jacket')
    server.clock.set(new Date('2031-01-01T11:00:00Z'))
    await say('Somebody else has this number by now')
    server.clock.set(startedAt)
    expect(await texts(later)).toEqual(['On the tour', 'I left my jacket'])
    expect(await texts(booking.id)).toEqual(['Next week'])
  })

  test('of a cancelled booking is read there, unless another one is ahead', async () => {
    const { caller, booking, say, texts, departureId } = await party()
    await caller.call(verbOf(cancelBooking), { ...booking, reason: 'guest_request', tellGuest: false })
    await say('And my money?')
    const again = await book(caller, departureId, 1, { contact: { name: 'Ana', phone } })
    await say('Booked again')
    expect([await texts(), await texts(again.id)]).toEqual([['And my money?'], ['Booked again']])
  })

  test('with pictures is read with a note, and with nothing is not', async () => {
    const { say, texts } = await party()
    await say('', { NumMedia: '1' })
    await say('Our car\u0000\u0007', { NumMedia: '2' })
    await say(' ')
    const note = '[With a picture or file, which is at the provider only.]'
    expect(await texts()).toEqual([note, `Our car\n${note}`])
  })

  test('by WhatsApp is read too', async () => {
    const { caller, say, thread } = await party()
    const token = newId()
    await setUpPhone(world.services, caller, { channel: 'whatsapp', account, sender: '+447700900998', secret: token })
    await say('Hello', { From: `whatsapp:${phone}` }, { token, path: await answersPath(caller, 'whatsapp') })
    expect(await thread()).toMatchObject([{ channel: 'whatsapp', body: 'Hello' }])
  })
})

test('a number that nobody knows is answered, and logged without its text', async () => {
  const { say, texts, caller } = await party()
  for (const From of ['+4915550000000', 'Aurora', '', '12345']) {
    expect((await say('Who are you, secretly?', { From })).status).toBe(200)
  }
  expect(await texts()).toEqual([])
  const lines = server.lines.filter(({ orgId, outcome }) => orgId === caller.orgId && outcome === 'unknown')
  expect(lines).toHaveLength(4)
  const log = JSON.stringify(server.lines)
  expect(log).not.toContain('secretly')
  expect(log).not.toContain('4915550000000')
})

describe('a guest who writes STOP', () => {
  test('gets nothing more that they can do without, and all again after START', async () => {
    const { say, choice, written, texts, caller } = await party()
    expect(await written()).toBe(1)
    await say('Stop')
    expect(await choice()).toEqual({ isOptedOut: true, isByText: true })
    expect(await texts()).toEqual([])
    await expect(written()).rejects.toMatchObject({ details: { reason: 'audience_changed' } })
    await say('START')
    expect(await choice()).toEqual({ isOptedOut: false, isByText: false })
    expect(await written()).toBe(1)
    const { rows } = await caller.transaction((tx) =>
      sql<{ actor: string }>`select actor_kind || ' ' || action as actor from audit_entries
        where org_id = ${caller.orgId} and entity_type = 'opt_outs' order by id`.execute(tx),
    )
    expect(rows.map(({ actor }) => actor)).toEqual(['api phone-answer', 'api phone-answer'])
  })

  test('gets nothing of what waits already', async () => {
    const { caller, clock, departureId, say } = await party()
    const texts = [{ language: 'en' as const, subject: 'Hello', body: 'A new meeting point.' }]
    await caller.call(verbOf(sendGuestMessage), { audience: { departureIds: [departureId] }, texts, count: 1 })
    await say('STOP')
    await afterAWhile(caller)
    expect(await deliverTexts(world, provider, clock)).toEqual([])
  })

  test.each(['ARRÊT', 'Stopp!', 'baja.', ' unsubscribe ', 'QUIT', 'stop all'])('may write %s', async (word) => {
    const { say, choice, texts } = await party()
    await say(word)
    expect(await choice()).toEqual({ isOptedOut: true, isByText: true })
    expect(await texts()).toEqual([])
  })

  test('with a word that may mean the booking is read as well', async () => {
    const { say, choice, texts } = await party()
    await say('Cancel')
    expect(await choice()).toMatchObject({ isOptedOut: true })
    expect(await texts()).toEqual(['Cancel'])
  })

  test('has to write nothing else: a sentence with it is an answer', async () => {
    const { say, choice, texts } = await party()
    await say('Where does the bus stop?')
    await say('Yes')
    expect(await choice()).toMatchObject({ isOptedOut: false })
    expect(await texts()).toEqual(['Where does the bus stop?', 'Yes'])
  })

  test('is believed by what the provider made of it as well', async () => {
    const { say, choice } = await party()
    await say('Genug', { OptOutType: 'STOP' })
    expect(await choice()).toMatchObject({ isOptedOut: true })
    await say('Doch', { OptOutType: 'START' })
    expect(await choice()).toMatchObject({ isOptedOut: false })
  })

  test('before a later START is not believed again when it is repeated', async () => {
    const { say, choice } = await party()
    const same = { MessageSid: newSid() }
    await say('STOP', same)
    await say('START')
    await say('STOP', same)
    expect(await choice()).toMatchObject({ isOptedOut: false })
  })

  test('says it for this organization and this channel only, also before they book', async () => {
    const { caller, say, departureId } = await party()
    const other = await party()
    await say('STOP', { From: '+3545550177' })
    const { id } = await book(caller, departureId, 1, { contact: { name: 'Bo', phone: '+3545550177' } })
    expect(await caller.call(verbOf(listBookingMessages), { id })).toMatchObject({ isOptedOut: true, isByText: true })
    await say('STOP')
    expect(await other.choice()).toMatchObject({ isOptedOut: false })
  })

  test('gets no confirmation of another booking either, which says why, until START', async () => {
    const { caller, clock, departureId, say } = await party()
    await say('STOP')
    const again = async () => {
      const { id } = await book(caller, departureId, 1, { contact: { name: 'Ana López', phone } })
      const texts = await deliverTexts(world, provider, clock)
      const { messages } = await caller.call(verbOf(listBookingMessages), { id })
      return { texts: texts.length, held: messages.map(({ suppressedReason }) => suppressedReason) }
    }
    expect(await again()).toEqual({ texts: 0, held: ['said_stop'] })
    await say('START')
    expect(await again()).toEqual({ texts: 1, held: [null] })
  })

  test('is the only one who can lift it, and is not made less by what was chosen before', async () => {
    const { caller, clock, say, booking, choice } = await party()
    const { token } = await caller.call(verbOf(createLink), {
      kind: 'booking_guest',
      subjectId: booking.id,
      label: 'For guests',
    })
    await caller.call(verbOf(setOptOut), { id: booking.id, isOptedOut: true })
    expect(await choice()).toEqual({ isOptedOut: true, isByText: false })
    await say('STOP')
    expect(await choice()).toEqual({ isOptedOut: true, isByText: true })
    const stopped = { details: { reason: 'said_stop' } }
    await expect(caller.call(verbOf(setOptOut), { id: booking.id, isOptedOut: false })).rejects.toMatchObject(stopped)
    const guest = guestOf(world, clock)
    await expect(guest(setGuestEmails, { token, isOptedOut: false })).rejects.toMatchObject(stopped)
    expect((await guest(getSharedPage, { token })).emails).toMatchObject({ isOptedOut: true, isStopped: true })
    await say('START')
    expect(await choice()).toEqual({ isOptedOut: false, isByText: false })
  })

  test('is not believed without the signature', async () => {
    const { say, choice } = await party()
    expect((await say('STOP', {}, { signature: 'x' })).status).toBe(403)
    expect(await choice()).toMatchObject({ isOptedOut: false })
  })
})

test('an own service posts answers as well, signed and once', async () => {
  const { caller, texts, choice } = await party()
  const secret = newWebhookSecret()
  await caller.transaction((tx) => sql`delete from phone_channels where org_id = ${caller.orgId}`.execute(tx))
  await setUpPhone(world.services, caller, { address: `${provider.origin}/`, secret })
  const path = await answersPath(caller)
  const received = (text: string, from = phone) => ({ type: 'message.received', data: { from, text } })
  const posted = { path, secret, id: newId(), body: received('Which bus?') }
  const outcome = async (request: Parameters<typeof postSigned>[1]) =>
    ((await (await postSigned(server, request)).json()) as { result: { outcome: string } }).result.outcome
  expect(await outcome(posted)).toBe('taken')
  expect(await outcome(posted)).toBe('repeated')
  expect(await outcome({ path, secret, body: received('Who?', '+4915550000000') })).toBe('unknown')
  expect((await postSigned(server, { path, secret: newWebhookSecret(), body: received('Forged') })).status).toBe(403)
  expect((await postSigned(server, { path, secret, body: received('\u0000') })).status).toBe(400)
  await postSigned(server, { path, secret, body: received('STOP') })
  expect(await texts()).toEqual(['Which bus?'])
  expect(await choice()).toEqual({ isOptedOut: true, isByText: true })
})
