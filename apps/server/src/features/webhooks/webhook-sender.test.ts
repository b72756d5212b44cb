import { fork } from 'node:child_process'
import { once } from 'node:events'
import path from 'node:path'
import { cancelBooking, getBooking, updateBooking } from '@tour-ops/contract/bookings/bookings'
import { recordPayment } from '@tour-ops/contract/bookings/payments'
import { changeWebhook, maxWebhookAnswer, resendWebhook, testWebhook } from '@tour-ops/contract/webhooks/webhooks'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { addDeparture, book, coreVerbOf } from '../../../testing/operations.ts'
import { eventIn, webhookOffice } from '../../../testing/webhook-office.ts'
import { webhookReceiver, type WebhookReceiver } from '../../../testing/webhook-receiver.ts'
import type { WorkerPlace } from '../../../testing/webhook-worker.ts'
import { verbsOf } from '../../../testing/verbs.ts'
import { testDatabase, type TestWorld } from '../../../testing/world.ts'
import { newId } from '../../platform/ids.ts'
import { allVerbs } from '../../verbs.ts'
import { maxAttempts } from './judge-answer.ts'
import { WebhookSender } from './webhook-sender.ts'

let world: TestWorld
let receiver: WebhookReceiver
beforeAll(async () => {
  receiver = await webhookReceiver()
  world = await testDatabase()
})
afterAll(async () => {
  await receiver?.close()
  await world?.close()
})

const verbOf = verbsOf(allVerbs)

/** An office with an endpoint, and a way to give it something to send. */
async function notified() {
  const office = await webhookOffice(world, receiver)
  const endpoint = await office.endpoint()
  const { id } = endpoint
  const say = () => office.call(testWebhook, { id })
  const last = async () => (await office.log(id)).at(-1)
  const received = () => receiver.at(endpoint.path)
  return { ...office, hook: endpoint, say, last, received }
}

describe('an endpoint that does not take an event', () => {
  test('is asked again after growing pauses, under the same id, and what comes next waits in order', async () => {
    const { hook, say, send, later, received, last } = await notified()
    receiver.answer(hook.path, { status: 503, body: 'busy' })
    await say()
    await send()
    expect(await last()).toMatchObject({ status: 'queued', attempts: 1, answerStatus: 503, answerBody: 'busy' })
    expect(await hook.of()).toMatchObject({
      failingSince: '2030-07-01T10:00:00.000Z',
      nextAttemptAt: '2030-07-01T10:00:05.000Z',
    })
    await send()
    later(4)
    await send()
    expect(received()).toHaveLength(1)
    later(1)
    await send()
    expect(received()).toHaveLength(2)
    receiver.answer(hook.path, { status: 200, body: 'ok' })
    later(60)
    await send()
    expect(new Set(received().map(({ headers }) => headers['webhook-id'])).size).toBe(1)
    expect(await last()).toMatchObject({
      status: 'delivered',
      attempts: 3,
      answerStatus: 200,
      answerBody: 'ok',
      dueAt: null,
    })
    expect(await hook.of()).toMatchObject({
      failingSince: null,
      nextAttemptAt: null,
      queued: 0,
      lastStatus: 'delivered',
    })
  })

  test('is given up after the last attempt; a person sends it again', async () => {
    const { hook, say, send, later, last, call } = await notified()
    receiver.answer(hook.path, { status: 422, body: 'no such account' })
    await say()
    for (let made = 0; made < maxAttempts + 2; made += 1) {
      await send()
      later(32_400)
    }
    const given = await last()
    expect(given).toMatchObject({ status: 'failed', attempts: maxAttempts, answerStatus: 422 })
    receiver.answer(hook.path, { status: 204 })
    await call(resendWebhook, { id: given?.id ?? '' })
    await send()
    expect(await last()).toMatchObject({ id: given?.id, status: 'delivered', attempts: 1 })
  })

  test('that rejects one event takes the others meanwhile', async () => {
    const { hook, caller, tourId, send, received, log } = await notified()
    receiver.answer(hook.path, (request) => ({ status: eventIn(request).type === 'departure.created' ? 400 : 204 }))
    await book(caller, await addDeparture(caller, tourId), 1)
    await send()
    expect(received().map((request) => eventIn(request).type)).toEqual(['departure.created', 'booking.created'])
    expect((await log(hook.id)).map(({ status }) => status)).toEqual(['queued', 'delivered'])
    expect(await hook.of()).toMatchObject({ failingSince: null })
  })

  test('and says when it wants to be asked is asked then', async () => {
    const { hook, say, send, later, received } = await notified()
    receiver.answer(hook.path, { status: 429, headers: { 'retry-after': '600' } })
    await say()
    await send()
    later(599)
    await send()
    expect(received()).toHaveLength(1)
    later(1)
    await send()
    expect(received()).toHaveLength(2)
  })

  test.each(['http://127.0.0.1:9/', 'http://169.254.169.254/latest/meta-data/', 'https://example.com/'])(
    'but redirects to %s is not followed',
    async (location) => {
      const { hook, say, send, last } = await notified()
      receiver.answer(hook.path, { status: 302, headers: { location } })
      await say()
      await send()
      expect(await last()).toMatchObject({ status: 'queued', answerStatus: 302, fault: null })
    },
  )

  test('answers at length: the log has the beginning', async () => {
    const { hook, say, send, last } = await notified()
    receiver.answer(hook.path, { status: 200, body: `begin\0${'x'.repeat(5_000_000)}` })
    await say()
    await send()
    const row = await last()
    expect(row).toMatchObject({ status: 'delivered', answerStatus: 200 })
    expect(row?.answerBody).toHaveLength(maxWebhookAnswer - 1)
    expect(row?.answerBody).toMatch(/^beginx+$/)
  })

  test('never answers: it is given up after ten seconds, and others do not wait for it', async () => {
    const { hook, say, send, last, endpoint, call } = await notified()
    const other = await endpoint()
    receiver.answer(hook.path, null)
    await say()
    await call(testWebhook, { id: other.id })
    const sending = send()
    await expect.poll(() => receiver.at(other.path).length, { timeout: 3_000 }).toBe(1)
    expect(await last()).toMatchObject({ attempts: 0 })
    await sending
    const row = await last()
    expect(row).toMatchObject({ status: 'queued', attempts: 1, fault: 'silent', answerStatus: null })
    expect(row?.durationMs).toBeGreaterThan(9_000)
    expect(row?.durationMs).toBeLessThan(14_000)
    receiver.answer(hook.path, { status: 204 })
  })

  test('is in the network of the server by now: nothing is sent there', async () => {
    const { say, last, received, services } = await notified()
    await say()
    // the installation no longer allows it
    await new WebhookSender({ ...services, config: world.services.config }).sendDue()
    expect(received()).toEqual([])
    expect(await last()).toMatchObject({ fault: 'private', status: 'queued' })
  })
})

describe('an endpoint is switched off', () => {
  const noticesOf = async (userId: string): Promise<string[]> =>
    (
      await world.rows<{ body: string }>(
        `select data ->> 'body' as body from documents where path like 'users/' || $1 || '/inbox/%'`,
        [userId],
      )
    ).map(({ body }) => body)

  test('at once when it answers 410, and those who can change it are notified', async () => {
    const { hook, say, send, caller, call, received } = await notified()
    receiver.answer(hook.path, { status: 410 })
    await say()
    await send()
    expect(await hook.of()).toMatchObject({ isOn: false, offReason: 'gone' })
    const log = await caller.transaction((tx) =>
      sql<{
        kind: string
      }>`select actor_kind as kind from audit_entries where entity_id = ${hook.id} and op = 'update'`.execute(tx),
    )
    expect(log.rows).toEqual([{ kind: 'system' }])
    expect(await noticesOf(caller.userId)).toEqual([expect.stringContaining(receiver.host)])
    await expect(say()).rejects.toMatchObject({ details: { reason: 'webhook_off' } })
    const { version = 0 } = (await hook.of()) ?? {}
    receiver.answer(hook.path, { status: 204 })
    await call(changeWebhook, {
      id: hook.id,
      version,
      url: `http://${receiver.host}${hook.path}`,
      events: ['booking.created'],
    })
    expect(await hook.of()).toMatchObject({ isOn: true, offReason: null, failingSince: null })
    await say()
    await send()
    expect(received()).toHaveLength(2)
  })

  test('after three days in which every attempt failed; what waited is sent once it is on again', async () => {
    const { hook, send, caller, tourId, call, later, received, log } = await notified()
    receiver.answer(hook.path, { status: 500 })
    const departureId = await addDeparture(caller, tourId)
    for (let days = 0; days < 5; days += 0.5) {
      await send()
      later(43_200)
    }
    expect(await hook.of()).toMatchObject({ isOn: false, offReason: 'failing' })
    expect(await noticesOf(caller.userId)).toHaveLength(1)
    // nothing is queued while it is off
    await book(caller, departureId, 1)
    const waiting = (await log(hook.id)).filter(({ status }) => status === 'queued')
    await send()
    receiver.answer(hook.path, { status: 204 })
    const { version = 0 } = (await hook.of()) ?? {}
    const before = received().length
    await call(changeWebhook, {
      id: hook.id,
      version,
      url: `http://${receiver.host}${hook.path}`,
      events: ['booking.created'],
    })
    later(86_400)
    await send()
    expect(received().length - before).toBe(waiting.length)
  })
})

/** Numbers between 0 and 1 that are the same in every run. */
function seeded(seed: number): () => number {
  let state = seed
  return () => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648
    return state / 2_147_483_648
  }
}

test.each([1, 2, 3])(
  'whatever happens in whatever order, each event arrives once (seed %s)',
  async (seed) => {
    const { caller, tourId, hook, send, later, received, log } = await notified()
    const random = seeded(seed)
    const departureId = await addDeparture(caller, tourId)
    const expected: string[] = [`departure.created ${departureId}`]
    const bookings: string[] = []
    const steps: readonly (() => Promise<void>)[] = [
      async () => {
        const { id } = await book(caller, departureId, 1)
        bookings.push(id)
        expected.push(`booking.created ${id}`)
      },
      async () => {
        const id = bookings[Math.floor(random() * bookings.length)]
        if (id === undefined) return
        const payment = {
          bookingId: id,
          kind: 'payment',
          method: 'cash',
          amountMinor: 100,
          clientEventId: newId(),
        } as const
        await caller.call(verbOf(recordPayment), payment)
        // the same press that comes twice is one payment
        await caller.call(verbOf(recordPayment), payment)
        expected.push(`booking.changed ${id}`, `payment.recorded ${id}`)
      },
      async () => {
        const id = bookings[Math.floor(random() * bookings.length)]
        if (id === undefined) return
        // of no concern to anybody outside
        const { version, contact, amountTotalMinor } = await caller.call(coreVerbOf(getBooking), { id })
        await caller.call(coreVerbOf(updateBooking), {
          id,
          version,
          contact,
          amountTotalMinor,
          notes: `note ${random()}`,
        })
      },
      async () => {
        const id = bookings.pop()
        if (id === undefined) return
        const { version } = await caller.call(coreVerbOf(getBooking), { id })
        await caller.call(coreVerbOf(cancelBooking), { id, version, reason: 'guest_request' })
        expected.push(`booking.cancelled ${id}`)
      },
    ]
    const accepted: string[] = []
    receiver.answer(hook.path, (request) => {
      const status = [204, 204, 204, 204, 204, 500, 429, 400][Math.floor(random() * 8)] ?? 204
      const { type, data } = eventIn(request)
      if (status === 204) accepted.push(`${type} ${String(data['bookingId'] ?? data['id'])}`)
      return { status }
    })
    for (let count = 0; count < 25; count += 1) {
      await steps[Math.floor(random() * steps.length)]?.()
      if (random() < 0.4) await Promise.all([send(), send()])
    }
    for (let round = 0; round < 60 && (await log(hook.id)).some(({ status }) => status === 'queued'); round += 1) {
      await send()
      later(32_400)
    }
    expect(accepted.toSorted()).toEqual(expected.toSorted())
    expect(new Set(received().map(({ headers }) => headers['webhook-id'])).size).toBe(expected.length)
  },
  60_000,
)

// PGlite has one connection and one process
describe.runIf(process.env['TEST_DATABASE'] === 'embedded')('with several processes (runs on PostgreSQL)', () => {
  test('each event is sent once, in the order in which it happened', async () => {
    const { caller, tourId, send, received } = await notified()
    const departureId = await addDeparture(caller, tourId, { capacity: 30 })
    for (let count = 0; count < 20; count += 1) await book(caller, departureId, 1)
    await Promise.all([send(), send(), send(), send()])
    await send()
    const events = received().map(eventIn)
    expect(new Set(events.map(({ id }) => id)).size).toBe(21)
    expect(events).toHaveLength(21)
    expect(events.map(({ timestamp }) => timestamp).toSorted()).toEqual(events.map(({ timestamp }) => timestamp))
  })

  test.each(['before it is answered', 'after it was answered'])(
    'one that is killed %s leaves nothing out, and nothing is queued twice',
    async (moment) => {
      const { caller, tourId, hook, send, received, log, clock, services } = await notified()
      // the other process has the time of the computer
      clock.set(new Date())
      const departureId = await addDeparture(caller, tourId, { capacity: 30, localDate: '2031-07-14' })
      for (let count = 0; count < 10; count += 1) await book(caller, departureId, 1)
      await caller.transaction((tx) =>
        sql`update webhook_deliveries set next_attempt_at = clock_timestamp() - interval '1 minute'`.execute(tx),
      )
      const { host, port, user, password, database } = world.database.ownerPool.options
      const [dataKey] = services.sealed.keys.all()
      if (!dataKey) throw new Error('There is a key')
      const place: WorkerPlace = {
        database: { host, port, user, password, database },
        host: receiver.host,
        key: { id: dataKey.id, hex: Buffer.from(dataKey.key).toString('hex') },
      }
      const worker = path.join(import.meta.dirname, '../../../testing/webhook-worker.ts')
      const child = fork(worker, { env: { ...process.env, WEBHOOK_WORKER: JSON.stringify(place) } })
      receiver.answer(hook.path, () => {
        if (received().length !== 4) return { status: 204 }
        setTimeout(() => child.kill('SIGKILL'), moment === 'before it is answered' ? 0 : 1)
        return moment === 'before it is answered' ? null : { status: 204 }
      })
      await once(child, 'exit')
      receiver.answer(hook.path, { status: 204 })
      // whoever was killed holds the queue for half a minute
      clock.set(new Date())
      await send()
      clock.set(new Date(Date.now() + 40_000))
      await send()
      const rows = await log(hook.id)
      expect(rows.map(({ status }) => status)).toEqual(Array.from({ length: 11 }, () => 'delivered'))
      const ids = received().map(({ headers }) => headers['webhook-id'])
      expect(new Set(ids).size).toBe(11)
      // at most the one that was on its way comes again
      expect(ids.length).toBeLessThanOrEqual(12)
    },
    60_000,
  )
})

test('a thousand bookings of one statement are queued as a set', async () => {
  const { caller, tourId, hook } = await notified()
  const departureId = await addDeparture(caller, tourId)
  await caller.transaction(async (tx) => {
    await sql`
      insert into bookings (org_id, id, booking_ref, departure_id, status, units, pax, currency)
      select ${caller.orgId}, gen_random_uuid(), 'BULK-' || n, ${departureId}, 'waitlisted', '[{"unitType": "adult", "qty": 1}]', 1, 'EUR'
      from generate_series(1, 1000) n`.execute(tx)
    const { rows } = await sql<{ queued: number; events: number; refs: number }>`
      select count(*)::int as queued, count(distinct event_id)::int as events, count(distinct body -> 'data' ->> 'reference')::int as refs
      from webhook_deliveries where endpoint_id = ${hook.id} and kind = 'booking.created'`.execute(tx)
    expect(rows).toEqual([{ queued: 1000, events: 1000, refs: 1000 }])
  })
})
