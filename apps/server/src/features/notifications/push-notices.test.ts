import { listOutbox } from '@tour-ops/contract/notifications/notifications'
import {
  addPushSubscription,
  browsersPerPerson,
  listPushSubscriptions,
  removePushSubscription,
  testPushSubscription,
} from '@tour-ops/contract/notifications/push-subscriptions'
import { updateOwnPreferences } from '@tour-ops/contract/settings/settings'
import { sql } from 'kysely'
import { pino } from 'pino'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { asOwnRole } from '../../../testing/own-role.ts'
import { phonesOf, type TestProvider, testProvider } from '../../../testing/phone-provider.ts'
import { senderOf, testBrowser } from '../../../testing/push-browser.ts'
import { verbsOf } from '../../../testing/verbs.ts'
import { type TestCaller, testDatabase, type TestWorld } from '../../../testing/world.ts'
import { Courier } from '../../platform/channels/courier.ts'
import { vapidKeysOf } from '../../platform/channels/vapid-keys.ts'
import { sendNotice } from '../../platform/notices.ts'
import { guestEnclosures } from '../../platform/operations/guest-enclosures.ts'
import { allVerbs } from '../../verbs.ts'

// Members are told in their browsers although no page is open: a real push service, and browsers that read what only they can read.

let world: TestWorld
let service: TestProvider
beforeAll(async () => {
  world = await testDatabase()
  service = await testProvider()
})
afterAll(async () => {
  await service.close()
  await world.close()
})
beforeEach(() => {
  service.asked.length = 0
  service.answer(() => ({ status: 201 }))
})

const verbOf = verbsOf(allVerbs)
let browsers = 0

/** Switches notices on in another browser. */
async function subscribe(person: TestCaller, path = `/push/${(browsers += 1)}`, origin = service.origin) {
  const { keys, read } = testBrowser()
  const endpoint = `${origin}${path}`
  const subscription = { endpoint, ...keys, name: 'Firefox on Linux' }
  const { id } = await person.call(verbOf(addPushSubscription), { subscription })
  return { id, endpoint, path, read, keys }
}

const notice = {
  event: 'alert_escalated',
  link: '/tools/monitoring',
  text: (locale: string) => ({ title: `Alert in ${locale}`, body: 'Nobody took it.' }),
} as const
const tell = ({ orgId, userId, ...person }: TestCaller, what: Parameters<typeof sendNotice>[2] = notice) =>
  person.transaction((tx) => sendNotice({ ...world.services, tx, orgId }, userId, what))

/** As the server does. @param hosts Inside its own network that it may ask. */
const deliver = (hosts = [service.host]) =>
  new Courier({
    db: world.database,
    log: pino({ level: 'silent' }),
    mail: null,
    phones: phonesOf(world.services, hosts),
    enclose: guestEnclosures('https://ops.example'),
  }).deliverDue()

const logOf = async (person: TestCaller) =>
  (await person.call(verbOf(listOutbox), { filters: { channel: ['push'] } })).rows
const isDueNow = (person: TestCaller) =>
  person.transaction((tx) => sql`update deliveries set next_attempt_at = app_now() where status = 'queued'`.execute(tx))
const listOf = async (person: TestCaller) => (await person.call(verbOf(listPushSubscriptions), {})).browsers

describe('a notice', () => {
  test('reaches each browser of its person, readable there alone, in their language, with the page that it opens', async () => {
    const person = await world.as('admin')
    const [one, two] = [await subscribe(person), await subscribe(person)]
    await person.call(verbOf(updateOwnPreferences), { settings: { events: {}, language: 'de' } })
    await tell(person)
    await deliver()
    expect(service.asked.map(({ path }) => path).toSorted()).toEqual([one.path, two.path].toSorted())
    for (const browser of [one, two]) {
      const asked = service.asked.find(({ path }) => path === browser.path)
      const bytes = asked?.bytes ?? Buffer.alloc(0)
      expect(bytes.length).toBeLessThanOrEqual(4096)
      expect(bytes.toString('latin1')).not.toContain('Alert')
      expect(browser.read(bytes)).toEqual({
        id: expect.any(String),
        title: 'Alert in de',
        body: 'Nobody took it.',
        link: '/tools/monitoring',
      })
      expect(asked?.headers).toMatchObject({ 'content-encoding': 'aes128gcm', ttl: '86400', urgency: 'high' })
    }
    const log = await logOf(person)
    expect(log.map(({ status }) => status)).toEqual(['sent', 'sent'])
    expect(log[0]).toMatchObject({ kind: 'alert_escalated', to: expect.stringContaining('Firefox on Linux') })
  })

  test('is signed with the key with which browsers subscribe, for the origin of the push service, and not for long', async () => {
    const person = await world.as('admin')
    await subscribe(person)
    await tell(person)
    await deliver()
    const { publicKey, claims } = await senderOf(service.asked[0]?.headers.authorization ?? '')
    expect(publicKey).toBe((await person.call(verbOf(listPushSubscriptions), {})).publicKey)
    // of a push service without TLS the address that it would have with it
    expect(claims.aud).toBe(service.origin.replace('http:', 'https:'))
    expect(claims['sub']).toMatch(/^https:/)
    expect(Number(claims.exp) - Date.now() / 1000).toBeLessThan(24 * 3600)
  })

  test('goes to no browser where its person chose otherwise, and to no colleague', async () => {
    const person = await world.as('admin')
    const colleague = await world.as('viewer', { orgId: person.orgId })
    await subscribe(person)
    await subscribe(colleague)
    await person.call(verbOf(updateOwnPreferences), {
      settings: { events: { alert_escalated: ['in_app'] }, language: null },
    })
    await tell(person)
    await deliver()
    expect(service.asked).toEqual([])
  })

  test('that is long in any alphabet is cut to what push services take, at the end of a letter', async () => {
    const person = await world.as('admin')
    const browser = await subscribe(person)
    await person.call(verbOf(updateOwnPreferences), {
      settings: { events: { alert_escalated: ['push'] }, language: null },
    })
    for (const letter of ['x', '漢', '🦊', '"']) {
      service.asked.length = 0
      await tell(person, { ...notice, text: () => ({ title: 'Long', body: letter.repeat(5000) }) })
      await deliver()
      const bytes = service.asked[0]?.bytes ?? Buffer.alloc(0)
      expect(bytes.length).toBeLessThanOrEqual(4096)
      const { body } = browser.read(bytes)
      expect(body.isWellFormed()).toBe(true)
      expect(body).toMatch(new RegExp(`^(${letter}){600,}…$`, 'u'))
    }
  })
})

describe('a push service', () => {
  test.each([404, 410])('that answers %i has lost the browser, which is not asked again', async (status) => {
    const person = await world.as('admin')
    await subscribe(person)
    service.answer(() => ({ status }))
    await tell(person)
    await deliver()
    expect(await logOf(person)).toMatchObject([{ status: 'suppressed', suppressedReason: 'browser_gone' }])
    expect(await listOf(person)).toEqual([])
    await tell(person)
    await deliver()
    expect(service.asked).toHaveLength(1)
  })

  test('that is busy is asked again when it wants to be, three times in all, and holds up no other browser', async () => {
    const person = await world.as('admin')
    const [busy, other] = [await subscribe(person), await subscribe(person)]
    service.answer(({ path }) =>
      path === busy.path ? { status: 429, headers: { 'retry-after': '1800' } } : { status: 201 },
    )
    await tell(person)
    await deliver()
    const [waiting] = (await logOf(person)).filter(({ status }) => status === 'queued')
    expect(waiting).toMatchObject({ attempts: 1, error: `${service.host} answers 429.` })
    const minutes = (Date.parse(waiting?.dueAt ?? '') - world.services.clock.now().getTime()) / 60_000
    expect(minutes).toBeGreaterThan(25)
    expect(service.asked.filter(({ path }) => path === other.path)).toHaveLength(1)
    for (let attempt = 2; attempt <= 4; attempt += 1) {
      await isDueNow(person)
      await deliver()
    }
    expect(service.asked.filter(({ path }) => path === busy.path)).toHaveLength(3)
    expect((await logOf(person)).map(({ status }) => status).toSorted()).toEqual(['failed', 'sent'])
  })

  test('inside the network of the server is never asked, nor one without TLS, and the log says so', async () => {
    const person = await world.as('admin')
    await subscribe(person, '/inside', `https://127.0.0.1:${service.host.split(':')[1]}`)
    await subscribe(person)
    await tell(person)
    await deliver([])
    expect(service.asked).toEqual([])
    expect((await logOf(person)).map(({ status, error }) => `${status} ${error}`).toSorted()).toEqual([
      `failed ${service.host} is inside the network of this server.`,
      'failed The address of the push service is not safe.',
    ])
  })

  test('is left alone about a browser with keys that are none', async () => {
    const person = await world.as('admin')
    const subscription = { p256dh: `B${'A'.repeat(86)}`, auth: 'A'.repeat(22), name: 'Odd' }
    await person.call(verbOf(addPushSubscription), {
      subscription: { ...subscription, endpoint: `${service.origin}/odd` },
    })
    await tell(person)
    await deliver()
    expect(service.asked).toEqual([])
    expect(await logOf(person)).toMatchObject([{ status: 'failed', attempts: 1 }])
  })
})

describe('browsers', () => {
  test('are listed for their owner alone, are added once, and are removed', async () => {
    const person = await world.as('guide')
    const colleague = await world.as('admin', { orgId: person.orgId })
    const browser = await subscribe(person)
    const again = await person.call(verbOf(addPushSubscription), {
      subscription: { endpoint: browser.endpoint, ...browser.keys, name: 'Chrome on Android' },
    })
    expect(again.id).toBe(browser.id)
    expect(await listOf(person)).toMatchObject([{ id: browser.id, name: 'Chrome on Android' }])
    expect(await listOf(colleague)).toEqual([])
    expect(await colleague.call(verbOf(removePushSubscription), { endpoint: browser.endpoint })).toEqual({
      removed: false,
    })
    const foreign = colleague.call(verbOf(testPushSubscription), { id: browser.id })
    await expect(foreign).rejects.toMatchObject({ code: 'not-found' })
    expect(await person.call(verbOf(removePushSubscription), { endpoint: browser.endpoint })).toEqual({ removed: true })
    expect(await listOf(person)).toEqual([])
  })

  test('are ten at most for each person: the first makes room', async () => {
    const person = await world.as('viewer')
    const added = []
    for (let at = 0; at <= browsersPerPerson; at += 1) added.push(await subscribe(person))
    const kept = await listOf(person)
    expect(kept).toHaveLength(browsersPerPerson)
    expect(kept.map(({ id }) => id)).not.toContain(added[0]?.id)
  })

  test('are tried with a notice that takes the way of all others', async () => {
    const person = await world.as('viewer')
    const browser = await subscribe(person)
    await person.call(verbOf(testPushSubscription), { id: browser.id })
    await deliver()
    expect(browser.read(service.asked[0]?.bytes ?? Buffer.alloc(0))).toMatchObject({
      title: 'Notices arrive here',
      link: '/settings/notifications',
    })
  })

  test('are not added in the name of a colleague by a guide, whatever statement tries it', async () => {
    const person = await world.as('guide')
    const colleague = await world.as('viewer', { orgId: person.orgId })
    const { keys } = testBrowser()
    const insert = asOwnRole(world, person, (tx) =>
      sql`insert into push_subscriptions (org_id, id, user_id, name, endpoint, p256dh, auth)
        values (${person.orgId}, gen_random_uuid(), ${colleague.userId}, 'Theirs', 'https://push.example/1', ${keys.p256dh}, ${keys.auth})`.execute(
        tx,
      ),
    )
    await expect(insert).rejects.toThrow()
    expect(await listOf(colleague)).toEqual([])
  })

  test('keep their key when the server starts again, and not when its secret is another one', () => {
    const keys = vapidKeysOf('a secret of the installation that is long')
    expect(vapidKeysOf('a secret of the installation that is long')).toEqual(keys)
    expect(keys.publicKey).toMatch(/^B[\w-]{86}$/)
    expect(keys.privateKey).toMatch(/^[\w-]{43}$/)
    expect(vapidKeysOf('a secret of the installation, another one')).not.toEqual(keys)
  })
})
