import { updateDeparture } from '@tour-ops/contract/departures/departure-edit'
import { createHmac } from 'node:crypto'
import { cancelBooking, getBooking, updateBooking } from '@tour-ops/contract/bookings/bookings'
import { recordPayment, voidPayment } from '@tour-ops/contract/bookings/payments'
import { getDeparture, setDepartureStatus } from '@tour-ops/contract/departures/departures'
import {
  changeWebhook,
  createWebhook,
  listWebhookDeliveries,
  listWebhooks,
  maxWebhooks,
  removeWebhook,
  resendWebhook,
  rotateWebhookSecret,
  testWebhook,
} from '@tour-ops/contract/webhooks/webhooks'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { addDeparture, book } from '../../../testing/operations.ts'
import { eventIn, webhookOffice } from '../../../testing/webhook-office.ts'
import { type Received, webhookReceiver, type WebhookReceiver } from '../../../testing/webhook-receiver.ts'
import { verbsOf } from '../../../testing/verbs.ts'
import { testDatabase, type TestWorld } from '../../../testing/world.ts'
import { newId } from '../../platform/ids.ts'
import { allVerbs } from '../../verbs.ts'
import { oldWebhookDeliveries } from './old-deliveries.ts'

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
const office = () => webhookOffice(world, receiver)

/** As a receiver computes it by the specification, without our code. */
function signatureOf({ headers, text }: Received, secret: string): string {
  const key = Buffer.from(secret.replace('whsec_', ''), 'base64')
  const signed = `${String(headers['webhook-id'])}.${String(headers['webhook-timestamp'])}.${text}`
  return `v1,${createHmac('sha256', key).update(signed).digest('base64')}`
}

describe('what an endpoint is notified of', () => {
  test('a booking is created, paid and cancelled, and a payment is voided', async () => {
    const { caller, tourId, endpoint, send } = await office()
    const { path } = await endpoint()
    const departureId = await addDeparture(caller, tourId)
    const { id } = await book(caller, departureId, 2)
    const { payment } = await caller.call(verbOf(recordPayment), {
      bookingId: id,
      kind: 'payment',
      method: 'cash',
      amountMinor: 500,
      clientEventId: newId(),
    })
    await caller.call(verbOf(voidPayment), { id: payment.id, reason: 'typed twice' })
    const { version } = await caller.call(verbOf(getBooking), { id })
    await caller.call(verbOf(cancelBooking), { id, version, reason: 'guest_request' })
    await send()
    const events = receiver.at(path).map(eventIn)
    expect(events.map(({ type }) => type)).toEqual([
      'departure.created',
      'booking.created',
      'booking.changed',
      'payment.recorded',
      'booking.changed',
      'payment.voided',
      'booking.cancelled',
    ])
    expect(events[1]).toMatchObject({
      version: 1,
      data: { id, departureId, guests: 2, status: 'confirmed', paidMinor: 0 },
    })
    expect(events[2]?.data).toMatchObject({ id, paidMinor: 500 })
    expect(events[3]?.data).toMatchObject({ bookingId: id, amountMinor: 500, method: 'cash' })
    expect(events[6]?.data).toMatchObject({ id, status: 'cancelled' })
  })

  test('nothing about people leaves: no name, no address, no note', async () => {
    const { caller, tourId, endpoint, send } = await office()
    const { path } = await endpoint()
    const contact = { name: 'Ana López', email: 'ana.lopez@example.com', phone: '+354 555 0101' }
    const { id, version, amountTotalMinor } = await book(caller, await addDeparture(caller, tourId), 1, {
      contact,
      notes: 'Uses a wheelchair',
    })
    await send()
    const before = receiver.at(path).length
    // what only concerns people is no change of what is sent
    await caller.call(verbOf(updateBooking), {
      id,
      version,
      amountTotalMinor,
      contact: { ...contact, name: 'Ana María López' },
    })
    await send()
    expect(receiver.at(path)).toHaveLength(before)
    expect(
      receiver
        .at(path)
        .map(({ text }) => text)
        .join(),
    ).not.toMatch(/L[oó]pez|ana\.|5550101|wheelchair/)
  })

  test('a departure leaves, and is cancelled', async () => {
    const { caller, tourId, endpoint, send } = await office()
    const { path } = await endpoint([
      'departure.changed',
      'departure.cancelled',
      'departure.departed',
      'departure.completed',
    ])
    const id = await addDeparture(caller, tourId)
    const other = await addDeparture(caller, tourId, { localDate: '2030-07-20' })
    const version = async () => (await caller.call(verbOf(getDeparture), { id: other })).version
    const change = { id: other, capacity: 12, minPax: 4, overbookLimit: 0 }
    await caller.call(verbOf(updateDeparture), { ...change, version: await version() })
    const cancellation = { id: other, to: 'cancelled', cancelReason: 'weather' } as const
    await caller.call(verbOf(setDepartureStatus), { ...cancellation, version: await version() })
    for (const [status, hours] of [
      ['boarding', 0],
      ['in_progress', 0],
      ['completed', 8],
    ] as const) {
      await caller.transaction((tx) =>
        sql`update departures set status = ${status}, actual_start_at = starts_at,
          actual_end_at = case when ${hours} > 0 then starts_at + make_interval(hours => ${hours}) end where id = ${id}`.execute(
          tx,
        ),
      )
    }
    await send()
    const events = receiver.at(path).map(eventIn)
    expect(events.map(({ type, data }) => [type, data['id'] === id ? 'one' : 'other'])).toEqual([
      ['departure.changed', 'other'],
      ['departure.cancelled', 'other'],
      ['departure.changed', 'one'],
      ['departure.departed', 'one'],
      ['departure.completed', 'one'],
    ])
    expect(events[1]?.data).toMatchObject({ status: 'cancelled', cancelReason: 'weather', capacity: 12 })
  })

  test('what is undone with its transaction was never queued', async () => {
    const { caller, tourId, endpoint, log } = await office()
    const { id } = await endpoint()
    const departureId = await addDeparture(caller, tourId)
    await caller
      .transaction(async (tx) => {
        await sql`update departures set capacity = 33 where id = ${departureId}`.execute(tx)
        throw new Error('undone')
      })
      .catch(() => undefined)
    expect((await log(id)).map(({ kind }) => kind)).toEqual(['departure.created'])
  })

  test('only chosen events, only while it is on, and only of its own organization', async () => {
    const { caller, tourId, endpoint, log, call } = await office()
    const stranger = await office()
    const [chosen, off, foreign] = [await endpoint(['booking.created']), await endpoint(), await stranger.endpoint()]
    const { id, version } = off
    await call(changeWebhook, {
      id,
      version,
      url: `http://${receiver.host}/off`,
      events: ['booking.created'],
      isOn: false,
    })
    await book(caller, await addDeparture(caller, tourId), 1)
    expect((await log(chosen.id)).map(({ kind }) => kind)).toEqual(['booking.created'])
    expect(await log(off.id)).toEqual([])
    expect(await stranger.log(foreign.id)).toEqual([])
  })
})

describe('who may have endpoints, and where', () => {
  const events = ['booking.created' as const]

  test.each([
    ['http://crm.example/hooks', { code: 'webhook_address_form' }],
    ['ftp://crm.example/hooks', { code: 'webhook_address_form' }],
    ['https://user:word@crm.example/', { code: 'webhook_address_form' }],
    ['crm.example', { code: 'webhook_address_form' }],
    ['https://127.0.0.1/', { code: 'webhook_private', params: { host: '127.0.0.1' } }],
    ['https://[::1]/', { code: 'webhook_private', params: { host: '[::1]' } }],
    ['https://[::ffff:10.0.0.1]/', { code: 'webhook_private' }],
    ['https://169.254.169.254/latest/meta-data', { code: 'webhook_private' }],
    ['https://2130706433/', { code: 'webhook_private', params: { host: '127.0.0.1' } }],
    ['https://localhost/', { code: 'webhook_private', params: { host: 'localhost' } }],
  ])('%s is refused at its field', async (url, issue) => {
    const { call } = await office()
    await expect(call(createWebhook, { url, events })).rejects.toMatchObject({
      details: { fieldIssues: { url: [expect.objectContaining(issue)] } },
    })
    expect((await call(listWebhooks, {})).rows).toEqual([])
  })

  test('people who manage settings only', async () => {
    const { call, caller } = await office()
    for (const role of ['dispatcher', 'tour_designer', 'guide', 'viewer'] as const) {
      const member = await world.as(role, { orgId: caller.orgId })
      await expect(call(listWebhooks, {}, member)).rejects.toMatchObject({ code: 'permission-denied' })
      await expect(call(createWebhook, { url: 'https://crm.example', events }, member)).rejects.toMatchObject({
        code: 'permission-denied',
      })
    }
  })

  test('another organization neither sees nor touches them', async () => {
    const { endpoint, call, send, log } = await office()
    const { id, version } = await endpoint()
    await call(testWebhook, { id })
    await send()
    const [row] = await log(id)
    const stranger = await office()
    expect((await stranger.call(listWebhooks, {})).rows).toEqual([])
    expect((await stranger.call(listWebhookDeliveries, { filters: { endpointId: [id] } })).rows).toEqual([])
    for (const attack of [
      () => stranger.call(testWebhook, { id }),
      () => stranger.call(rotateWebhookSecret, { id, version }),
      () => stranger.call(removeWebhook, { id, version }),
      () => stranger.call(changeWebhook, { id, version, url: `http://${receiver.host}/`, events }),
      () => stranger.call(resendWebhook, { id: row?.id ?? '' }),
    ]) {
      await expect(attack()).rejects.toMatchObject({ code: 'not-found' })
    }
  })

  test(`${maxWebhooks} of an organization at most`, async () => {
    const { endpoint } = await office()
    for (let count = 0; count < maxWebhooks; count += 1) await endpoint(events)
    await expect(endpoint(events)).rejects.toMatchObject({ details: { reason: 'too_many_webhooks', max: maxWebhooks } })
  })

  test('a change that somebody else was faster with is refused', async () => {
    const { endpoint, call } = await office()
    const { id, version, path } = await endpoint(events)
    const url = `http://${receiver.host}${path}`
    await call(changeWebhook, { id, version, url, events, description: 'Bookkeeping' })
    await expect(call(changeWebhook, { id, version, url, events })).rejects.toMatchObject({
      details: { reason: 'version_conflict' },
    })
    expect((await call(listWebhooks, {})).rows).toMatchObject([{ id, version: 2, description: 'Bookkeeping' }])
  })

  test('each change is in the audit log, and no secret is', async () => {
    const { endpoint, call, caller } = await office()
    const { id, version, secret } = await endpoint(events)
    const { secret: second, version: next } = await call(rotateWebhookSecret, { id, version })
    await call(removeWebhook, { id, version: next })
    const { rows } = await caller.transaction((tx) =>
      sql<{ action: string; text: string }>`select action, diff::text as text from audit_entries
        where entity_type = 'webhook_endpoints' and entity_id = ${id} order by id`.execute(tx),
    )
    expect(rows.map(({ action }) => action)).toEqual(['webhooks-create', 'webhooks-rotate', 'webhooks-remove'])
    const stored = await world.rows<{ text: string }>(
      `select secrets_sealed::text as text from webhook_queues union all select row_to_json(w)::text from webhook_endpoints w`,
    )
    const everything = JSON.stringify([rows, stored])
    for (const one of [secret, second]) {
      expect(everything).not.toContain(one)
      expect(everything).not.toContain(Buffer.from(one).toString('hex'))
    }
  })
})

describe('a signature', () => {
  test('is computed from id, time and text, so that a receiver can compute it too', async () => {
    const { endpoint, call, send, clock } = await office()
    const { id, path, secret } = await endpoint()
    await call(testWebhook, { id })
    await send()
    const [request] = receiver.at(path)
    if (!request) throw new Error('nothing came')
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/)
    expect(request.headers['webhook-signature']).toBe(signatureOf(request, secret))
    expect(request.headers['webhook-timestamp']).toBe(String(clock.now().getTime() / 1000))
    expect(request.headers['webhook-id']).toBe(eventIn(request).id)
    expect(request.headers['content-type']).toBe('application/json')
    expect(eventIn(request)).toMatchObject({ type: 'webhook.test', version: 1, data: {} })
  })

  test('of the former secret goes along for 24 hours', async () => {
    const { endpoint, call, send, later } = await office()
    const { id, version, path, secret: former } = await endpoint()
    const { secret } = await call(rotateWebhookSecret, { id, version })
    const signed = async () => {
      await call(testWebhook, { id })
      await send()
      const request = receiver.at(path).at(-1)
      return { request, signatures: String(request?.headers['webhook-signature']).split(' ') }
    }
    const meanwhile = await signed()
    if (!meanwhile.request) throw new Error('nothing came')
    expect(meanwhile.signatures).toEqual([
      signatureOf(meanwhile.request, secret),
      signatureOf(meanwhile.request, former),
    ])
    later(24 * 3600)
    const afterwards = await signed()
    if (!afterwards.request) throw new Error('nothing came')
    expect(afterwards.signatures).toEqual([signatureOf(afterwards.request, secret)])
  })
})

test('the log forgets after 30 days', async () => {
  const { endpoint, call, send, log, later, clock, caller, services } = await office()
  const { id } = await endpoint()
  await call(testWebhook, { id })
  await send()
  const sweep = () =>
    services.db.transaction(
      {
        orgId: caller.orgId,
        actor: { kind: 'system', id: null },
        action: 'webhooks-forget',
        requestId: newId(),
        clock,
      },
      (tx) => oldWebhookDeliveries.run(tx, caller.orgId),
    )
  later(29 * 86_400)
  await sweep()
  expect(await log(id)).toHaveLength(1)
  later(2 * 86_400)
  await sweep()
  expect(await log(id)).toEqual([])
})
