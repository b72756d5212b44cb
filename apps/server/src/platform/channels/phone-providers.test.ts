import { listOutbox } from '@tour-ops/contract/notifications/notifications'
import { sql } from 'kysely'
import { createHmac } from 'node:crypto'
import { pino } from 'pino'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { mailSink } from '../../../testing/mail-sink.ts'
import { phonesOf, setUpPhone, type TestProvider, testProvider } from '../../../testing/phone-provider.ts'
import { freePort } from '../../../testing/programs.ts'
import { verbsOf } from '../../../testing/verbs.ts'
import { type TestCaller, testDatabase, type TestWorld } from '../../../testing/world.ts'
import { notificationVerbs } from '../../features/notifications/outbox-service.ts'
import { guestEnclosures } from '../operations/guest-enclosures.ts'
import type { ChannelKind } from './channels.ts'
import { Courier, type Phones } from './courier.ts'
import { type MailTransport, smtpTransport } from './mail-transport.ts'
import { outboxChannels } from './outbox-channels.ts'
import { newWebhookSecret } from '../http/webhook-signature.ts'

let world: TestWorld
let provider: TestProvider
beforeAll(async () => {
  world = await testDatabase()
})
afterAll(() => world.close())
beforeEach(async () => {
  provider = await testProvider()
})
afterEach(() => provider.close())

const verbOf = verbsOf(notificationVerbs)
const secret = newWebhookSecret()
const account = `AC${'0'.repeat(32)}`

/** An office with texts to send, by an own webhook unless `entries` say otherwise. */
async function office(numbers: readonly string[], entries: Partial<Parameters<typeof setUpPhone>[2]> = {}) {
  const admin = await world.as('admin')
  await setUpPhone(world.services, admin, { address: `${provider.origin}/sms`, secret, ...entries })
  for (const to of numbers) await write(admin, to)
  return admin
}

const write = (admin: TestCaller, to: string, channel: ChannelKind = 'sms', body = 'Aurora: see you soon') => {
  const { db, clock } = world.services
  const channels = outboxChannels({ db, clock, delivery: 'outbox' })
  return channels.send(null, { channel, to, subject: 'Your booking', body, orgId: admin.orgId, kind: 'test' })
}

const isDueNow = (admin: TestCaller) =>
  admin.transaction((tx) => sql`update deliveries set next_attempt_at = app_now() where status = 'queued'`.execute(tx))

const courier = (phones: Phones = phonesOf(world.services, [provider.host]), mail: MailTransport | null = null) =>
  new Courier({
    db: world.database,
    log: pino({ level: 'silent' }),
    mail,
    phones,
    enclose: guestEnclosures('https://ops.example'),
  })
const deliver = (phones?: Phones) => courier(phones).deliverDue()

async function stateOf(admin: TestCaller) {
  const { rows, outages } = await admin.call(verbOf(listOutbox), { filters: { source: ['organization'] } })
  return { rows, outages, states: Object.fromEntries(rows.map((row) => [row.to, `${row.status} ${row.attempts}`])) }
}

const one = '+447700900001'
const two = '+447700900002'

describe('an own webhook', () => {
  test('gets each text once, signed over id, time and body as Standard Webhooks describe', async () => {
    const admin = await office([one])
    await deliver()
    expect((await stateOf(admin)).states).toEqual({ [one]: 'sent 1' })
    const [asked] = provider.asked
    const id = String(asked?.headers['webhook-id'])
    const at = String(asked?.headers['webhook-timestamp'])
    expect(Math.abs(Date.now() / 1000 - Number(at))).toBeLessThan(60)
    const key = Buffer.from(secret.replace('whsec_', ''), 'base64')
    const signature = createHmac('sha256', key).update(`${id}.${at}.${asked?.body}`).digest('base64')
    expect(asked?.headers['webhook-signature']).toBe(`v1,${signature}`)
    expect(JSON.parse(asked?.body ?? '')).toMatchObject({
      type: 'message.send',
      data: { channel: 'sms', to: one, text: 'Aurora: see you soon' },
    })
    await deliver()
    expect(provider.asked).toHaveLength(1)
  })

  test('gets the same id through all attempts, so that it can drop a repetition', async () => {
    const admin = await office([one])
    provider.answer(() => ({ status: 503 }))
    await deliver()
    await isDueNow(admin)
    provider.answer(() => ({}))
    await deliver()
    expect((await stateOf(admin)).states).toEqual({ [one]: 'sent 2' })
    expect(new Set(provider.asked.map(({ headers }) => headers['webhook-id'])).size).toBe(1)
    expect(provider.asked).toHaveLength(2)
  })

  test('that is asked again after a process died in the middle sees the id that it knows', async () => {
    const admin = await office([one])
    const dying = courier()
    // the answer comes, and the process is gone before it writes
    const transaction = world.database.transaction.bind(world.database)
    let left = 2
    const db = new Proxy(world.database, {
      get: (target, name) =>
        name === 'transaction'
          ? (...given: Parameters<typeof transaction>) =>
              given[0].orgId === admin.orgId && (left -= 1) < 0
                ? Promise.reject(new Error('killed'))
                : transaction(...given)
          : Reflect.get(target, name, target),
    })
    const options = { db, log: pino({ level: 'silent' }), mail: null, enclose: guestEnclosures('https://ops.example') }
    await new Courier({ ...options, phones: phonesOf(world.services, [provider.host]) }).deliverDue()
    expect(provider.asked).toHaveLength(1)
    expect((await stateOf(admin)).states).toEqual({ [one]: 'queued 1' })
    await isDueNow(admin)
    await dying.deliverDue()
    expect((await stateOf(admin)).states).toEqual({ [one]: 'sent 2' })
    expect(new Set(provider.asked.map(({ headers }) => headers['webhook-id'])).size).toBe(1)
  })

  test('that rejects a text ends it at once, with its words, and holds up no other', async () => {
    const admin = await office([one, two])
    provider.answer(({ body }) => (body.includes(one) ? { status: 422, body: { message: 'No such number' } } : {}))
    await deliver()
    const { states, rows } = await stateOf(admin)
    expect(states).toEqual({ [one]: 'failed 1', [two]: 'sent 1' })
    expect(rows.find(({ to }) => to === one)?.error).toContain('422: No such number')
  })

  test('that fails for its own reasons is tried three times, and then its text has failed', async () => {
    const admin = await office([one])
    provider.answer(() => ({ status: 500 }))
    for (let time = 0; time < 4; time += 1) {
      await deliver()
      await isDueNow(admin)
    }
    expect((await stateOf(admin)).states).toEqual({ [one]: 'failed 3' })
    expect(provider.asked).toHaveLength(3)
  })

  test('that asks for patience gets none before the time it names, and what else waits costs no attempt', async () => {
    const numbers = Array.from({ length: 7 }, (_, at) => `+44770090010${at}`)
    const admin = await office(numbers)
    provider.answer(() => ({ status: 429, headers: { 'retry-after': '600' } }))
    const same = courier()
    await same.deliverDue()
    const before = provider.asked.length
    expect(before).toBe(5)
    const { states, outages } = await stateOf(admin)
    expect(Object.values(states).toSorted()).toEqual([
      ...Array<string>(2).fill('queued 0'),
      ...Array<string>(5).fill('queued 1'),
    ])
    expect(outages).toMatchObject([{ channel: 'sms', waiting: 2, error: expect.stringContaining('429') }])
    const { rows } = await admin.transaction((tx) =>
      sql<{
        wait: number
      }>`select extract(epoch from max(next_attempt_at) - app_now())::float8 as wait from deliveries`.execute(tx),
    )
    expect(rows[0]?.wait).toBeGreaterThan(500)
    await isDueNow(admin)
    await same.deliverDue()
    expect(provider.asked).toHaveLength(before)
  })

  test('that cannot be reached costs no attempt however long it is down, and the screen says so', async () => {
    const admin = await office([one, two], { address: `http://127.0.0.1:${await freePort()}/` })
    for (let time = 0; time < 4; time += 1) {
      await isDueNow(admin)
      await deliver(phonesOf(world.services, ['127.0.0.1']))
    }
    const { states, outages } = await stateOf(admin)
    expect(states).toEqual({ [one]: 'queued 0', [two]: 'queued 0' })
    expect(outages).toMatchObject([{ channel: 'sms', waiting: 2, error: expect.stringContaining('ECONNREFUSED') }])
  })

  test('that does not answer in time holds up neither e-mails nor the texts of others', async () => {
    const slow = await office([one])
    const others = await world.as('admin')
    const quick = await testProvider()
    await setUpPhone(world.services, others, { address: `${quick.origin}/`, secret })
    await write(others, two)
    await write(slow, 'guest@example.com', 'email')
    const sink = await mailSink()
    const mail = smtpTransport(`smtp://127.0.0.1:${sink.port}`, 'Tours <office@example.com>')
    provider.answer(() => ({ afterMs: 60_000 }))
    const done = courier(phonesOf(world.services, [provider.host, quick.host]), mail).deliverDue()
    await expect.poll(async () => (await stateOf(others)).states[two], { timeout: 8_000 }).toBe('sent 1')
    await expect.poll(() => sink.taken(), { timeout: 8_000 }).toBe(1)
    await done
    const { states, rows } = await stateOf(slow)
    expect(states[one]).toBe('queued 1')
    expect(rows.find(({ to }) => to === one)?.error).toContain('did not answer in time')
    mail.close()
    await Promise.all([sink.close(), quick.close()])
  })
})

describe('addresses that lead into the network of the server', () => {
  test('are not asked, unless the installation allows the host', async () => {
    const admin = await office([one])
    await deliver(phonesOf(world.services))
    const { states, rows } = await stateOf(admin)
    expect(states).toEqual({ [one]: 'failed 1' })
    expect(rows[0]?.error).toContain('inside the network of this server')
    expect(provider.asked).toEqual([])
  })

  test('are not reached by a redirect either', async () => {
    const inside = await testProvider()
    const admin = await office([one])
    provider.answer(() => ({ status: 302, headers: { location: `${inside.origin}/` } }))
    await deliver()
    expect((await stateOf(admin)).states).toEqual({ [one]: 'failed 1' })
    expect(inside.asked).toEqual([])
    await inside.close()
  })
})

describe('the provider', () => {
  const twilio = () => phonesOf(world.services, [], provider.origin)

  test('gets number, sender and text as its documentation says, and its id is kept', async () => {
    const admin = await office([one], {
      address: undefined,
      account,
      sender: '+447700900999',
      secret: 'token',
    } as never)
    provider.answer(() => ({ status: 201, body: { sid: 'SM123' } }))
    await deliver(twilio())
    expect((await stateOf(admin)).states).toEqual({ [one]: 'sent 1' })
    const [asked] = provider.asked
    expect(asked?.path).toBe(`/2010-04-01/Accounts/${account}/Messages.json`)
    expect(asked?.headers.authorization).toBe(`Basic ${Buffer.from(`${account}:token`).toString('base64')}`)
    expect([...new URLSearchParams(asked?.body)]).toEqual([
      ['To', one],
      ['From', '+447700900999'],
      ['Body', 'Aurora: see you soon'],
    ])
    const { rows } = await admin.transaction((tx) =>
      sql<{ id: string }>`select provider_id as id from deliveries where status = 'sent'`.execute(tx),
    )
    expect(rows).toEqual([{ id: 'SM123' }])
  })

  test('gets WhatsApp with the prefix of its numbers', async () => {
    const entries = { channel: 'whatsapp', address: undefined, account, sender: '+447700900999', secret: 'token' }
    const admin = await office([], entries as never)
    await write(admin, one, 'whatsapp')
    await deliver(twilio())
    expect(new URLSearchParams(provider.asked[0]?.body).get('To')).toBe(`whatsapp:${one}`)
  })

  test('is given nothing that a number or a text smuggles in', async () => {
    const admin = await office([], { address: undefined, account, sender: '+447700900999', secret: 'token' } as never)
    const text = 'Hi&To=%2B15550000000\r\nAuthorization: Basic x\r\n\r\n&MediaUrl=http://10.0.0.1/'
    await write(admin, one, 'sms', text)
    for (const to of [`${one}&From=evil`, `${one}\r\nX-Evil: 1`, '+1 (555) 000', '+0123456789']) await write(admin, to)
    await deliver(twilio())
    expect(provider.asked).toHaveLength(1)
    expect([...new URLSearchParams(provider.asked[0]?.body).entries()]).toEqual([
      ['To', one],
      ['From', '+447700900999'],
      ['Body', text],
    ])
    expect(provider.asked[0]?.headers['x-evil']).toBeUndefined()
    const { states } = await stateOf(admin)
    expect(
      Object.entries(states)
        .filter(([to]) => to !== one)
        .map(([, state]) => state),
    ).toEqual(Array<string>(4).fill('failed 1'))
  })
})

test('what no adapter sends has failed and does not count as sent', async () => {
  const admin = await office([])
  await write(admin, one, 'whatsapp')
  await write(admin, 'user_1', 'webhook')
  await deliver()
  const { states, rows } = await stateOf(admin)
  expect(states).toEqual({ [one]: 'failed 1', user_1: 'failed 1' })
  expect(rows.find(({ to }) => to === one)?.error).toContain('switched off')
})

test('two processes send each text once', async () => {
  const numbers = Array.from({ length: 20 }, (_, at) => `+4477009002${String(at).padStart(2, '0')}`)
  const admin = await office(numbers)
  await Promise.all([deliver(), deliver()])
  expect(provider.asked.map(({ body }) => String(JSON.parse(body).data.to)).toSorted()).toEqual(numbers)
  expect(Object.values((await stateOf(admin)).states)).toEqual(numbers.map(() => 'sent 1'))
})
