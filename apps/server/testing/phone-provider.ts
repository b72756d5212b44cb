import http from 'node:http'
import type { AddressInfo } from 'node:net'
import { sql } from 'kysely'
import type { Services } from '../src/context.ts'
import type { Phones } from '../src/platform/channels/courier.ts'
import { pushNetworkOf } from '../src/platform/channels/push-service.ts'
import { placeOf } from '../src/platform/channels/phone-channels.ts'
import { newId } from '../src/platform/ids.ts'
import type { TestCaller } from './world.ts'

/** As the server of these services sends SMS. @param hosts In its own network that it may ask. */
export const phonesOf = (
  { sealed, config }: Pick<Services, 'sealed' | 'config'>,
  hosts: readonly string[] = [],
  twilioUrl = config.messages.twilioUrl,
  publicOrigin: string | null = null,
): Phones => ({ sealed, network: { hosts, twilioUrl, publicOrigin }, push: { ...pushNetworkOf(config), hosts } })

/** What a provider was asked. */
export interface AskedPhone {
  readonly path: string
  readonly headers: http.IncomingHttpHeaders
  readonly body: string
  readonly bytes: Buffer
}

type Answer = (asked: AskedPhone) => {
  status?: number
  body?: unknown
  headers?: Record<string, string>
  /** Keeps the other side waiting. Milliseconds. */
  afterMs?: number
} | null

export interface TestProvider {
  readonly host: string
  readonly origin: string
  readonly asked: AskedPhone[]
  /** What it answers from now on; null hangs up. */
  answer(next: Answer): void
  close(): Promise<void>
}

/** A real HTTP server in the place of a provider; it takes everything until it is told otherwise. */
export async function testProvider(): Promise<TestProvider> {
  const asked: AskedPhone[] = []
  let next: Answer = () => ({ body: {} })
  const server = http.createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const bytes = Buffer.concat(chunks)
      const one = { path: request.url ?? '', headers: request.headers, body: bytes.toString('utf8'), bytes }
      asked.push(one)
      const said = next(one)
      if (said === null) return void request.socket.destroy()
      const { status = 200, body = {}, headers = {}, afterMs = 0 } = said
      setTimeout(() => {
        response.writeHead(status, { 'content-type': 'application/json', ...headers })
        response.end(JSON.stringify(body))
      }, afterMs)
    })
  })
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    host,
    origin: `http://${host}`,
    asked,
    answer: (wanted) => {
      next = wanted
    },
    close: () =>
      new Promise((closed) => {
        server.close(() => closed())
        server.closeAllConnections()
      }),
  }
}

/** Sets up a channel as it is stored. */
export async function setUpPhone(
  { sealed }: Pick<Services, 'sealed'>,
  caller: TestCaller,
  entries: {
    channel?: 'sms' | 'whatsapp'
    address?: string
    account?: string
    sender?: string
    secret: string
    isPreferred?: boolean
  },
): Promise<void> {
  const { channel = 'sms', address = null, account = null, sender = null, secret, isPreferred = false } = entries
  const id = newId()
  await caller.transaction((tx) =>
    sql`insert into phone_channels (org_id, id, channel, adapter, address, account, sender, secret, is_preferred)
      values (${caller.orgId}, ${id}, ${channel}, ${address === null ? 'twilio' : 'webhook'}, ${address}, ${account}, ${sender},
        ${sealed.seal(secret, placeOf(caller.orgId, id))}, ${isPreferred})`.execute(tx),
  )
}
