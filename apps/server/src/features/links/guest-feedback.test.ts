import type { In } from '@tour-ops/contract/callable'
import { createLink, pauseLink } from '@tour-ops/contract/links/links'
import { getSharedPage, giveFeedback } from '@tour-ops/contract/links/shared-page'
import { setGuestRule } from '@tour-ops/contract/notifications/guest-rules'
import { checkIn, markNoShow } from '@tour-ops/contract/bookings/manifest'
import { getOverview } from '@tour-ops/contract/overview/overview'
import {
  closeFeedback,
  exportFeedback,
  listFeedback,
  reopenFeedback,
  takeFeedback,
} from '@tour-ops/contract/reports/feedback'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { messagesOf, sentMails } from '../../../testing/guest-mail.ts'
import { guestOf } from '../../../testing/links.ts'
import { addDeparture, assignGuide, book, officeWithTour, setStatus } from '../../../testing/operations.ts'
import { verbsOf } from '../../../testing/verbs.ts'
import { type TestCaller, testDatabase, type TestWorld } from '../../../testing/world.ts'
import type { Clock } from '../../platform/clock.ts'
import { newId } from '../../platform/ids.ts'
import { allVerbs } from '../../verbs.ts'
import { askGuests } from '../notifications/ask-feedback.ts'

let world: TestWorld
beforeAll(async () => {
  world = await testDatabase()
})
afterAll(() => world.close())

const verbOf = verbsOf(allVerbs)
const ana = { name: 'Ana López', locale: 'es-MX' }
const ended = '2030-07-14T17:05:00Z'

/** A tour from nine to five in Reykjavik, whose clock is UTC; it is over, with a party of two that was on it and one that did not come. */
async function tourThatEnded({ endsAt = ended } = {}) {
  const { caller, clock, tourId } = await officeWithTour(world, new Date('2030-07-01T10:00:00Z'))
  const departureId = await addDeparture(caller, tourId)
  await assignGuide(caller, departureId)
  const email = `${newId()}@example.com`
  const booking = await book(caller, departureId, 2, { contact: { ...ana, email } })
  const absent = await book(caller, departureId, 1, { contact: { ...ana, email: `absent-${email}` } })
  const link = await newLink(caller, booking.id)
  await sentMails(world, clock)
  const end = async () => {
    clock.set(new Date('2030-07-14T08:30:00Z'))
    await setStatus(caller, departureId, { to: 'boarding', reason: 'Test' })
    clock.set(new Date('2030-07-14T09:32:00Z'))
    const entriesOf = ({ guests }: typeof booking) => guests.flatMap(({ entryId }) => entryId ?? [])
    const entries = entriesOf(booking).map((entryId) => ({ entryId, clientEventId: newId() }))
    await caller.call(verbOf(checkIn), { departureId, entries })
    await caller.call(verbOf(markNoShow), { departureId, entryIds: entriesOf(absent) })
    await setStatus(caller, departureId, { to: 'in_progress', reason: 'Test' })
    clock.set(new Date(endsAt))
    await setStatus(caller, departureId, { to: 'completed', reason: 'Test' })
  }
  const asGuest = guestOf(world, clock)
  const mails = async () => (await sentMails(world, clock)).filter(({ to }) => to.endsWith(email))
  const asked = async (token = link.token) => (await asGuest(getSharedPage, { token })).feedback
  const list = async (input: In<typeof listFeedback> = { filters: { departureId: [departureId] } }) =>
    caller.call(verbOf(listFeedback), input)
  return { caller, clock, departureId, email, booking, absent, link, end, asGuest, asked, mails, list }
}

const newLink = (caller: TestCaller, subjectId: string, more: Partial<In<typeof createLink>> = {}) =>
  caller.call(verbOf(createLink), {
    kind: 'booking_guest',
    subjectId,
    label: 'For the party',
    scopes: { feedback: true },
    ...more,
  })
const ask = (clock: Clock) => askGuests({ ...world.services, clock })
const gone = { code: 'not-found', details: { reason: 'shared_link_over' } }

describe('on the link of a booking', () => {
  test('a party says how it was once the tour is over, may change it, and the office reads who said what of whom', async () => {
    const { caller, departureId, booking, link, end, asGuest, asked, list } = await tourThatEnded()
    expect(await asked()).toBeNull()
    const opinion = { tourRating: 4, guideRating: 5, nps: 9, comment: '  Björn was great.\nThe bus was cold.  ' }
    await expect(asGuest(giveFeedback, { token: link.token, ...opinion })).rejects.toMatchObject(gone)
    await end()
    expect(await asked()).toEqual({ guideName: 'Björn', said: null })
    const { said } = await asGuest(giveFeedback, { token: link.token, ...opinion })
    expect(said).toEqual({ ...opinion, comment: 'Björn was great.\nThe bus was cold.', version: 1 })
    await asGuest(giveFeedback, { token: link.token, version: 1, tourRating: 2 })
    expect(await asked()).toEqual({
      guideName: 'Björn',
      said: { tourRating: 2, guideRating: null, nps: null, comment: null, version: 2 },
    })
    await asGuest(giveFeedback, { token: link.token, version: 2, ...opinion })
    const { rows, average } = await list()
    expect(rows).toMatchObject([
      {
        departureId,
        bookingId: booking.id,
        contactName: 'Ana López',
        tourRating: 4,
        guideRating: 5,
        guideName: 'Björn Ólafsson',
        nps: 9,
        comment: 'Björn was great.\nThe bus was cold.',
      },
    ])
    expect(average).toEqual({ tourRating: 4, guideRating: 5, answers: 1 })
    // the log has who wrote and when, and not what
    const { rows: logged } = await caller.transaction((tx) =>
      sql<{
        actor: string
      }>`select actor_kind as actor, diff from audit_entries where action = 'share-feedback' order by id`.execute(tx),
    )
    expect(logged.map(({ actor }) => actor)).toEqual(['guest_link', 'guest_link', 'guest_link'])
    expect(JSON.stringify(logged)).not.toContain('cold')
  })

  test('of two phones that send at once one is stored; the other is refused, and knows what was said', async () => {
    const { link, end, asGuest, asked, list } = await tourThatEnded()
    await end()
    const answers = await Promise.allSettled(
      [5, 1].map((tourRating) => asGuest(giveFeedback, { token: link.token, tourRating })),
    )
    expect(answers.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
    expect(answers.find(({ status }) => status === 'rejected')).toMatchObject({ reason: { code: 'aborted' } })
    expect(await list()).toMatchObject({ total: 1 })
    await expect(asGuest(giveFeedback, { token: link.token, version: 7, tourRating: 3 })).rejects.toMatchObject({
      details: { reason: 'version_conflict' },
    })
    expect((await asked())?.said?.tourRating).not.toBe(3)
  })

  test('nobody is asked on a link without the question, of a departure, of a party that did not come, or a paused one', async () => {
    const { caller, departureId, booking, absent, link, end, asGuest, asked } = await tourThatEnded()
    const plain = await newLink(caller, booking.id, { scopes: {} })
    const shared = await newLink(caller, departureId, { kind: 'departure_guest' })
    const missing = await newLink(caller, absent.id)
    await end()
    for (const { token } of [plain, shared, missing]) {
      expect(await asked(token)).toBeNull()
      await expect(asGuest(giveFeedback, { token, tourRating: 5 })).rejects.toMatchObject(gone)
    }
    await caller.call(verbOf(pauseLink), { id: link.id, version: link.version, paused: true })
    await expect(asGuest(giveFeedback, { token: link.token, tourRating: 5 })).rejects.toMatchObject(gone)
  })

  test('a rating of a guide where nobody led is left out, and what is no rating is refused with its field', async () => {
    const { caller, link, end, asGuest } = await tourThatEnded()
    await end()
    await caller.transaction((tx) => sql`update assignments set role = 'driver'`.execute(tx))
    expect(await asGuest(giveFeedback, { token: link.token, tourRating: 5, guideRating: 1 })).toMatchObject({
      guideName: null,
      said: { guideRating: null },
    })
    for (const [field, value] of [
      ['tourRating', 0],
      ['tourRating', 6],
      ['nps', 11],
      ['comment', 'x'.repeat(2_001)],
    ] as const) {
      const wrong = { token: link.token, tourRating: 5, [field]: value }
      await expect(asGuest(giveFeedback, wrong)).rejects.toMatchObject({
        code: 'invalid-argument',
        details: { fieldIssues: { [field]: [expect.anything()] } },
      })
    }
  })
})

describe('the contact of a party', () => {
  test('is asked three hours after the end, once, in their language, by a link that asks this and shows nothing else of the day', async () => {
    const { clock, email, booking, absent, caller, end, asGuest, mails } = await tourThatEnded()
    await end()
    clock.set(new Date('2030-07-14T20:04:00Z'))
    await ask(clock)
    expect(await mails()).toEqual([])
    clock.set(new Date('2030-07-14T20:06:00Z'))
    await ask(clock)
    await ask(clock)
    const [mail, ...more] = await mails()
    expect(more).toEqual([])
    expect(mail).toMatchObject({ to: email, subject: '¿Qué tal fue? Golden Circle' })
    expect(mail?.body).toContain('Gracias por viajar con nosotros: Golden Circle')
    expect(mail?.calendar).toBeUndefined()
    expect(await messagesOf(caller, booking.id)).toEqual(['feedback_request sent', 'booking_confirmed sent'])
    expect(await messagesOf(caller, absent.id)).toEqual(['booking_confirmed sent'])

    const token = mail?.body.match(/share\/([\w-]+)/)?.[1] ?? ''
    clock.set(new Date('2030-07-28T20:00:00Z'))
    const page = await asGuest(getSharedPage, { token })
    expect(page).toMatchObject({ state: 'after', stops: [], crew: [], feedback: { guideName: 'Björn', said: null } })
    await asGuest(giveFeedback, { token, tourRating: 5 })
    clock.set(new Date('2030-07-28T20:07:00Z'))
    await expect(asGuest(giveFeedback, { token, version: 1, tourRating: 1 })).rejects.toMatchObject(gone)
  })

  test('is asked the next morning after a tour that ended late, and not where they have said it by then', async () => {
    const late = await tourThatEnded({ endsAt: '2030-07-14T19:30:00Z' })
    const told = await tourThatEnded({ endsAt: '2030-07-14T19:30:00Z' })
    await late.end()
    await told.end()
    await told.asGuest(giveFeedback, { token: told.link.token, tourRating: 5 })
    for (const time of ['2030-07-14T22:31:00Z', '2030-07-15T07:59:00Z']) {
      late.clock.set(new Date(time))
      await ask(late.clock)
      expect(await late.mails()).toEqual([])
    }
    late.clock.set(new Date('2030-07-15T08:00:00Z'))
    expect(await late.mails()).toHaveLength(1)
    expect(await messagesOf(told.caller, told.booking.id)).toEqual(['booking_confirmed sent'])
  })

  test('is not asked where they have said it while the e-mail waited', async () => {
    const { caller, clock, booking, end, asGuest, mails } = await tourThatEnded()
    await end()
    const { token } = await newLink(caller, booking.id, { expiresAt: '2030-07-20T00:00:00Z' })
    clock.set(new Date('2030-07-14T20:06:00Z'))
    await ask(clock)
    await asGuest(giveFeedback, { token, tourRating: 5 })
    expect(await mails()).toEqual([])
    expect(await messagesOf(caller, booking.id)).toContain('feedback_request suppressed')
  })

  test('is not asked where the rule is off, days later, or of a tour that goes on after all; another hour can be set', async () => {
    const off = await tourThatEnded()
    await off.caller.call(verbOf(setGuestRule), { event: 'feedback_request', isOn: false })
    await off.end()
    off.clock.set(new Date('2030-07-14T20:06:00Z'))
    await ask(off.clock)
    await off.caller.call(verbOf(setGuestRule), { event: 'feedback_request', isOn: true, setting: 12 })
    off.clock.set(new Date('2030-07-15T12:00:00Z'))
    await ask(off.clock)
    expect(await messagesOf(off.caller, off.booking.id)).toEqual(['booking_confirmed sent'])
    await expect(
      off.caller.call(verbOf(setGuestRule), { event: 'feedback_request', setting: 49 }),
    ).rejects.toMatchObject({ details: { fieldIssues: { setting: [expect.anything()] } } })

    const stale = await tourThatEnded()
    const reopened = await tourThatEnded()
    await stale.end()
    await reopened.end()
    await setStatus(reopened.caller, reopened.departureId, { to: 'in_progress', reason: 'A mistap' })
    reopened.clock.set(new Date('2030-07-14T20:06:00Z'))
    await askGuests({ ...world.services, clock: reopened.clock })
    expect(await messagesOf(reopened.caller, reopened.booking.id)).toEqual(['booking_confirmed sent'])
    stale.clock.set(new Date('2030-07-18T12:00:00Z'))
    await ask(stale.clock)
    expect(await messagesOf(reopened.caller, reopened.booking.id)).toEqual(['booking_confirmed sent'])
  })
})

test('who plans departures is told of a party that is unhappy, once, and nobody else', async () => {
  const { caller, booking, link, end, asGuest, clock } = await tourThatEnded()
  const others = await Promise.all(
    (['admin', 'tour_designer', 'dispatcher', 'guide', 'viewer'] as const).map((role) =>
      world.as(role, { orgId: caller.orgId, clock }),
    ),
  )
  await end()
  const { token } = link
  await asGuest(giveFeedback, { token, tourRating: 3 })
  const noticesOf = async (member: TestCaller) => {
    const { rows } = await member.transaction((tx) =>
      sql<{ data: { title: string; body: string; link: string } }>`
        select data from documents where path like ${`users/${member.userId}/inbox/%`}`.execute(tx),
    )
    return rows.map(({ data }) => data)
  }
  expect(await noticesOf(caller)).toEqual([])
  await asGuest(giveFeedback, { token, version: 1, tourRating: 4, guideRating: 1, comment: 'He was\nrude.' })
  await asGuest(giveFeedback, { token, version: 2, tourRating: 1, guideRating: 1 })
  expect(await noticesOf(caller)).toEqual([
    expect.objectContaining({
      title: '1 of 5 stars: Golden Circle',
      body: 'Ana López: He was rude.',
      link: `/travelers/list?booking=${booking.id}`,
    }),
  ])
  const told = await Promise.all(others.map(async (member) => (await noticesOf(member)).length))
  expect(told).toEqual([1, 1, 0, 0, 0])
})

describe('a poor rating', () => {
  const poor = { tourRating: 4, guideRating: 2, comment: 'Late and loud.' }

  /** A party that was unhappy, and what the office sees of it. */
  async function unhappyParty(opinion: object = poor) {
    const told = await tourThatEnded()
    await told.end()
    await told.asGuest(giveFeedback, { token: told.link.token, tourRating: 1, ...opinion })
    const attention = async (reader = told.caller) =>
      (await reader.call(verbOf(getOverview), {})).attention.filter(({ kind }) => kind === 'poor_rating')
    const [row] = (await told.list()).rows
    const followUp = async () => (await told.list()).rows[0]?.followUp
    return { ...told, attention, followUp, id: row?.id ?? '' }
  }

  test('needs attention on the overview, with the booking, the words and the departure, until it is closed', async () => {
    const { caller, booking, departureId, id, attention, followUp } = await unhappyParty()
    const said = { id, bookingId: booking.id, contactName: 'Ana López', stars: 2, comment: 'Late and loud.' }
    expect(await attention()).toMatchObject([
      { severity: 'warning', ownerName: null, departure: { id: departureId }, feedback: { ...said, version: null } },
    ])
    expect(await followUp()).toMatchObject({ state: 'open', version: null, ownerName: null })
    await caller.call(verbOf(takeFeedback), { id })
    expect(await attention()).toMatchObject([{ ownerName: expect.stringMatching(/./), feedback: { version: 1 } }])
    expect(await followUp()).toMatchObject({ state: 'taken', version: 1, closedAt: null })
    await caller.call(verbOf(closeFeedback), { id, version: 1, note: ' Called, voucher sent. ' })
    expect(await attention()).toEqual([])
    expect(await followUp()).toMatchObject({ state: 'closed', version: 2, note: 'Called, voucher sent.' })
  })

  test('goes back one step with each undo', async () => {
    const { caller, id, attention, followUp } = await unhappyParty()
    await caller.call(verbOf(closeFeedback), { id, note: 'Called' })
    await caller.call(verbOf(reopenFeedback), { id, version: 1 })
    expect(await followUp()).toMatchObject({ state: 'taken', note: null, closedAt: null, closedByName: null })
    await caller.call(verbOf(reopenFeedback), { id, version: 2 })
    expect(await followUp()).toMatchObject({ state: 'open', ownerName: null })
    expect(await attention()).toHaveLength(1)
  })

  test('is taken by one of two who press at once, and the party may still change its words', async () => {
    const { caller, id, link, asGuest, attention } = await unhappyParty()
    const answers = await Promise.allSettled([1, 2].map(() => caller.call(verbOf(takeFeedback), { id })))
    expect(answers.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    expect(answers.find(({ status }) => status === 'rejected')).toMatchObject({
      reason: { code: 'aborted', details: { reason: 'conflict' } },
    })
    await expect(caller.call(verbOf(closeFeedback), { id, version: 7, note: 'x' })).rejects.toMatchObject({
      details: { reason: 'version_conflict' },
    })
    await asGuest(giveFeedback, { token: link.token, version: 1, tourRating: 5 })
    expect(await attention()).toEqual([])
  })

  test('is none from three stars on, and after 14 days it is only in the list', async () => {
    expect(await (await unhappyParty({ tourRating: 3, guideRating: 3 })).attention()).toEqual([])
    const { clock, attention, followUp } = await unhappyParty()
    clock.set(new Date('2030-07-28T17:04:00Z'))
    expect(await attention()).toHaveLength(1)
    clock.set(new Date('2030-07-28T17:06:00Z'))
    expect(await attention()).toEqual([])
    expect(await followUp()).toMatchObject({ state: 'open' })
  })

  test('is closed with a note only, by who may change bookings, in their own organization', async () => {
    const { caller, clock, id, attention } = await unhappyParty()
    await expect(caller.call(verbOf(closeFeedback), { id, note: ' ' })).rejects.toMatchObject({
      code: 'invalid-argument',
      details: { fieldIssues: { note: [expect.objectContaining({ code: 'outcome_missing' })] } },
    })
    const viewer = await world.as('viewer', { orgId: caller.orgId, clock })
    await expect(viewer.call(verbOf(takeFeedback), { id })).rejects.toMatchObject({ code: 'permission-denied' })
    expect(await attention(viewer)).toEqual([])
    const stranger = await world.as('admin')
    await expect(stranger.call(verbOf(takeFeedback), { id })).rejects.toMatchObject({ code: 'not-found' })
  })

  test('is found by what became of it, and exported with the note', async () => {
    const { caller, id, list } = await unhappyParty()
    const found = async (state: 'open' | 'taken' | 'closed') =>
      (await list({ filters: { followUp: [state] } })).rows.map((row) => row.id)
    expect([await found('open'), await found('taken'), await found('closed')]).toEqual([[id], [], []])
    await caller.call(verbOf(takeFeedback), { id })
    expect([await found('open'), await found('taken'), await found('closed')]).toEqual([[], [id], []])
    await caller.call(verbOf(closeFeedback), { id, version: 1, note: 'Called' })
    expect([await found('open'), await found('taken'), await found('closed')]).toEqual([[], [], [id]])
    const { csv } = await caller.call(verbOf(exportFeedback), {
      columns: ['contact', 'tour_rating', 'follow_up', 'note'],
    })
    expect(csv).toContain('Ana López,4,closed,Called')
  })
})

test('what a party said is found by each guest of it, and by nobody else', async () => {
  const { booking, absent, link, end, asGuest, list } = await tourThatEnded()
  await end()
  await asGuest(giveFeedback, { token: link.token, tourRating: 4 })
  const travelerIds = [booking, absent].map(({ guests }) => guests.flatMap(({ travelerId }) => travelerId ?? []))
  const saidBy = async (travelerId: string) => (await list({ filters: { travelerId: [travelerId] } })).rows
  const [[first = '', second = ''] = [], [other = ''] = []] = travelerIds
  expect(await saidBy(first)).toMatchObject([{ bookingId: booking.id, tourRating: 4 }])
  expect(await saidBy(second)).toHaveLength(1)
  expect(await saidBy(other)).toEqual([])
})

test('a guide reads what was said of their own departures, and nothing of others', async () => {
  const { caller, departureId, link, end, asGuest } = await tourThatEnded()
  await end()
  await asGuest(giveFeedback, { token: link.token, tourRating: 5, comment: 'Good' })
  const guide = await world.as('guide', { orgId: caller.orgId })
  expect(await guide.call(verbOf(listFeedback), { filters: { departureId: [departureId] } })).toMatchObject({
    rows: [],
    total: 0,
    average: { tourRating: null, guideRating: null, answers: 0 },
  })
})
