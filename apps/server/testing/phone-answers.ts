import { createHmac } from 'node:crypto'
import { sql } from 'kysely'
import { pino } from 'pino'
import { Courier } from '../src/platform/channels/courier.ts'
import { answersPathOf } from '../src/platform/channels/phone-channels.ts'
import { type Clock, movableClock } from '../src/platform/clock.ts'
import type { Database } from '../src/platform/db/database.ts'
import { signedHeaders } from '../src/platform/http/webhook-signature.ts'
import { newId } from '../src/platform/ids.ts'
import { guestEnclosures } from '../src/platform/operations/guest-enclosures.ts'
import { testServer, type TestServer } from './http-server.ts'
import { addDeparture, officeWithTour } from './operations.ts'
import { phonesOf, setUpPhone, type TestProvider } from './phone-provider.ts'
import type { TestCaller, TestWorld } from './world.ts'

/** Where the installation of these tests is reached; the test server listens elsewhere, as behind a proxy. */
export const publicOrigin = 'https://ops.example'
export const startedAt = new Date('2030-07-01T10:00:00Z')

/** The assembled server, with a clock of its own. */
export async function answersServer(
  world: TestWorld,
): Promise<TestServer & { readonly clock: ReturnType<typeof movableClock> }> {
  const clock = movableClock(startedAt)
  const env = { DEMO: 'off', SESSION_SECRET: world.services.config.secret, PUBLIC_URL: publicOrigin }
  return { ...(await testServer({ services: { ...world.services, clock }, env })), clock }
}

/** Path at which a channel of an organization is answered. */
export async function answersPath(caller: TestCaller, channel = 'sms'): Promise<string> {
  const { rows } = await caller.transaction((tx) =>
    sql<{ id: string }>`select id from phone_channels where org_id = ${caller.orgId} and channel = ${channel}`.execute(
      tx,
    ),
  )
  return answersPathOf(caller.orgId, rows[0]?.id ?? '')
}

/** As the provider documents it, written a second time here. */
export function twilioSignature(token: string, address: string, form: Readonly<Record<string, string>>): string {
  const parameters = Object.keys(form)
    .toSorted()
    .map((name) => name + form[name])
  return createHmac('sha1', token)
    .update([address, ...parameters].join(''))
    .digest('base64')
}

export interface PostedForm {
  readonly path: string
  readonly form: Readonly<Record<string, string>>
  readonly token: string
  readonly signature?: string
}

/** Posts as the provider does, signed for the public address. */
export const postForm = (server: TestServer, { path, form, token, signature }: PostedForm): Promise<Response> =>
  server.fetch(path, {
    method: 'POST',
    headers: { 'x-twilio-signature': signature ?? twilioSignature(token, publicOrigin + path, form) },
    body: new URLSearchParams(form),
  })

export interface PostedJson {
  readonly path: string
  readonly body: unknown
  readonly secret: string
  readonly id?: string
  readonly at?: Date
}

/** Posts as an own service does. */
export function postSigned(
  server: TestServer,
  { path, body, secret, id = newId(), at = startedAt }: PostedJson,
): Promise<Response> {
  const text = JSON.stringify(body)
  const headers = { 'content-type': 'application/json', ...signedHeaders([secret], { id, body: text, now: at }) }
  return server.fetch(path, { method: 'POST', headers, body: text })
}

/** Sends what is due, as a server that others reach at `publicOrigin`. @returns What the provider was asked. */
export async function deliverTexts(
  world: TestWorld,
  provider: TestProvider,
  clock: Clock,
): Promise<TestProvider['asked']> {
  const before = provider.asked.length
  const transaction: Database['transaction'] = (scope, run) => world.database.transaction({ ...scope, clock }, run)
  const db = new Proxy(world.database, {
    get: (target, name) => (name === 'transaction' ? transaction : Reflect.get(target, name, target)),
  })
  const phones = phonesOf(world.services, [provider.host], provider.origin, publicOrigin)
  const options = { log: pino({ level: 'silent' }), mail: null, enclose: guestEnclosures(publicOrigin) }
  await new Courier({ db, phones, ...options }).deliverDue()
  return provider.asked.slice(before)
}

export const account = `AC${'0'.repeat(32)}`

/** An office that sends SMS by the provider, with a departure of next week. */
export async function textingOffice(world: TestWorld) {
  const { caller, clock, tourId } = await officeWithTour(world, startedAt)
  const departureId = await addDeparture(caller, tourId)
  const token = newId()
  await setUpPhone(world.services, caller, { account, sender: '+447700900999', secret: token })
  return { caller, clock, tourId, departureId, token, path: await answersPath(caller) }
}
