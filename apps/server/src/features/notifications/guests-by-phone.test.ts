import { getSharedPage, setGuestEmails } from '@tour-ops/contract/links/shared-page'
import { createLink } from '@tour-ops/contract/links/links'
import { guestAudience, previewGuestText, sendGuestMessage } from '@tour-ops/contract/notifications/guest-messages'
import { listBookingMessages } from '@tour-ops/contract/notifications/guest-rules'
import { setOptOut } from '@tour-ops/contract/notifications/opt-outs'
import { sql } from 'kysely'
import { pino } from 'pino'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { afterAWhile, sentMails } from '../../../testing/guest-mail.ts'
import { guestOf } from '../../../testing/links.ts'
import { addDeparture, book, officeWithTour } from '../../../testing/operations.ts'
import { phonesOf, setUpPhone, type TestProvider, testProvider } from '../../../testing/phone-provider.ts'
import { verbsOf } from '../../../testing/verbs.ts'
import { testDatabase, type TestWorld } from '../../../testing/world.ts'
import { Courier } from '../../platform/channels/courier.ts'
import type { Database } from '../../platform/db/database.ts'
import { newWebhookSecret } from '../../platform/http/webhook-signature.ts'
import { guestEnclosures } from '../../platform/operations/guest-enclosures.ts'
import { allVerbs } from '../../verbs.ts'

let world: TestWorld
let provider: TestProvider
beforeAll(async () => {
  world = await testDatabase()
  provider = await testProvider()
})
afterAll(async () => {
  await provider?.close()
  await world?.close()
})

const verbOf = verbsOf(allVerbs)
const phone = '+3545550101'
const texts = [{ language: 'en' as const, subject: 'A new meeting point', body: 'We meet at the church.' }]

/** An office that sends SMS, with a departure of next week. */
async function office({ isSetUp = true, isPreferred = false } = {}) {
  const { caller, clock, tourId } = await officeWithTour(world, new Date('2030-07-01T10:00:00Z'))
  const departureId = await addDeparture(caller, tourId)
  const entries = { address: `${provider.origin}/`, secret: newWebhookSecret() }
  if (isSetUp) await setUpPhone(world.services, caller, entries)
  if (isPreferred) await setUpPhone(world.services, caller, { ...entries, channel: 'whatsapp', isPreferred })
  const bookBy = (contact: { email?: string; phone?: string }, name = 'Ana López') =>
    book(caller, departureId, 2, { contact: { name, ...contact } })
  /** Texts that leave now. */
  const texted = async (): Promise<{ channel: string; to: string; text: string }[]> => {
    const before = provider.asked.length
    const transaction: Database['transaction'] = (scope, run) => world.database.transaction({ ...scope, clock }, run)
    const db = new Proxy(world.database, {
      get: (target, name) => (name === 'transaction' ? transaction : Reflect.get(target, name, target)),
    })
    const phones = phonesOf(world.services, [provider.host])
    const enclose = guestEnclosures('https://ops.example')
    await new Courier({ db, log: pino({ level: 'silent' }), mail: null, phones, enclose }).deliverDue()
    return provider.asked.slice(before).map(({ body }) => JSON.parse(body).data)
  }
  const messages = (id: string) => caller.call(verbOf(listBookingMessages), { id })
  const audience = { departureIds: [departureId] }
  const write = (count: number, short?: string) =>
    caller.call(verbOf(sendGuestMessage), {
      audience,
      texts: texts.map((text) => ({ ...text, ...(short !== undefined && { short }) })),
      count,
    })
  return { caller, clock, departureId, bookBy, texted, messages, audience, write }
}

describe('a guest with a phone number and no e-mail address', () => {
  test('gets the confirmation as a short text with the page of the booking', async () => {
    const { bookBy, texted, messages, caller, clock } = await office()
    const { id } = await bookBy({ phone })
    const [text, ...more] = await texted()
    expect(more).toEqual([])
    expect(text).toMatchObject({ channel: 'sms', to: phone })
    expect(text?.text).toMatch(/Your booking is confirmed: .+\n/)
    const address = /https:\/\/ops\.example\/share\/([\w-]+)$/.exec(text?.text ?? '')
    const page = await guestOf(world, clock)(getSharedPage, { token: address?.[1] ?? '' })
    expect(page.emails).toEqual({ channel: 'sms', address: '…101', isOptedOut: false, isStopped: false })
    expect(await messages(id)).toMatchObject({
      reachedBy: 'sms',
      messages: [{ kind: 'booking_confirmed', channel: 'sms', to: phone, status: 'sent' }],
    })
    expect(caller.orgId).toBeTruthy()
  })

  test('is told nothing while no channel is set up, as before', async () => {
    const { bookBy, texted, messages } = await office({ isSetUp: false })
    const { id } = await bookBy({ phone })
    expect(await texted()).toEqual([])
    expect(await messages(id)).toEqual({ messages: [], reachedBy: null, isOptedOut: false, isByText: false })
  })

  test('is reached by WhatsApp where the organization prefers it', async () => {
    const { bookBy, texted } = await office({ isPreferred: true })
    await bookBy({ phone })
    expect((await texted()).map(({ channel }) => channel)).toEqual(['whatsapp'])
  })

  test('is not texted where there is an address: e-mail comes first', async () => {
    const { bookBy, texted, clock } = await office()
    await bookBy({ phone, email: 'ana@example.com' })
    expect((await sentMails(world, clock)).map(({ to }) => to)).toContain('ana@example.com')
    expect(await texted()).toEqual([])
  })

  test('whose number was corrected meanwhile is texted there', async () => {
    const { bookBy, texted, caller } = await office()
    const { id } = await bookBy({ phone })
    await caller.transaction((tx) =>
      sql`update bookings set contact_phone = '+3545550199' where id = ${id}`.execute(tx),
    )
    expect((await texted()).map(({ to }) => to)).toEqual(['+3545550199'])
  })
})

describe('what somebody writes to a departure', () => {
  test('is counted by channel, and names whom nothing reaches', async () => {
    const { bookBy, audience, caller } = await office()
    await bookBy({ email: 'bo@example.com' }, 'Bo')
    await bookBy({ phone }, 'Ana')
    await bookBy({}, 'Cy')
    const meant = await caller.call(verbOf(guestAudience), { audience })
    expect(meant).toMatchObject({
      count: 2,
      channels: [
        { channel: 'email', count: 1 },
        { channel: 'sms', count: 1 },
      ],
      unreachedCount: 1,
      unreached: [{ name: 'Cy', reason: 'no_address' }],
    })
    const { message } = await caller.call(verbOf(previewGuestText), { audience, texts, at: 0 })
    expect(message).toMatchObject({ name: 'Ana', channel: 'sms', to: phone })
    expect(message?.body).toMatch(/: A new meeting point\n\{link\}$/)
  })

  test('leaves as its short text, else as its subject and the page', async () => {
    const { bookBy, write, texted, caller } = await office()
    await bookBy({ phone })
    await texted()
    await write(1)
    await afterAWhile(caller)
    expect((await texted()).map(({ text }) => text)).toEqual([
      expect.stringMatching(/: A new meeting point\nhttps:\/\/ops\.example\/share\/[\w-]+$/),
    ])
    await write(1, '{{name}}, we meet at the church.')
    await afterAWhile(caller)
    expect((await texted()).map(({ text }) => text)).toEqual(['Ana López, we meet at the church.'])
  })

  test('is on the page of the guest in full', async () => {
    const { bookBy, write, texted, caller, clock } = await office()
    await bookBy({ phone })
    const [confirmed] = await texted()
    await write(1, 'We meet at the church. See your page.')
    await afterAWhile(caller)
    await texted()
    const page = await guestOf(world, clock)(getSharedPage, { token: /[\w-]+$/.exec(confirmed?.text ?? '')?.[0] ?? '' })
    expect(page.news?.map(({ body }) => body)).toEqual(['We meet at the church.'])
  })

  test('does not reach a number whose owner wants only what is needed, and says so', async () => {
    const { bookBy, write, texted, caller, clock, messages, audience } = await office()
    const { id } = await bookBy({ phone })
    await texted()
    const { token } = await caller.call(verbOf(createLink), {
      kind: 'booking_guest',
      subjectId: id,
      label: 'For guests',
    })
    await write(1)
    await guestOf(world, clock)(setGuestEmails, { token, isOptedOut: true })
    await afterAWhile(caller)
    expect(await texted()).toEqual([])
    expect(await messages(id)).toMatchObject({ isOptedOut: true, messages: [{ suppressedReason: 'opted_out' }, {}] })
    expect((await caller.call(verbOf(guestAudience), { audience })).unreached).toMatchObject([{ reason: 'opted_out' }])
    expect(await caller.call(verbOf(setOptOut), { id, isOptedOut: false })).toEqual({ isOptedOut: false })
    expect((await caller.call(verbOf(guestAudience), { audience })).count).toBe(1)
  })
})
