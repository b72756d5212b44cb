import { cancelBooking } from '@tour-ops/contract/bookings/bookings'
import type { In } from '@tour-ops/contract/callable'
import {
  guestAudience,
  previewGuestText,
  sendGuestMessage,
  stopGuestMessage,
  testGuestMessage,
} from '@tour-ops/contract/notifications/guest-messages'
import {
  deleteMessageTemplate,
  listMessageTemplates,
  saveMessageTemplate,
} from '@tour-ops/contract/notifications/message-templates'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { afterAWhile, failToSend, messagesOf, sentMails, withoutQuietHours } from '../../../testing/guest-mail.ts'
import { addDeparture, assignGuide, book, coreVerbOf, publishedTour, setStatus } from '../../../testing/operations.ts'
import { verbsOf } from '../../../testing/verbs.ts'
import { type TestCaller, testDatabase, type TestWorld } from '../../../testing/world.ts'
import { guestMessageVerbs } from './guest-messages-service.ts'
import { messageTemplateVerbs } from './message-templates-service.ts'

let world: TestWorld
beforeAll(async () => {
  world = await testDatabase()
})
afterAll(() => world.close())

const verbOf = verbsOf([...guestMessageVerbs, ...messageTemplateVerbs])
const dayMs = 86_400_000
const inDays = (days: number): string => new Date(Date.now() + days * dayMs).toISOString().slice(0, 10)

const contact = (name: string, locale: string) => ({
  name,
  email: `${name.toLowerCase().replaceAll(/[^a-z]/g, '')}@example.com`,
  locale,
})
const english = {
  language: 'en',
  subject: 'About {{tour}}',
  body: 'Hello {{name}},\n\nSee you at {{meeting_point}}.\n{{link}}',
} as const
const german = { language: 'de', subject: 'Zu {{tour}}', body: 'Guten Tag {{name}}, {{seats}}, {{reference}}' } as const

/** Somebody who writes, and a departure whose guests are told nothing on their own. */
async function desk() {
  const caller = await world.as('operations_manager')
  await withoutQuietHours(caller)
  const { tourId } = await publishedTour(caller)
  const departureId = await addDeparture(caller, tourId, { localDate: inDays(7) })
  const sell = (name: string, locale: string, more: Partial<Parameters<typeof book>[3]> = {}) =>
    book(caller, departureId, 2, { contact: contact(name, locale), tellGuest: false, ...more })
  return { caller, tourId, departureId, sell, audience: { departureIds: [departureId] } }
}

const send = (caller: TestCaller, input: In<typeof sendGuestMessage>) => caller.call(verbOf(sendGuestMessage), input)

describe('a message to the guests of a departure', () => {
  test('says beforehand to how many it goes by language, and who has no address', async () => {
    const { caller, departureId, sell, audience } = await desk()
    await sell('Ana', 'es-MX')
    await sell('Bo', 'sv')
    await book(caller, departureId, 1, { contact: { name: 'Carl', phone: '+354 555 0101' } })
    await sell('Held', 'de', { mode: 'hold' })
    expect(await caller.call(verbOf(guestAudience), { audience })).toMatchObject({
      count: 2,
      pax: 4,
      languages: [
        { language: 'en', count: 1 },
        { language: 'es', count: 1 },
      ],
      unreached: [{ name: 'Carl', phone: '+3545550101', pax: 1 }],
      unreachedCount: 1,
      tours: ['Golden Circle'],
    })
    const wider = await caller.call(verbOf(guestAudience), { audience: { ...audience, withUnconfirmed: true } })
    expect(wider.count).toBe(3)
  })

  test('is read by each in their language, with what is so for their booking and the address of their own page', async () => {
    const { caller, sell, audience } = await desk()
    const ana = await sell('Ana', 'es')
    const bert = await sell('Bert', 'de')
    await send(caller, { audience, texts: [english, german], count: 2 })
    expect(await sentMails(world)).toEqual([])
    await afterAWhile(caller)
    const mails = await sentMails(world)
    const to = (address: string) => mails.find((mail) => mail.to === address)
    expect(to('ana@example.com')).toMatchObject({ subject: 'About Golden Circle' })
    expect(to('ana@example.com')?.body).toMatch(
      /^Hello Ana,\n\nSee you at BSÍ terminal.*\.\nhttps:\/\/ops\.example\/share\/\S+$/,
    )
    expect(to('bert@example.com')).toMatchObject({
      subject: 'Zu Golden Circle',
      body: `Guten Tag Bert, 2 Personen, ${bert.bookingRef}`,
    })
    expect(await messagesOf(caller, ana.id)).toEqual(['guest_message sent'])
  })

  test('is read in another language by those for whom one was chosen: in the count, the preview, the test and the e-mail', async () => {
    const { caller, sell, audience } = await desk()
    const ana = await sell('Ana', 'es')
    await sell('Bert', 'de')
    const wanted = { audience, texts: [english, german], languages: [{ bookingId: ana.id, language: 'de' as const }] }
    expect((await caller.call(verbOf(guestAudience), { audience, languages: wanted.languages })).languages).toEqual([
      { language: 'de', count: 2 },
    ])
    const { message } = await caller.call(verbOf(previewGuestText), { ...wanted, at: 0 })
    expect(message).toMatchObject({ name: 'Ana', language: 'de', subject: 'Zu Golden Circle' })
    await caller.call(verbOf(testGuestMessage), { ...wanted, at: 0 })
    await send(caller, { ...wanted, count: 2 })
    await afterAWhile(caller)
    const mails = await sentMails(world)
    expect(mails).toHaveLength(3)
    expect(mails.map(({ subject }) => subject)).toEqual(mails.map(() => 'Zu Golden Circle'))
    expect(mails.find(({ to }) => to === 'ana@example.com')?.body).toContain('Guten Tag Ana, 2 Personen')
    // for another message it is theirs again
    expect((await caller.call(verbOf(guestAudience), { audience })).languages).toContainEqual({
      language: 'es',
      count: 1,
    })
    // and nobody reads another one than was chosen
    await expect(send(caller, { ...wanted, texts: [english], count: 2 })).rejects.toMatchObject({
      details: { fieldIssues: { texts: [{ code: 'text_missing' }] } },
    })
    const stranger = await desk()
    const theirs = { audience: stranger.audience, texts: [english], languages: wanted.languages, count: 1 }
    await stranger.sell('Eve', 'en')
    await expect(send(stranger.caller, theirs)).rejects.toMatchObject({ code: 'not-found' })
  })

  test('is not kept in the audit log, in no language', async () => {
    const { caller, sell, audience } = await desk()
    await sell('Ana', 'de')
    await send(caller, { audience, texts: [english, { ...german, body: 'Nur für Ana' }], count: 1 })
    const logged = await caller.transaction((tx) =>
      sql<{ body: string; texts: string }>`select diff ->> 'body' as body, diff ->> 'texts' as texts from audit_entries
        where entity_type = 'messages'`.execute(tx),
    )
    expect(logged.rows).toEqual([{ body: '***', texts: '***' }])
  })

  test('writes to an agent once for each of their parties', async () => {
    const { caller, sell, audience } = await desk()
    await sell('Agent', 'en')
    await sell('Agent', 'en')
    await send(caller, { audience, texts: [english], count: 2 })
    await afterAWhile(caller)
    expect(await sentMails(world)).toHaveLength(2)
  })

  test('is refused where it would go to others than the sender saw', async () => {
    const { caller, sell, audience } = await desk()
    await sell('Ana', 'en')
    await sell('Bo', 'en')
    await expect(send(caller, { audience, texts: [english], count: 1 })).rejects.toMatchObject({
      details: { reason: 'audience_changed', count: 2, seen: 1 },
    })
    expect(await world.rows(`select from deliveries where org_id = '${caller.orgId}'`)).toEqual([])
  })

  test('is taken back whole before it leaves, and only what is left afterwards', async () => {
    const { caller, sell, audience } = await desk()
    const ana = await sell('Ana', 'en')
    const { id } = await send(caller, { audience, texts: [english], count: 1 })
    expect(await caller.call(verbOf(stopGuestMessage), { id })).toEqual({ stopped: 1, left: 0 })
    await afterAWhile(caller)
    expect(await sentMails(world)).toEqual([])
    expect(await messagesOf(caller, ana.id)).toEqual(['guest_message suppressed'])
    const again = await send(caller, { audience, texts: [english], count: 1 })
    await afterAWhile(caller)
    expect(await sentMails(world)).toHaveLength(1)
    expect(await caller.call(verbOf(stopGuestMessage), { id: again.id })).toEqual({ stopped: 0, left: 1 })
  })

  test('that leaves later is read with what is so by then, and not by who has cancelled', async () => {
    const { caller, sell, audience } = await desk()
    const ana = await sell('Ana', 'en')
    const bo = await sell('Bo', 'en')
    const sendAt = new Date(Date.now() + dayMs).toISOString()
    await send(caller, { audience, texts: [{ ...english, body: '{{meeting_point}}' }], count: 2, sendAt })
    expect(await sentMails(world)).toEqual([])
    await caller.call(coreVerbOf(cancelBooking), {
      id: bo.id,
      version: bo.version,
      reason: 'guest_request',
      tellGuest: false,
    })
    await caller.transaction((tx) =>
      sql`update places set name = 'Harpa', address = null where name = 'BSÍ terminal'`.execute(tx),
    )
    await afterAWhile(caller)
    expect(await sentMails(world)).toMatchObject([{ to: 'ana@example.com', body: 'Harpa' }])
    expect(await messagesOf(caller, bo.id)).toEqual(['guest_message suppressed'])
    const [row] = await world.rows<{ body: string }>(`select body from deliveries where booking_id = '${ana.id}'`)
    expect(row?.body).toBe('Harpa')
  })

  test('goes to the address that a guest has by then, also when it is sent again after a wrong one was refused', async () => {
    const { caller, sell, audience } = await desk()
    const { id } = await sell('Ana', 'en')
    await send(caller, { audience, texts: [english], count: 1 })
    await afterAWhile(caller)
    await failToSend(world)
    await caller.transaction((tx) =>
      sql`update bookings set contact_email = 'ana.lopez@example.com' where id = ${id}`.execute(tx),
    )
    await afterAWhile(caller)
    expect(await sentMails(world)).toMatchObject([{ to: 'ana.lopez@example.com' }])
    const rows = await world.rows<{ to: string }>(`select recipient as "to" from deliveries where booking_id = '${id}'`)
    expect(rows).toEqual([{ to: 'ana.lopez@example.com' }])
  })

  test('whose departure was cancelled reaches also who held seats', async () => {
    const { caller, departureId, sell, audience } = await desk()
    await sell('Ana', 'en')
    await sell('Held', 'en', { mode: 'hold' })
    await setStatus(caller, departureId, { to: 'cancelled', cancelReason: 'weather' })
    const { count } = await caller.call(verbOf(guestAudience), { audience: { ...audience, withUnconfirmed: true } })
    expect(count).toBe(2)
  })

  test('goes out again when the mail server was down, once', async () => {
    const { caller, sell, audience } = await desk()
    await sell('Ana', 'en')
    await send(caller, { audience, texts: [english], count: 1 })
    await afterAWhile(caller)
    await failToSend(world)
    await afterAWhile(caller)
    expect(await sentMails(world)).toHaveLength(1)
    await afterAWhile(caller)
    expect(await sentMails(world)).toEqual([])
  })
})

test('a guide writes to the guests of their own departures, and takes it back; others are out of reach', async () => {
  const { caller, tourId, departureId, sell, audience } = await desk()
  const otherId = await addDeparture(caller, tourId, { localDate: inDays(8) })
  await book(caller, otherId, 1, { contact: contact('Else', 'en'), tellGuest: false })
  await sell('Ana', 'en')
  const staffId = await assignGuide(caller, departureId)
  const guide = await world.as('guide', { orgId: caller.orgId, staffId })
  expect((await guide.call(verbOf(listMessageTemplates), {})).shipped).not.toEqual([])
  const other = { departureIds: [otherId] }
  expect((await guide.call(verbOf(guestAudience), { audience: other })).count).toBe(0)
  await expect(send(guide, { audience: other, texts: [english], count: 1 })).rejects.toMatchObject({
    code: 'not-found',
  })
  const { id, count } = await send(guide, { audience, texts: [english], count: 1 })
  expect(count).toBe(1)
  expect(await guide.call(verbOf(stopGuestMessage), { id })).toEqual({ stopped: 1, left: 0 })
  const office = await send(caller, { audience: other, texts: [english], count: 1 })
  await expect(guide.call(verbOf(stopGuestMessage), { id: office.id })).rejects.toMatchObject({ code: 'not-found' })
})

describe('what a text may name', () => {
  test('is shown as a guest reads it, with what they have nothing for', async () => {
    const { caller, sell, audience } = await desk()
    const { bookingRef } = await sell('Ana', 'en')
    const texts = [{ ...english, body: '{{ reference }} {{phone}} {not one} {{tour}}' }]
    const { message } = await caller.call(verbOf(previewGuestText), { audience, texts, at: 7 })
    expect(message).toMatchObject({
      bookingRef,
      channel: 'email',
      to: 'ana@example.com',
      body: `${bookingRef}  {not one} Golden Circle`,
      missing: ['phone'],
    })
  })

  test('is refused where there is no such thing, and the page’s address within a line or subject', async () => {
    const { caller, audience } = await desk()
    const check = (more: object) =>
      caller.call(verbOf(previewGuestText), { audience, texts: [{ ...english, ...more }], at: 0 })
    await expect(check({ body: 'Hello {{nmae}}' })).rejects.toMatchObject({
      details: { fieldIssues: { 'texts.0.body': [{ code: 'variable_unknown', params: { name: 'nmae' } }] } },
    })
    await expect(check({ body: 'Here: {{link}}' })).rejects.toMatchObject({
      details: { fieldIssues: { 'texts.0.body': [{ code: 'link_alone' }] } },
    })
    await expect(check({ subject: '{{link}}' })).rejects.toMatchObject({
      details: { fieldIssues: { 'texts.0.subject': [{ code: 'link_alone' }] } },
    })
  })

  test('comes from no name: a guest called {{link}} or {link} opens no page, and a line break begins no header', async () => {
    const { caller, departureId, audience } = await desk()
    for (const name of ['{link}', '{{link}}', '{{reference}}'])
      await book(caller, departureId, 1, { contact: { name, email: 'x@example.com' }, tellGuest: false })
    await send(caller, { audience, texts: [{ ...english, subject: 'To {{name}}', body: '{{name}}' }], count: 3 })
    await afterAWhile(caller)
    const mails = await sentMails(world)
    expect(mails.map(({ body }) => body).toSorted()).toEqual(['link', 'link', 'reference'])
  })
})

test('spaces beside the place of the link are nothing', async () => {
  const { caller, sell, audience } = await desk()
  await sell('Ana', 'en')
  const texts = [{ ...english, body: 'Your page:\n  {{link}} \n{{company}}' }]
  await caller.call(verbOf(testGuestMessage), { audience, texts, at: 0 })
  expect((await sentMails(world)).at(-1)?.body).toContain('Your page:\n[The address')
  await send(caller, { audience, texts, count: 1 })
  await afterAWhile(caller)
  expect((await sentMails(world)).at(-1)?.body).toMatch(/^Your page:\nhttps:\S+\/share\/\S+\n/)
})

test('a test goes to the sender, and opens nobody’s page', async () => {
  const { caller, sell, audience } = await desk()
  const ana = await sell('Ana', 'en')
  const { to } = await caller.call(verbOf(testGuestMessage), { audience, texts: [english], at: 0 })
  const [mail, ...more] = await sentMails(world)
  expect(more).toEqual([])
  expect(mail).toMatchObject({ to })
  expect(mail?.body).toContain('Hello Ana,')
  expect(mail?.body).not.toContain('/share/')
  expect(await messagesOf(caller, ana.id)).toEqual([])
})

describe('texts that an office keeps', () => {
  const texts = [english]

  test('have a name once, are changed by one at a time, and are deleted', async () => {
    const caller = await world.as('operations_manager')
    const saved = await caller.call(verbOf(saveMessageTemplate), { name: 'Road closed', texts })
    await expect(caller.call(verbOf(saveMessageTemplate), { name: 'Road closed', texts })).rejects.toMatchObject({
      details: { fieldIssues: { name: [{ code: 'template_taken' }] } },
    })
    const changed = await caller.call(verbOf(saveMessageTemplate), {
      ...saved,
      name: 'Road 1 closed',
      texts: [english, german],
    })
    await expect(caller.call(verbOf(saveMessageTemplate), { ...saved, name: 'Mine', texts })).rejects.toMatchObject({
      details: { reason: 'version_conflict' },
    })
    const { own, shipped } = await caller.call(verbOf(listMessageTemplates), {})
    expect(own).toEqual([{ ...changed, name: 'Road 1 closed', texts: [english, german] }])
    expect(shipped.map(({ key }) => key)).toContain('departure_cancelled')
    await caller.call(verbOf(deleteMessageTemplate), changed)
    expect((await caller.call(verbOf(listMessageTemplates), {})).own).toEqual([])
  })

  test('that come with the product fit each guest: every language says the same things of a booking', async () => {
    const { caller, sell, audience } = await desk()
    await sell('Ana', 'en')
    const { shipped } = await caller.call(verbOf(listMessageTemplates), {})
    const names = (body: string) => [...new Set(body.match(/\{\{\w+\}\}/g))].toSorted()
    for (const template of shipped) {
      const [first] = template.texts
      for (const text of template.texts) {
        expect(names(text.body)).toEqual(names(first?.body ?? ''))
        const { message } = await caller.call(verbOf(previewGuestText), { audience, texts: [text], at: 0 })
        expect(message?.body).not.toMatch(/\{\{/)
      }
    }
  })
})
