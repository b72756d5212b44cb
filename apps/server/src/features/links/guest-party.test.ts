import type { In } from '@tour-ops/contract/callable'
import { cancelBooking, getBooking, moveBookings, nameGuests } from '@tour-ops/contract/bookings/bookings'
import { getManifest } from '@tour-ops/contract/bookings/manifest'
import { departureHistory } from '@tour-ops/contract/departures/departures'
import { createLink, pauseLink, revokeLink } from '@tour-ops/contract/links/links'
import { answerOffer, confirmParty, getSharedPage, giveFeedback } from '@tour-ops/contract/links/shared-page'
import { getTraveler, tagTravelers } from '@tour-ops/contract/travelers/travelers'
import { getTourSettings, updateTourSettings } from '@tour-ops/contract/settings/settings'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { movableClock } from '../../platform/clock.ts'
import { newId } from '../../platform/ids.ts'
import { allVerbs } from '../../verbs.ts'
import { guestOf } from '../../../testing/links.ts'
import { addDeparture, book, publishedTour } from '../../../testing/operations.ts'
import { verbsOf } from '../../../testing/verbs.ts'
import { type TestCaller, testDatabase, type TestWorld } from '../../../testing/world.ts'

let world: TestWorld
beforeAll(async () => {
  world = await testDatabase()
})
afterAll(() => world.close())

const verbOf = verbsOf(allVerbs)
/** Four days before the departure, which starts on 14 July at nine. */
const beforehand = '2030-07-10T08:00:00Z'

async function partyOfTwo({
  at = beforehand,
  scopes = { details: true },
}: { at?: string; scopes?: In<typeof createLink>['scopes'] } = {}) {
  const clock = movableClock(new Date(at))
  const caller = await world.as('operations_manager', { clock })
  const { tourId } = await publishedTour(caller)
  const departureId = await addDeparture(caller, tourId)
  const booking = await book(caller, departureId, 2)
  const link = await newLink(caller, booking.id, { scopes })
  const asGuest = guestOf(world, clock)
  const party = async () => (await asGuest(getSharedPage, { token: link.token })).party
  const people = async () => {
    const [first, second] = (await party())?.people ?? []
    if (!first || !second) throw new Error('The link shows no party of two.')
    return [first, second] as const
  }
  const guests = async () => (await caller.call(verbOf(getBooking), { id: booking.id })).guests
  return { clock, caller, tourId, departureId, booking, link, asGuest, party, people, guests }
}

const newLink = (caller: TestCaller, subjectId: string, more: Partial<In<typeof createLink>> = {}) =>
  caller.call(verbOf(createLink), { kind: 'booking_guest', subjectId, label: 'For the party', ...more })

const gone = { code: 'not-found', details: { reason: 'shared_link_over' } }

test('a guest corrects a name and a diet and confirms the party: booking, manifest and history show it', async () => {
  const { caller, departureId, link, asGuest, party, people, guests } = await partyOfTwo()
  expect(await party()).toMatchObject({ until: '2030-07-13T09:00:00.000Z', isOpen: true, confirmedAt: null })
  expect(await guests()).toMatchObject([{ confirmedAt: null }, { confirmedAt: null }])
  const [first, second] = await people()
  const corrected = {
    ...first,
    lastName: 'Østergård',
    dietary: ['vegan', 'nut_allergy'],
    dietaryNote: 'No sesame',
  } as const
  const confirmed = await asGuest(confirmParty, {
    token: link.token,
    people: [{ ...corrected, dietary: [...corrected.dietary] }, second],
  })
  expect(confirmed).toMatchObject({
    confirmedAt: '2030-07-10T08:00:00.000Z',
    people: expect.arrayContaining([expect.objectContaining({ lastName: 'Østergård', dietaryNote: 'No sesame' })]),
  })
  const [known] = (await guests()).filter(({ name }) => name.endsWith('Østergård'))
  expect(known).toMatchObject({
    dietary: ['vegan', 'nut_allergy'],
    confirmedAt: '2030-07-10T08:00:00.000Z',
    isChangedSince: false,
  })

  const manifest = await caller.call(verbOf(getManifest), { departureId })
  const entries = manifest.groups.flatMap(({ parties }) => parties.flatMap((one) => one.entries))
  expect(entries.find(({ id }) => id === first.id)).toMatchObject({
    flags: expect.arrayContaining(['vegan', 'nut_allergy']),
  })

  const { rows } = await caller.call(verbOf(departureHistory), { id: departureId })
  const byGuest = rows.filter(({ action }) => action === 'share-confirm')
  expect(byGuest.map(({ actorKind, actorName, entityType }) => `${actorKind} ${actorName} ${entityType}`)).toEqual([
    'guest_link null manifest_entries',
    'guest_link null manifest_entries',
  ])
  // the audit log masks what it masks when the office writes it
  const { rows: written } = await caller.transaction((tx) =>
    sql<{
      diff: Record<string, unknown>
    }>`select diff from audit_entries where action = 'share-confirm' and entity_type = 'travelers'`.execute(tx),
  )
  expect(written).toHaveLength(1)
  expect(written[0]?.diff).toMatchObject({
    dietary: [[], ['vegan', 'nut_allergy']],
    last_name: [expect.any(String), 'Østergård'],
  })
  expect(JSON.stringify(written)).not.toContain('sesame')
})

test('what the office changes after a confirmation is said to be changed since', async () => {
  const { caller, link, asGuest, people, guests } = await partyOfTwo()
  await asGuest(confirmParty, { token: link.token, people: [...(await people())] })
  const [guest] = await guests()
  await caller.call(verbOf(tagTravelers), { ids: [guest?.travelerId ?? ''], add: ['VIP'] })
  expect((await guests()).map(({ isChangedSince }) => isChangedSince)).toEqual([true, false])
  // confirmed once more, and nothing is left to say
  await asGuest(confirmParty, { token: link.token, people: [...(await people())] })
  expect((await guests()).map(({ isChangedSince }) => isChangedSince)).toEqual([false, false])
})

test('of two phones that write at once one is stored, the other is refused and has changed nothing', async () => {
  const { caller, link, asGuest, people, guests } = await partyOfTwo()
  const [first, second] = await people()
  const write = (lastName: string) =>
    asGuest(confirmParty, {
      token: link.token,
      people: [
        { ...first, lastName },
        { ...second, lastName },
      ],
    })
  const answers = await Promise.allSettled([write('Early'), write('Late')])
  const refused = answers.flatMap((answer) => (answer.status === 'rejected' ? [answer.reason] : []))
  expect(refused).toMatchObject([{ code: 'aborted', details: { reason: 'version_conflict' } }])
  const stored = answers[0]?.status === 'fulfilled' ? 'Early' : 'Late'
  expect((await guests()).map(({ name }) => name.split(' ').at(-1))).toEqual([stored, stored])
  // the office is somebody who may be faster, too
  const [guest] = await guests()
  const now = await people()
  await caller.call(verbOf(tagTravelers), { ids: [guest?.travelerId ?? ''], add: ['VIP'] })
  await expect(asGuest(confirmParty, { token: link.token, people: [...now] })).rejects.toMatchObject({
    details: { reason: 'version_conflict' },
  })
  const { version } = await caller.call(verbOf(getTraveler), { id: guest?.travelerId ?? '' })
  expect((await people()).map((person) => person.version)).toContain(version)
})

test('a party is confirmed as a whole: a guest whom the office added meanwhile is not passed over', async () => {
  const { link, asGuest, people, guests } = await partyOfTwo()
  const [first, second] = await people()
  for (const some of [[first], [first, first]]) {
    await expect(asGuest(confirmParty, { token: link.token, people: some })).rejects.toMatchObject({
      details: { reason: 'conflict' },
    })
  }
  await expect(asGuest(confirmParty, { token: link.token, people: [first, second, second] })).rejects.toMatchObject({
    details: { reason: 'conflict' },
  })
  expect((await guests()).map(({ confirmedAt }) => confirmedAt)).toEqual([null, null])
})

test('nobody reads or changes another party: by ids of others, by the link of a departure, or by a link without details', async () => {
  const { caller, departureId, link, asGuest, people, guests } = await partyOfTwo()
  const [first, second] = await people()
  const others = await book(caller, departureId, 1)
  const foreign = await partyOfTwo()
  const [stranger] = await foreign.people()
  const [neighbour] = others.guests
  for (const id of [neighbour?.entryId ?? '', neighbour?.travelerId ?? '', stranger.id, others.id, newId()]) {
    const people = [
      { ...first, lastName: 'Taken' },
      { ...second, id },
    ]
    await expect(asGuest(confirmParty, { token: link.token, people }), id).rejects.toMatchObject(gone)
  }
  const open = await newLink(caller, departureId, { kind: 'departure_guest', scopes: { details: true } })
  const crew = await newLink(caller, departureId, { kind: 'staff_runsheet', scopes: { details: true, checkin: true } })
  const plain = await newLink(caller, (await guestsOf(caller, departureId))[0] ?? '')
  for (const { token } of [open, crew, plain]) {
    const page = await asGuest(getSharedPage, { token })
    expect(page.party).toBeNull()
    await expect(asGuest(confirmParty, { token, people: [first, second] })).rejects.toMatchObject(gone)
  }
  const own = await newLink(caller, others.id, { scopes: { details: true } })
  const seen = JSON.stringify(await asGuest(getSharedPage, { token: own.token }))
  for (const { entryId, travelerId } of await guests()) {
    expect(seen).not.toContain(entryId)
    expect(seen).not.toContain(travelerId)
  }
  expect((await guests()).some(({ name, confirmedAt }) => name.includes('Taken') || confirmedAt !== null)).toBe(false)
})

const guestsOf = async (caller: TestCaller, departureId: string): Promise<string[]> => {
  const { rows } = await caller.transaction((tx) =>
    sql<{ id: string }>`select id from bookings where departure_id = ${departureId} order by id`.execute(tx),
  )
  return rows.map(({ id }) => id)
}

test('until when is a setting: the page says it, and the schema refuses what comes later, in this organization only', async () => {
  const { clock, caller, link, asGuest, party, people } = await partyOfTwo()
  const other = await partyOfTwo()
  const { version, settings } = await caller.call(verbOf(getTourSettings), {})
  await caller.call(verbOf(updateTourSettings), { version, settings: { ...settings, guestChangesHours: 48 } })
  expect(await party()).toMatchObject({ isOpen: true, until: '2030-07-12T09:00:00.000Z' })
  expect(await other.party()).toMatchObject({ until: '2030-07-13T09:00:00.000Z' })
  const both = [...(await people())]
  clock.set(new Date('2030-07-12T09:00:00Z'))
  await expect(asGuest(confirmParty, { token: link.token, people: both })).rejects.toMatchObject({
    details: { reason: 'details_closed' },
  })
  const late = caller.transaction((tx) =>
    sql`update manifest_entries set details_confirmed_at = app_now(), details_confirmed_version = 1 where org_id = ${caller.orgId}`.execute(
      tx,
    ),
  )
  await expect(late).rejects.toMatchObject({ cause: { constraint: 'manifest_entries_details_in_time' } })
  const wrong = { version: version + 1, settings: { ...settings, guestChangesHours: 721 } }
  await expect(caller.call(verbOf(updateTourSettings), wrong)).rejects.toMatchObject({
    details: { fieldIssues: { 'settings.guestChangesHours': [expect.anything()] } },
  })
})

test('from a day before the departure on nothing can be changed, nor by a link that is paused or revoked', async () => {
  const { clock, caller, link, asGuest, party, people, guests } = await partyOfTwo()
  const both = [...(await people())]
  const confirm = () => asGuest(confirmParty, { token: link.token, people: both })
  const paused = await caller.call(verbOf(pauseLink), { id: link.id, version: 1, paused: true })
  await expect(confirm()).rejects.toMatchObject(gone)
  await caller.call(verbOf(pauseLink), { ...paused, paused: false })
  clock.set(new Date('2030-07-13T09:00:00Z'))
  expect(await party()).toMatchObject({ isOpen: false, until: '2030-07-13T09:00:00.000Z' })
  await expect(confirm()).rejects.toMatchObject({ code: 'aborted', details: { reason: 'details_closed' } })
  clock.set(new Date('2030-07-13T08:59:59Z'))
  await confirm()
  await caller.call(verbOf(revokeLink), { ids: [link.id] })
  await expect(confirm()).rejects.toMatchObject(gone)
  expect((await guests()).map(({ confirmedAt }) => confirmedAt)).toEqual([
    '2030-07-13T08:59:59.000Z',
    '2030-07-13T08:59:59.000Z',
  ])
})

test('the database itself takes no confirmation when the time is over or the departure boards', async () => {
  const { clock, caller, departureId } = await partyOfTwo()
  const write = (sent: TestCaller = caller) =>
    sent.transaction((tx) =>
      sql`update manifest_entries set details_confirmed_at = app_now(), details_confirmed_version = 1 where departure_id = ${departureId}`.execute(
        tx,
      ),
    )
  clock.set(new Date('2030-07-13T09:00:00Z'))
  await expect(write()).rejects.toMatchObject({ details: { reason: 'details_closed' } })
  clock.set(new Date(beforehand))
  await caller.transaction((tx) => sql`update departures set status = 'boarding' where id = ${departureId}`.execute(tx))
  await expect(write()).rejects.toMatchObject({ details: { reason: 'details_closed' } })
})

test('names are taken as they are written, without what turns the text around them, and an empty one names its field', async () => {
  const { link, asGuest, people } = await partyOfTwo()
  const [first, second] = await people()
  const hostile = `<img src=x onerror=alert(1)> '; drop table travelers; --`
  const { people: saved } = await asGuest(confirmParty, {
    token: link.token,
    people: [{ ...first, firstName: '=cmd|A1', lastName: `\u202E${hostile}` }, second],
  })
  expect(saved.find(({ id }) => id === first.id)).toMatchObject({ firstName: '=cmd|A1', lastName: hostile })
  await expect(
    asGuest(confirmParty, {
      token: link.token,
      people: [...(await people())].map((one) => ({ ...one, lastName: ' ' })),
    }),
  ).rejects.toMatchObject({
    code: 'invalid-argument',
    details: { fieldIssues: { 'people.0.lastName': [{ code: 'last_or_only_name_missing' }] } },
  })
})

test('confirming the same again leaves one entry in the audit log, however often it is sent', async () => {
  const { caller, link, asGuest, people } = await partyOfTwo()
  const both = [...(await people())]
  for (let sent = 0; sent < 20; sent += 1) await asGuest(confirmParty, { token: link.token, people: both })
  const { rows } = await caller.transaction((tx) =>
    sql`select from audit_entries where action = 'share-confirm'`.execute(tx),
  )
  expect(rows).toHaveLength(2)
})

test('a party that is moved to another departure stays confirmed, and its time is that of the new one', async () => {
  const { caller, tourId, booking, link, asGuest, party, people } = await partyOfTwo()
  await asGuest(confirmParty, { token: link.token, people: [...(await people())] })
  const later = await addDeparture(caller, tourId, { localDate: '2030-07-20' })
  const { version } = await caller.call(verbOf(getBooking), { id: booking.id })
  await caller.call(verbOf(moveBookings), { parties: [{ id: booking.id, version }], toDepartureId: later })
  expect(await party()).toMatchObject({ until: '2030-07-19T09:00:00.000Z', confirmedAt: '2030-07-10T08:00:00.000Z' })
})

test('a member who opens a guest’s link looks only: nothing is confirmed, booked or rated for the guest', async () => {
  const { caller, clock, link, asGuest, people, guests } = await partyOfTwo({
    scopes: { details: true, offer: true, feedback: true },
  })
  const { token } = link
  expect(await asGuest(getSharedPage, { token })).toMatchObject({ isPreview: false })
  const stranger = await world.as('operations_manager', { clock })
  expect(await stranger.call(verbOf(getSharedPage), { token })).toMatchObject({ isPreview: false })
  const viewer = await world.as('viewer', { orgId: caller.orgId, clock })
  for (const member of [caller, viewer]) {
    expect(await member.call(verbOf(getSharedPage), { token })).toMatchObject({ isPreview: true })
    const refused = { code: 'aborted', details: { reason: 'preview_only' } }
    await expect(member.call(verbOf(confirmParty), { token, people: [...(await people())] })).rejects.toMatchObject(
      refused,
    )
    await expect(member.call(verbOf(answerOffer), { token, take: true })).rejects.toMatchObject(refused)
    await expect(member.call(verbOf(giveFeedback), { token, tourRating: 5 })).rejects.toMatchObject(refused)
  }
  expect((await guests()).map(({ confirmedAt }) => confirmedAt)).toEqual([null, null])
})

describe('seats on which nobody is named', () => {
  const seats = [
    { unitType: 'adult', quantity: 3 },
    { unitType: 'child', quantity: 1 },
  ] as const
  const named = (lastName: string, unitType: 'adult' | 'child' = 'adult') => ({
    unitType,
    firstName: 'Noor',
    lastName,
    dietary: ['vegan' as const],
    dietaryNote: 'No honey',
  })

  /** A party of four of whom one is named. */
  async function partyOfFour() {
    const party = await partyOfTwo()
    const { caller, departureId, asGuest } = party
    const booking = await book(caller, departureId, 4, {
      units: [...seats],
      guests: [{ firstName: 'Emma', lastName: 'Perry', unitType: 'adult' }],
    })
    const { token } = await newLink(caller, booking.id, { scopes: { details: true } })
    const page = async () => {
      const shown = (await asGuest(getSharedPage, { token })).party
      if (!shown) throw new Error('The link shows no party.')
      return shown
    }
    const confirm = async (more: Omit<In<typeof confirmParty>, 'token' | 'people'>) =>
      asGuest(confirmParty, { token, people: (await page()).people, ...more })
    return { ...party, booking, token, page, confirm }
  }

  test('are named by the guest, with a profile, an entry on the manifest and their diet', async () => {
    const { caller, departureId, booking, page, confirm } = await partyOfFour()
    expect(await page()).toMatchObject({ openSeats: ['adult', 'adult', 'child'], confirmedAt: null })
    const after = await confirm({ named: [named('Haddad'), named('Haddad', 'child')], openSeats: 3 })
    expect(after).toMatchObject({ openSeats: ['adult'], people: [{}, {}, {}] })
    expect(after.confirmedAt).not.toBeNull()
    const { guests, version } = await caller.call(verbOf(getBooking), { id: booking.id })
    expect(version).toBeGreaterThan(booking.version)
    const child = guests.find(({ unitType }) => unitType === 'child')
    expect(child).toMatchObject({ name: 'Noor Haddad', status: 'expected' })
    expect(await caller.call(verbOf(getTraveler), { id: child?.travelerId ?? '' })).toMatchObject({
      firstName: 'Noor',
      dietary: ['vegan'],
      dietaryNote: 'No honey',
    })
    const { groups } = await caller.call(verbOf(getManifest), { departureId })
    expect(JSON.stringify(groups)).toContain('Haddad')
  })

  test('are named once: a second phone, and the same answer sent again, are told to look', async () => {
    const { booking, caller, token, page, asGuest } = await partyOfFour()
    const { people } = await page()
    const same = { token, people, named: [named('Haddad')], openSeats: 3 }
    await asGuest(confirmParty, same)
    await expect(asGuest(confirmParty, same)).rejects.toMatchObject({
      code: 'aborted',
      details: { reason: 'conflict' },
    })
    expect((await caller.call(verbOf(getBooking), { id: booking.id })).guests).toHaveLength(2)
  })

  test('are as many as were booked: nobody is named on a kind that is full, and nothing of the answer is kept', async () => {
    const { booking, caller, confirm, page } = await partyOfFour()
    const tooMany = [named('One', 'child'), named('Two', 'child')]
    await expect(confirm({ named: tooMany, openSeats: 3 })).rejects.toMatchObject({ details: { reason: 'conflict' } })
    await expect(confirm({ named: [{ ...named('x'), lastName: ' ' }], openSeats: 3 })).rejects.toMatchObject({
      code: 'invalid-argument',
      details: { fieldErrors: { 'named.0.lastName': expect.any(Array) } },
    })
    expect(await page()).toMatchObject({ openSeats: ['adult', 'adult', 'child'], confirmedAt: null })
    expect((await caller.call(verbOf(getBooking), { id: booking.id })).guests).toHaveLength(1)
  })

  test('are not named once the booking has ended', async () => {
    const { booking, caller, asGuest, token } = await partyOfFour()
    const { version } = await caller.call(verbOf(getBooking), { id: booking.id })
    await caller.call(verbOf(cancelBooking), {
      id: booking.id,
      version,
      reason: 'guest_request',
      note: null,
      feeReason: null,
    })
    expect((await asGuest(getSharedPage, { token })).party).toBeNull()
    await expect(
      asGuest(confirmParty, { token, people: [], named: [named('Haddad')], openSeats: 4 }),
    ).rejects.toMatchObject({ code: 'aborted', details: { reason: 'conflict' } })
  })

  test('are not named in the last 24 hours', async () => {
    const { clock, confirm } = await partyOfFour()
    clock.set(new Date('2030-07-13T10:00:00Z'))
    await expect(confirm({ named: [named('Haddad')], openSeats: 3 })).rejects.toMatchObject({
      details: { reason: 'details_closed' },
    })
  })

  test.runIf(process.env['TEST_DATABASE'] === 'embedded')(
    'two phones and the office that name at once never name more people than seats (runs on PostgreSQL)',
    async () => {
      const { booking, caller, token, page, asGuest } = await partyOfFour()
      const { people } = await page()
      const guest = (name: string) =>
        asGuest(confirmParty, { token, people, named: [named(name), named(`${name} too`)], openSeats: 3 })
      const { guests, version } = await caller.call(verbOf(getBooking), { id: booking.id })
      const office = caller.call(verbOf(nameGuests), {
        id: booking.id,
        version,
        guests: [
          ...guests.map(({ travelerId }) => ({ travelerId, unitType: 'adult' as const })),
          { lastName: 'Office', unitType: 'adult' },
          { lastName: 'Child', unitType: 'child' },
        ],
      })
      const done = await Promise.allSettled([guest('One'), guest('Two'), office])
      expect(done.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
      expect((await caller.call(verbOf(getBooking), { id: booking.id })).guests).toHaveLength(3)
    },
  )
})
