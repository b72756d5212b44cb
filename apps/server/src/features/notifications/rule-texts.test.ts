import { offerBooking } from '@tour-ops/contract/bookings/bookings'
import type { In } from '@tour-ops/contract/callable'
import { locales } from '@tour-ops/contract/locales'
import {
  getRuleTexts,
  previewRuleText,
  ruleTextsOf,
  type RuleText,
  saveRuleTexts,
} from '@tour-ops/contract/notifications/guest-rule-texts'
import { guestEvents, listGuestRules, setGuestRule } from '@tour-ops/contract/notifications/guest-rules'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { messagesOf, sentMails, withoutQuietHours } from '../../../testing/guest-mail.ts'
import { addDeparture, book, coreVerbOf, publishedTour } from '../../../testing/operations.ts'
import { verbsOf } from '../../../testing/verbs.ts'
import { type TestCaller, testDatabase, type TestWorld } from '../../../testing/world.ts'
import { guestRuleVerbs } from './guest-rules-service.ts'

let world: TestWorld
beforeAll(async () => {
  world = await testDatabase()
})
afterAll(() => world.close())

const verbOf = verbsOf(guestRuleVerbs)
const inDays = (days: number): string => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10)
const ana = { name: 'Ana López', email: 'ana@example.com', locale: 'en' }
const own: RuleText = {
  language: 'en',
  subject: '{{name}}, see you on {{tour}}',
  body: 'Dear {{name}},\n\nyou are in: {{ seats }}, {{reference}}.\n{{phone}}\nYour page:\n{{link}}',
}

async function desk(capacity = 16) {
  const caller = await world.as('operations_manager')
  await withoutQuietHours(caller)
  const { tourId } = await publishedTour(caller)
  return { caller, departureId: await addDeparture(caller, tourId, { localDate: inDays(7), capacity }) }
}

const save = (
  caller: TestCaller,
  input: Omit<In<typeof saveRuleTexts>, 'event'>,
  event = 'booking_confirmed' as const,
) => caller.call(verbOf(saveRuleTexts), { event, ...input })

describe('an own text', () => {
  test('is what guests read in its language, with their data and the address of their page; others read what is shipped', async () => {
    const { caller, departureId } = await desk()
    expect(await save(caller, { version: 0, texts: [own] })).toEqual({ version: 1 })
    const booking = await book(caller, departureId, 2, { contact: ana })
    await book(caller, departureId, 1, { contact: { ...ana, email: 'de@example.com', locale: 'de' } })
    const mails = await sentMails(world)
    const mail = mails.find(({ to }) => to === ana.email)
    expect(mail?.subject).toBe('Ana López, see you on Golden Circle')
    // nobody has said by which number the office is called, so its line is left out
    expect(mail?.body).toMatch(
      new RegExp(
        `^Dear Ana López,\n\nyou are in: 2 guests, ${booking.bookingRef}\\.\nYour page:\nhttps://ops\\.example/share/\\S+\n$`,
      ),
    )
    expect(mail?.calendar).toContain('BEGIN:VEVENT')
    expect(mails.find(({ to }) => to === 'de@example.com')?.subject).toBe('Ihre Buchung ist bestätigt: Golden Circle')
    const { rules } = await caller.call(verbOf(listGuestRules), {})
    expect(rules.find(({ event }) => event === 'booking_confirmed')).toMatchObject({ isOn: true, ownLanguages: ['en'] })
  })

  test('takes what somebody has typed into a name for words: no place of an address, no other name, no header', async () => {
    const { caller, departureId } = await desk()
    await save(caller, { version: 0, texts: [{ ...own, body: `{{name}}\n{{link}}` }] })
    await book(caller, departureId, 1, { contact: { ...ana, name: '{link}' } })
    await book(caller, departureId, 1, {
      contact: { ...ana, name: '{{link}}\nBcc: all@example.com', email: 'b@example.com' },
    })
    const mails = await sentMails(world)
    const [first, second] = [mails.find(({ to }) => to === ana.email), mails.find(({ to }) => to === 'b@example.com')]
    expect(first?.body).toMatch(/^link\nhttps:\/\/ops\.example\/share\/\S+\n$/)
    expect(first?.subject).toBe('link, see you on Golden Circle')
    expect(second?.subject).toBe('link Bcc: all@example. com, see you on Golden Circle')
    expect(second?.body.split('\n')[0]).toBe('link Bcc: all@example. com')
  })

  test('keeps the sentence about fewer e-mails where guests can do without them', async () => {
    const { caller, departureId } = await desk()
    await book(caller, departureId, 1, { contact: ana })
    const texts = [{ ...own, body: 'Tomorrow!\n{{link}}' }]
    const { message } = await caller.call(verbOf(previewRuleText), { event: 'pickup_reminder', language: 'en', texts })
    expect(message).toMatchObject({
      isOwn: true,
      body: 'Tomorrow!\n{link}\n\nFewer e-mails? At the end of your page you choose.\n',
    })
  })

  test('of an offer says until when seats are held', async () => {
    const { caller, departureId } = await desk(1)
    const texts = [{ ...own, subject: 'Seats!', body: '{{held_until}}\n{{link}}' }]
    await caller.call(verbOf(saveRuleTexts), { event: 'waitlist_offer', version: 0, texts })
    const waiting = await book(caller, departureId, 1, { contact: ana, mode: 'waitlist' })
    await caller.call(coreVerbOf(offerBooking), { id: waiting.id, version: waiting.version })
    const mail = (await sentMails(world)).find(({ subject }) => subject === 'Seats!')
    expect(mail?.body).toMatch(/^Held for you until \S.*\nhttps:\/\/ops\.example\/share\/\S+\n$/)
  })

  test('that is taken back leaves what is shipped, and what was written stays', async () => {
    const { caller, departureId } = await desk()
    await save(caller, { version: 0, texts: [own] })
    const before = await book(caller, departureId, 1, { contact: ana })
    await save(caller, { version: 1, texts: [] })
    await book(caller, departureId, 1, { contact: ana })
    const subjects = (await sentMails(world)).map(({ subject }) => subject)
    expect(subjects.toSorted()).toEqual([
      'Ana López, see you on Golden Circle',
      'Your booking is confirmed: Golden Circle',
    ])
    expect(await messagesOf(caller, before.id)).toEqual(['booking_confirmed sent'])
  })
})

describe('who writes', () => {
  test('over what somebody else has written meanwhile is told so; who switched the rule does not matter', async () => {
    const { caller } = await desk()
    await save(caller, { version: 0, texts: [own] })
    await caller.call(verbOf(setGuestRule), { event: 'booking_confirmed', isOn: false })
    await expect(save(caller, { version: 0, texts: [] })).rejects.toMatchObject({
      code: 'aborted',
      details: { reason: 'version_conflict', current: 1 },
    })
    expect(await save(caller, { version: 1, texts: [{ ...own, subject: 'New' }] })).toEqual({ version: 2 })
    const { rows } = await caller.transaction((tx) =>
      sql<{
        subjects: string[] | null
      }>`select array(select jsonb_array_elements(a.diff -> 'texts' -> 1) ->> 'subject') as subjects
        from audit_entries a where a.org_id = ${caller.orgId} and a.entity_type = 'notification_rules' and a.op = 'update' and a.diff ? 'texts' order by a.id`.execute(
        tx,
      ),
    )
    expect(rows.map(({ subjects }) => subjects)).toEqual([['New']])
  })

  test('only manages the texts of the own organization, and may manage rules', async () => {
    const { caller } = await desk()
    const other = await desk()
    await save(caller, { version: 0, texts: [own] })
    expect(await other.caller.call(verbOf(getRuleTexts), { event: 'booking_confirmed' })).toMatchObject({
      version: 0,
      own: [],
    })
    expect(await caller.call(verbOf(getRuleTexts), { event: 'booking_confirmed' })).toMatchObject({
      version: 1,
      own: [own],
    })
    const dispatcher = await world.as('dispatcher', { orgId: caller.orgId })
    await expect(save(dispatcher, { version: 1, texts: [] })).rejects.toMatchObject({ code: 'permission-denied' })
  })

  test.each([
    ['booking_confirmed', { ...own, body: 'Hello {{nmae}}' }, 'texts.0.body', 'variable_unknown', { name: 'nmae' }],
    [
      'booking_confirmed',
      { ...own, subject: '{{new_time}}' },
      'texts.0.subject',
      'variable_unknown',
      { name: 'new_time' },
    ],
    ['booking_confirmed', { ...own, body: 'Page: {{link}}' }, 'texts.0.body', 'link_alone', undefined],
    ['waitlist_offer', { ...own, body: 'Hello' }, 'texts.0.body', 'variable_missing', { name: 'link' }],
    ['rebooking_offer', { ...own, short: 'Hello' }, 'texts.0.short', 'variable_missing', { name: 'link' }],
    ['delay_notice', { ...own, body: 'We are late' }, 'texts.0.body', 'variable_missing', { name: 'new_time' }],
    ['booking_confirmed', { ...own, subject: ' ' }, 'texts.0.subject', 'required', { min: 1 }],
  ] as const)(
    '%s: what guests would not understand is refused where it is (%#)',
    async (event, text, path, code, params) => {
      const { caller } = await desk()
      await expect(caller.call(verbOf(saveRuleTexts), { event, version: 0, texts: [text] })).rejects.toMatchObject({
        code: 'invalid-argument',
        details: { fieldIssues: { [path]: [{ code, ...(params && { params }) }] } },
      })
    },
  )
})

test('every text to begin with can be saved as it is, in each language', async () => {
  const { caller, departureId } = await desk()
  await book(caller, departureId, 2, { contact: ana })
  for (const event of guestEvents) {
    const { starters } = await caller.call(verbOf(getRuleTexts), { event })
    expect(starters.map(({ language }) => language)).toEqual([...locales])
    expect(ruleTextsOf(event).safeParse(starters).error).toBeUndefined()
    const { message } = await caller.call(verbOf(previewRuleText), { event, language: 'en', texts: starters })
    expect(message?.body).toContain('Hello Ana López,')
    expect(message?.body).not.toContain('{{')
  }
})
