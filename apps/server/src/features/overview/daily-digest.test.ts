import { previewDigest, sendDigestToMe } from '@tour-ops/contract/overview/daily-digest'
import { updateOwnPreferences, type OwnPreferences } from '@tour-ops/contract/settings/settings'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { addDeparture, assignGuide, book, officeWithTour, setStatus } from '../../../testing/operations.ts'
import { type TestCaller, testDatabase, type TestWorld } from '../../../testing/world.ts'
import { verbsOf } from '../../../testing/verbs.ts'
import type { Channels } from '../../platform/channels/channels.ts'
import type { Clock } from '../../platform/clock.ts'
import { newId } from '../../platform/ids.ts'
import { rulesVerbs } from '../settings/rules-service.ts'
import { oldDigests, sendDigests } from './daily-digest.ts'
import { digestVerbs } from './digest-service.ts'

let world: TestWorld
beforeAll(async () => {
  world = await testDatabase()
})
afterAll(() => world.close())

const verbOf = verbsOf([...digestVerbs, ...rulesVerbs])
const today = '2030-07-14'
const tomorrow = '2030-07-15'
const at = (time: string, day = today) => new Date(`${day}T${time}Z`)

/** An office whose clock is UTC, with a tour that starts at 09:00 on each of these days. */
async function office(days: readonly string[] = [tomorrow]) {
  const tour = await officeWithTour(world, at('08:00'))
  const ids: string[] = []
  for (const localDate of days) ids.push(await addDeparture(tour.caller, tour.tourId, { localDate }))
  return { ...tour, ids }
}

const run = (clock: Clock, channels?: Channels) =>
  sendDigests({ ...world.services, clock, ...(channels && { channels }) })

interface SentRow {
  kind: string
  userId: string
  title: string
  body: string
}

/** What reached these members of an organization, in the bell and by e-mail; each sees their own bell. */
async function sent(...people: readonly TestCaller[]): Promise<SentRow[]> {
  const found: SentRow[] = []
  for (const person of people) {
    const { orgId, userId } = person
    const { rows } = await person.transaction((tx) =>
      sql<SentRow>`
        select 'bell' as kind, ${userId} as "userId", data ->> 'title' as title, data ->> 'body' as body
        from documents where path like ${`users/${userId}/inbox/%`} and data ->> 'orgId' = ${orgId}
        union all select channel, user_id, subject, body from deliveries where org_id = ${orgId} and user_id = ${userId}`.execute(
        tx,
      ),
    )
    found.push(...rows)
  }
  return found.toSorted((a, b) => a.kind.localeCompare(b.kind))
}
const kinds = async (...people: readonly TestCaller[]) => (await sent(...people)).map(({ kind }) => kind)
const daily = ['bell', 'email']

const prefer = (caller: TestCaller, settings: OwnPreferences) => caller.call(verbOf(updateOwnPreferences), { settings })
const setRule = (caller: TestCaller, digestAt: string) =>
  caller.transaction((tx) =>
    sql`update org_settings set notification_rules = notification_rules || ${JSON.stringify({ digestAt })}::jsonb where org_id = ${caller.orgId}`.execute(
      tx,
    ),
  )
const setZone = (caller: TestCaller, zone: string) =>
  caller.transaction((tx) =>
    sql`update org_settings set time_zone = ${zone} where org_id = ${caller.orgId}`.execute(tx),
  )

describe('the digest of the day', () => {
  test('reaches administrators, operations managers and dispatchers at 18:00, once, and nobody else', async () => {
    const { caller, clock } = await office()
    const others = { orgId: caller.orgId, clock }
    const reading = [caller, await world.as('admin', others), await world.as('dispatcher', others)]
    const rest: TestCaller[] = []
    for (const role of ['tour_designer', 'guide', 'viewer'] as const) rest.push(await world.as(role, others))
    clock.set(at('17:59:59'))
    await run(clock)
    expect(await sent(caller)).toEqual([])
    clock.set(at('18:00:00'))
    await run(clock)
    await run(clock)
    clock.set(at('18:05:00'))
    await run(clock)
    for (const member of reading) expect(await kinds(member)).toEqual(daily)
    expect(await sent(...rest)).toEqual([])
  })

  test('is sent on each day, and days are told apart', async () => {
    const { caller, clock } = await office([tomorrow, '2030-07-16'])
    clock.set(at('18:00:00'))
    await run(clock)
    clock.set(at('18:00:00', tomorrow))
    await run(clock)
    const mails = (await sent(caller)).filter(({ kind }) => kind === 'email')
    expect(mails.map(({ title }) => title).toSorted()).toEqual([
      'Tomorrow, Mon 15 Jul: 1 departure, 0 guests, 20 seats',
      'Tomorrow, Tue 16 Jul: 1 departure, 0 guests, 20 seats',
    ])
  })

  test('is not sent where neither today nor tomorrow has a departure, and that is decided once', async () => {
    const { caller, clock, tourId } = await office(['2030-07-16'])
    clock.set(at('18:00:00'))
    await run(clock)
    await addDeparture(caller, tourId, { localDate: tomorrow })
    clock.set(at('19:00:00'))
    await run(clock)
    expect(await sent(caller)).toEqual([])
  })

  test('is sent where only today has one, and says that tomorrow has none', async () => {
    const { caller, clock } = await office([today])
    clock.set(at('18:00:00'))
    await run(clock)
    expect((await sent(caller))[1]?.title).toBe('Tomorrow, Mon 15 Jul: no departures')
  })

  test('is made up for within five hours where no server was running, and not on the next day', async () => {
    const early = await office()
    early.clock.set(at('22:59:59'))
    await run(early.clock)
    expect(await kinds(early.caller)).toEqual(daily)
    const late = await office()
    late.clock.set(at('23:00:00'))
    await run(late.clock)
    const night = await office()
    await setRule(night.caller, '22:00')
    night.clock.set(at('00:30:00', tomorrow))
    await run(night.clock)
    expect(await sent(late.caller)).toEqual([])
    expect(await sent(night.caller)).toEqual([])
  })

  test('goes by the clock of the organization, also on the days on which clocks change', async () => {
    for (const [zone, day, before, due] of [
      // 18:00 in summer, on the day that has 23 hours, and on the one that has 25
      ['Europe/Berlin', '2030-07-14', '15:59:59', '16:00:00'],
      ['Europe/Berlin', '2031-03-30', '15:59:59', '16:00:00'],
      ['Europe/Berlin', '2030-10-27', '16:59:59', '17:00:00'],
      ['America/New_York', '2030-11-03', '22:59:59', '23:00:00'],
    ] as const) {
      const { caller, clock } = await office([day])
      await setZone(caller, zone)
      clock.set(at(before, day))
      await run(clock)
      expect(await kinds(caller)).toEqual([])
      clock.set(at(due, day))
      await run(clock)
      clock.set(new Date(at(due, day).getTime() + 3_600_000))
      await run(clock)
      expect(await kinds(caller)).toEqual(daily)
    }
  })

  test('is sent at the time that the organization set, or not at all', async () => {
    const { caller, clock } = await office()
    await setRule(caller, '16:30')
    clock.set(at('16:30:00'))
    await run(clock)
    expect(await kinds(caller)).toEqual(daily)
    const silent = await office()
    await setRule(silent.caller, 'off')
    silent.clock.set(at('18:00:00'))
    await run(silent.clock)
    expect(await sent(silent.caller)).toEqual([])
  })

  test('goes where a member chose, in their language, and nowhere where they chose that', async () => {
    const { caller, clock } = await office()
    const admin = await world.as('admin', { orgId: caller.orgId, clock })
    await prefer(caller, { events: { daily_digest: ['email'] }, language: 'de' })
    await prefer(admin, { events: { daily_digest: [] }, language: null })
    clock.set(at('18:00:00'))
    await run(clock)
    const told = await sent(caller, admin)
    expect(told.map(({ kind, userId, title }) => ({ kind, userId, title }))).toEqual([
      { kind: 'email', userId: caller.userId, title: 'Morgen, Mo., 15. Juli: 1 Abfahrt, 0 Gäste, 20 Plätze' },
    ])
    expect(told[0]?.body).toContain('09:00 (Reykjavik) Golden Circle: keine Reiseleitung hat zugesagt')
  })

  test('does not reach who became a member after its time', async () => {
    const { caller, clock } = await office()
    clock.set(at('18:00:00'))
    await run(clock)
    const late = await world.as('dispatcher', { orgId: caller.orgId, clock })
    await late.transaction((tx) =>
      sql`update members set joined_at = app_now() + interval '1 second' where user_id = ${late.userId}`.execute(tx),
    )
    clock.set(at('18:01:00'))
    await run(clock)
    expect(await sent(late)).toEqual([])
    clock.set(at('18:00:00', tomorrow))
    await run(clock)
    expect(await kinds(late)).toEqual(daily)
  })

  test('is sent once by several processes at the same time', async () => {
    const { caller, clock } = await office()
    const people = [caller]
    for (let count = 0; count < 3; count++) people.push(await world.as('dispatcher', { orgId: caller.orgId, clock }))
    clock.set(at('18:00:00'))
    await Promise.all(Array.from({ length: 4 }, () => run(clock)))
    for (const member of people) expect(await kinds(member)).toEqual(daily)
  })

  test('is sent whole later where a process ended in the middle of it', async () => {
    const { caller, clock } = await office()
    clock.set(at('18:00:00'))
    const ended: Channels = { ...world.services.channels, send: () => Promise.reject(new Error('killed')) }
    await expect(run(clock, ended)).rejects.toThrow(AggregateError)
    // the bell was written before the e-mail
    expect(await sent(caller)).toEqual([])
    await run(clock)
    await run(clock)
    expect(await kinds(caller)).toEqual(daily)
  })

  test('is remembered for a month', async () => {
    const { caller, clock } = await office()
    clock.set(at('18:00:00'))
    await run(clock)
    const left = async (day: string) => {
      clock.set(at('03:00:00', day))
      await world.services.db.transaction(
        { orgId: caller.orgId, actor: { kind: 'system', id: null }, action: 'test', requestId: newId(), clock },
        (tx) => oldDigests.run(tx, caller.orgId),
      )
      return (await world.rows('select from daily_digests')).length
    }
    const before = await left('2030-08-13')
    expect(await left('2030-08-14')).toBeLessThan(before)
  })
})

describe('the letter', () => {
  test('says what is missing for tomorrow, what is open and what was late, each with the screen that fixes it', async () => {
    const { caller, clock, tourId, ids } = await office([today, tomorrow])
    const [late = '', unready = ''] = ids
    const ready = await addDeparture(caller, tourId, { localDate: tomorrow, startTimeLocal: '19:00' })
    await book(caller, ready, 5)
    await assignGuide(caller, ready)
    await assignGuide(caller, unready, { status: 'offered' })
    await assignGuide(caller, late)
    const { id: bookingId } = await book(caller, late, 4)
    clock.set(at('09:25:00'))
    for (const to of ['boarding', 'in_progress'] as const) await setStatus(caller, late, { to, reason: 'no count' })
    await rate(caller, { departureId: late, bookingId, stars: 2 })
    await rate(caller, { departureId: late, bookingId: null, stars: 1 })
    for (const [index, severity] of ['warning', 'critical', 'warning'].entries())
      await openAlert(caller, severity, index)
    clock.set(at('18:00:00'))
    await run(clock)
    const [bell, email] = await sent(caller)
    const url = world.services.config.publicUrl
    expect(bell).toMatchObject({
      title: 'Tomorrow, Mon 15 Jul: 2 departures, 5 guests, 40 seats',
      body: 'Not ready: 1 · Departures with unfilled roles: 1 · Unanswered assignment offers: 1 · Open alerts: critical: 1, warning: 2 · Late today: 1 · New poor ratings: 1',
    })
    expect(email?.body.split('\n')).toEqual([
      'Monday 15 July: 2 departures, 5 guests, 40 seats',
      `${url}/dashboard/overview?day=${tomorrow}`,
      '',
      'Not ready: 1',
      '- 09:00 (Reykjavik) Golden Circle: no lead guide has accepted, below the minimum',
      `  ${url}/dashboard/overview?day=${tomorrow}&departure=${unready}`,
      '',
      'Departures with unfilled roles: 1',
      '- 09:00 (Reykjavik) Golden Circle: lead guide',
      `  ${url}/field-staff/list?show=planner&from=${tomorrow}&departure=${unready}`,
      '',
      'Unanswered assignment offers: 1',
      '- 09:00 (Reykjavik) Golden Circle: Björn Ólafsson',
      `  ${url}/field-staff/list?show=planner&from=${tomorrow}&departure=${unready}`,
      '',
      'Open alerts: critical: 1, warning: 2',
      `${url}/tools/monitoring`,
      '',
      'Late today: 1',
      '- 09:00 (Reykjavik) Golden Circle: 25 min late',
      `  ${url}/dashboard/overview?departure=${late}`,
      '',
      'New poor ratings: 1',
      '- 2 of 5 stars: Golden Circle, Amara Okafor',
      `  ${url}/travelers/list?booking=${bookingId}`,
      '',
      'The office gets this every day at 18:00. Switch it off, or choose where you get it:',
      `${url}/settings/notifications#mine`,
    ])
  })

  test('is shown and sent to who asks for it, which takes nothing from the one of the day', async () => {
    const { caller, clock } = await office()
    const { message } = await caller.call(verbOf(previewDigest), {})
    expect(message?.subject).toBe('Tomorrow, Mon 15 Jul: 1 departure, 0 guests, 20 seats')
    expect(await caller.call(verbOf(sendDigestToMe), {})).toEqual({ channels: ['in_app', 'email'] })
    const [, email] = await sent(caller)
    const [footer, text] = [
      'The office gets this every day at 18:00.',
      message?.body.split('\n\n').slice(0, -1).join('\n\n'),
    ]
    expect(message?.body).toContain(`${text}\n\n${footer}`)
    expect(email?.body).toContain(`${text}\n\nYou asked for this digest.`)
    await prefer(caller, { events: { daily_digest: [] }, language: null })
    expect(await caller.call(verbOf(sendDigestToMe), {})).toEqual({ channels: ['in_app'] })
    await prefer(caller, { events: {}, language: null })
    clock.set(at('18:00:00'))
    await run(clock)
    expect(await kinds(caller)).toEqual(['bell', 'bell', 'bell', 'email', 'email'])
  })

  test('has nothing to show where neither today nor tomorrow has a departure', async () => {
    const { caller } = await office([])
    expect(await caller.call(verbOf(previewDigest), {})).toEqual({ message: null })
    expect(await caller.call(verbOf(sendDigestToMe), {})).toEqual({ channels: [] })
    expect(await sent(caller)).toEqual([])
  })
})

const rate = (
  caller: TestCaller,
  { departureId, bookingId, stars }: { departureId: string; bookingId: string | null; stars: number },
) =>
  caller.transaction((tx) =>
    sql`insert into feedback (org_id, id, departure_id, booking_id, tour_rating, language)
      values (${caller.orgId}, ${newId()}, ${departureId}, ${bookingId}, ${stars}, 'en')`.execute(tx),
  )

const openAlert = (caller: TestCaller, severity: string, index: number) =>
  caller.transaction((tx) =>
    sql`insert into alerts (org_id, id, kind, severity, subject_type, subject_id, title, evidence, dedupe_key)
      values (${caller.orgId}, ${newId()}, 'sos', ${severity}, 'organization', ${caller.orgId}, 'Help asked', '{}', ${`sos:${index}`})`.execute(
      tx,
    ),
  )
