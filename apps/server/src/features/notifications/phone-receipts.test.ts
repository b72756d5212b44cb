import { listBookingMessages } from '@tour-ops/contract/notifications/guest-rules'
import { listOutbox, retryDelivery } from '@tour-ops/contract/notifications/notifications'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { TestServer } from '../../../testing/http-server.ts'
import { book } from '../../../testing/operations.ts'
import {
  answersPath,
  answersServer,
  deliverTexts,
  postForm,
  postSigned,
  publicOrigin,
  startedAt,
  textingOffice,
  twilioSignature,
} from '../../../testing/phone-answers.ts'
import { setUpPhone, type TestProvider, testProvider } from '../../../testing/phone-provider.ts'
import { verbsOf } from '../../../testing/verbs.ts'
import { testDatabase, type TestWorld } from '../../../testing/world.ts'
import { newWebhookSecret } from '../../platform/http/webhook-signature.ts'
import { newId } from '../../platform/ids.ts'
import { allVerbs } from '../../verbs.ts'

let world: TestWorld
let server: TestServer
let provider: TestProvider
beforeAll(async () => {
  world = await testDatabase()
  server = await answersServer(world)
  provider = await testProvider()
})
afterAll(async () => {
  await provider?.close()
  await server?.close()
  await world?.close()
})

const verbOf = verbsOf(allVerbs)

/** A confirmation that the provider has taken, under an id of its own. */
async function sentText() {
  const office = await textingOffice(world)
  const { caller, clock, departureId, token } = office
  const { id: bookingId } = await book(caller, departureId, 2, { contact: { name: 'Ana', phone: '+3545550101' } })
  const sid = `SM${newId().replaceAll('-', '')}`
  provider.answer(() => ({ status: 201, body: { sid } }))
  const [asked] = await deliverTexts(world, provider, clock)
  const callback = new URLSearchParams(asked?.body).get('StatusCallback') ?? ''
  const path = callback.replace(publicOrigin, '')
  const say = (status: string, more: Record<string, string> = {}, by: Partial<Parameters<typeof postForm>[1]> = {}) =>
    postForm(server, { path, form: { MessageSid: sid, MessageStatus: status, ...more }, token, ...by })
  const row = async () => {
    const { rows } = await caller.call(verbOf(listOutbox), { filters: { source: ['organization'] } })
    const [one] = rows
    if (!one) throw new Error('A text was written')
    return one
  }
  const stateOf = async () => {
    const { rows } = await caller.transaction((tx) =>
      sql<{ state: string }>`select d.status || ' ' || m.status as state from deliveries d
        join messages m on m.org_id = d.org_id and m.id = d.message_id where d.org_id = ${caller.orgId}`.execute(tx),
    )
    return rows.map(({ state }) => state)
  }
  return { ...office, bookingId, sid, path, callback, say, row, stateOf }
}

describe('the provider', () => {
  test('is asked to say what becomes of a text at the address of the channel, with our id', async () => {
    const { callback, path, row } = await sentText()
    expect(callback).toBe(`${publicOrigin}${path.split('?')[0]}?delivery=${(await row()).id}`)
  })

  test('says that a text has arrived: the log and the booking say when', async () => {
    const { say, row, caller, bookingId, stateOf } = await sentText()
    const answer = await say('delivered')
    expect([answer.status, answer.headers.get('content-type'), await answer.text()]).toEqual([
      200,
      'text/xml; charset=utf-8',
      '<?xml version="1.0" encoding="UTF-8"?><Response/>',
    ])
    expect(await row()).toMatchObject({ status: 'delivered', deliveredAt: startedAt.toISOString(), error: null })
    expect((await caller.call(verbOf(listBookingMessages), { id: bookingId })).messages).toMatchObject([
      { status: 'delivered' },
    ])
    expect(await stateOf()).toEqual(['delivered sent'])
  })

  test('says that it has not: it has failed, with the reason in words, and so has its message', async () => {
    const { say, row, stateOf } = await sentText()
    await say('undelivered', { ErrorCode: '30003' })
    expect(await row()).toMatchObject({ status: 'failed', error: 'The phone cannot be reached (Twilio 30003).' })
    expect(await stateOf()).toEqual(['failed failed'])
  })

  test('says so of an error that we do not know, in its own words or at least with its number', async () => {
    const own = await sentText()
    await own.say('failed', { ErrorCode: '39999', ErrorMessage: 'Carrier is on strike' })
    expect((await own.row()).error).toBe('Carrier is on strike (Twilio 39999).')
    const bare = await sentText()
    await bare.say('failed')
    expect((await bare.row()).error).toBe('The message did not arrive.')
  })

  test('may say it twice and in any order', async () => {
    const { say, stateOf, row } = await sentText()
    await Promise.all([say('delivered'), say('delivered')])
    const once = await row()
    for (const late of ['sent', 'queued', 'sending', 'undelivered', 'failed', 'delivered']) {
      expect((await say(late)).status).toBe(200)
    }
    expect(await row()).toEqual(once)
    await say('read')
    expect(await stateOf()).toEqual(['read sent'])
    expect((await row()).deliveredAt).toBe(startedAt.toISOString())
  })

  test('may skip steps, and says of a failed text nothing more', async () => {
    const skipped = await sentText()
    await skipped.say('read')
    expect(await skipped.stateOf()).toEqual(['read sent'])
    const failed = await sentText()
    await failed.say('failed', { ErrorCode: '30007' })
    await failed.say('delivered')
    expect(await failed.stateOf()).toEqual(['failed failed'])
  })

  test('may be faster than our own note: the text is not sent again, nor called sent afterwards', async () => {
    const { caller, clock, departureId, token, path } = await textingOffice(world)
    await book(caller, departureId, 2, { contact: { name: 'Ana', phone: '+3545550101' } })
    let done: Promise<Response> | undefined
    const sid = `SM${newId().replaceAll('-', '')}`
    provider.answer(({ body }) => {
      const at = (new URLSearchParams(body).get('StatusCallback') ?? '').replace(publicOrigin, '')
      done = postForm(server, { path: at, form: { MessageSid: sid, MessageStatus: 'delivered' }, token })
      return { status: 201, body: { sid }, afterMs: 1000 }
    })
    await deliverTexts(world, provider, clock)
    expect((await done)?.status).toBe(200)
    const { rows } = await caller.transaction((tx) =>
      sql`select status, provider_id as id from deliveries where org_id = ${caller.orgId}`.execute(tx),
    )
    expect(rows).toEqual([{ status: 'delivered', id: sid }])
    expect(path).toBeTruthy()
  })

  test('names a text by its own id alone where the address was entered at the provider', async () => {
    const { say, path, stateOf } = await sentText()
    await say('delivered', {}, { path: path.split('?')[0] ?? '' })
    expect(await stateOf()).toEqual(['delivered sent'])
  })

  test('says nothing more of an earlier attempt once the text was sent again', async () => {
    const { say, row, caller, clock, stateOf, sid } = await sentText()
    await say('failed', { ErrorCode: '30003' })
    await caller.call(verbOf(retryDelivery), { id: (await row()).id })
    await say('failed', { ErrorCode: '30003' })
    expect(await stateOf()).toEqual(['queued sending'])
    provider.answer(() => ({ status: 201, body: { sid: `${sid}2` } }))
    await deliverTexts(world, provider, clock)
    await say('undelivered', { ErrorCode: '30008' })
    expect(await stateOf()).toEqual(['sent sent'])
  })
})

describe('what the provider did not sign', () => {
  test('changes nothing', async () => {
    const { say, path, sid, token, stateOf } = await sentText()
    const form = { MessageSid: sid, MessageStatus: 'delivered' }
    const good = twilioSignature(token, publicOrigin + path, form)
    for (const signature of ['', 'x', twilioSignature('another', publicOrigin + path, form), `A${good}`]) {
      expect((await say('delivered', {}, { signature })).status).toBe(403)
    }
    // what was added, another status, another address
    expect((await say('delivered', { More: '1' }, { signature: good })).status).toBe(403)
    expect((await say('failed', {}, { signature: good })).status).toBe(403)
    expect((await say('delivered', {}, { signature: good, path: `${path}&x=1` })).status).toBe(403)
    expect((await server.fetch(path, { method: 'POST', body: new URLSearchParams(form) })).status).toBe(403)
    expect(await stateOf()).toEqual(['sent sent'])
    expect(server.lines.some((line) => JSON.stringify(line).includes(sid))).toBe(false)
  })

  test('or signed with the token of another organization, changes nothing of this one', async () => {
    const [one, other] = [await sentText(), await sentText()]
    expect((await one.say('delivered', {}, { token: other.token })).status).toBe(403)
    // their own address and token, with the ids of this one
    const path = other.path.replace(/delivery=.*/, `delivery=${(await one.row()).id}`)
    expect((await one.say('delivered', {}, { path, token: other.token })).status).toBe(200)
    // this organization's path with their channel
    const mixed = one.path.replace(/[^/]+\?/, `${/([^/]+)\?/.exec(other.path)?.[1]}?`)
    expect((await one.say('delivered', {}, { path: mixed, token: other.token })).status).toBe(404)
    expect(await one.stateOf()).toEqual(['sent sent'])
  })

  test('or is too long, or no POST, or to no channel, changes nothing', async () => {
    const { say, path, caller, stateOf } = await sentText()
    expect((await say('delivered', { Body: 'x'.repeat(70_000) })).status).toBe(400)
    expect((await server.fetch(path)).status).toBe(405)
    for (const nowhere of [
      `/phone/${caller.orgId}/${newId()}`,
      '/phone/x',
      `/phone/${caller.orgId}/`,
      `/phone/nobody/${newId()}`,
    ]) {
      expect((await say('delivered', {}, { path: nowhere })).status).toBe(404)
    }
    expect(await stateOf()).toEqual(['sent sent'])
  })
})

describe('an own service', () => {
  const receipt = (id: string, status = 'delivered', reason?: string) => ({
    type: 'message.receipt',
    timestamp: startedAt.toISOString(),
    data: { id, status, ...(reason && { reason }) },
  })

  /** A text that an own service has taken. */
  async function sentByService() {
    const office = await textingOffice(world)
    const { caller, clock, departureId } = office
    const secret = newWebhookSecret()
    await caller.transaction((tx) => sql`delete from phone_channels where org_id = ${caller.orgId}`.execute(tx))
    await setUpPhone(world.services, caller, { address: `${provider.origin}/`, secret })
    const path = await answersPath(caller)
    await book(caller, departureId, 2, { contact: { name: 'Ana', phone: '+3545550101' } })
    provider.answer(() => ({}))
    const [asked] = await deliverTexts(world, provider, clock)
    const id = String(asked?.headers['webhook-id'])
    const row = async () =>
      (await caller.call(verbOf(listOutbox), { filters: { source: ['organization'] } })).rows.map(
        ({ status, error }) => `${status} ${error}`,
      )
    return { ...office, path, secret, id, row, asked }
  }

  test('says what became of a text by the id that it was sent with', async () => {
    const { path, secret, id, row } = await sentByService()
    const answer = await postSigned(server, { path, secret, body: receipt(id) })
    expect(await answer.json()).toEqual({ result: { outcome: 'taken' } })
    expect(await row()).toEqual(['delivered null'])
    const unknown = await postSigned(server, { path, secret, body: receipt(newId()) })
    expect([unknown.status, await unknown.json()]).toEqual([200, { result: { outcome: 'unknown' } }])
  })

  test('says why a text failed', async () => {
    const { path, secret, id, row } = await sentByService()
    await postSigned(server, { path, secret, body: receipt(id, 'failed', 'No credit left') })
    expect(await row()).toEqual(['failed No credit left'])
  })

  test('is refused with another secret, an old or changed message, or without a signature', async () => {
    const { path, secret, id, row } = await sentByService()
    const body = receipt(id)
    const minutes = (count: number) => new Date(startedAt.getTime() + count * 60_000)
    const statuses = [
      await postSigned(server, { path, secret: newWebhookSecret(), body }),
      await postSigned(server, { path, secret, body, at: minutes(-6) }),
      await postSigned(server, { path, secret, body, at: minutes(6) }),
      await server.fetch(path, { method: 'POST', body: JSON.stringify(body) }),
    ].map(({ status }) => status)
    expect(statuses).toEqual([403, 403, 403, 403])
    expect(await row()).toEqual(['sent null'])
  })

  test('that gets its own text back, or sends something else, is told so', async () => {
    const { path, secret, asked, row, id } = await sentByService()
    for (const body of [JSON.parse(asked?.body ?? '{}'), receipt(id, 'eaten'), receipt('x y'), [], null]) {
      expect((await postSigned(server, { path, secret, body })).status).toBe(400)
    }
    expect(await row()).toEqual(['sent null'])
  })

  test('may repeat a message: the second changes nothing', async () => {
    const { path, secret, id, row, caller } = await sentByService()
    const failed = { path, secret, id: newId(), body: receipt(id, 'failed', 'No credit left') }
    await postSigned(server, failed)
    const { rows } = await caller.call(verbOf(listOutbox), { filters: { source: ['organization'] } })
    await caller.call(verbOf(retryDelivery), { id: rows[0]?.id ?? '' })
    expect(await (await postSigned(server, failed)).json()).toEqual({ result: { outcome: 'repeated' } })
    expect(await row()).toEqual(['queued null'])
  })
})
