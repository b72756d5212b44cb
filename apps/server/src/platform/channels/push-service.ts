import { encryptNotification, vapidHeaders } from '@block65/webcrypto-web-push'
import type { Config } from '../../config.ts'
import { askOutside, type OutsideAnswer, OutsideError } from '../http/outside-request.ts'
import type { PushSubscriptionRow } from './push-subscriptions.ts'
import { type VapidKeys, vapidKeysOf } from './vapid-keys.ts'

/** What a browser shows. */
export interface PushNotice {
  /** Of the delivery: a browser shows it once, however often it comes. */
  readonly id: string
  readonly title: string
  readonly body: string
  /** Path of our own that a press on it opens. */
  readonly link: string
}

/** How push notices leave. */
export interface PushNetwork {
  readonly keys: VapidKeys
  /** Of this installation: whom a push service asks about what it sends. */
  readonly contact: string
  /** Hosts in the server's own network that may be push services, also without TLS. */
  readonly hosts: readonly string[]
}

/** As this installation sends them. */
export const pushNetworkOf = ({ secret, publicUrl, messages }: Pick<Config, 'secret' | 'publicUrl' | 'messages'>) =>
  ({
    keys: vapidKeysOf(secret),
    // some push services take no other address than one with TLS; without TLS browsers subscribe on this computer only
    contact: publicUrl.replace(/^http:/, 'https:'),
    hosts: messages.hosts,
  }) satisfies PushNetwork

/** Why a push service did not take a notice. */
export class PushError extends Error {
  override readonly name = 'PushError'
  /** `gone`: the browser takes no more. `refused`: this one never will be taken. `later`: it may be tried again. */
  readonly kind: 'gone' | 'refused' | 'later'
  /** Before that it is not tried again. */
  readonly afterSeconds: number

  constructor(kind: PushError['kind'], message: string, afterSeconds = 0) {
    super(message)
    this.kind = kind
    this.afterSeconds = afterSeconds
  }
}

const timeoutMs = 10_000
/** Seconds for which a push service keeps it for a browser that is not running. */
const keptSeconds = 24 * 60 * 60
/** Bytes of a notice: what every push service takes, less the encryption's. Source: RFC 8291, section 4, and RFC 8188, section 2. */
const maxBytes = 3990
const longestPauseSeconds = 3600

/**
 * Hands a notice to the push service of a browser, encrypted for that browser alone.
 *
 * @returns What the push service calls it.
 * @throws PushError
 */
export async function sendPush(
  to: PushSubscriptionRow,
  notice: PushNotice,
  { keys, contact, hosts }: PushNetwork,
): Promise<{ readonly id: string }> {
  const url = URL.parse(to.endpoint)
  if (!url || (url.protocol === 'http:' && !hosts.includes(url.host)))
    throw new PushError('refused', 'The address of the push service is not safe.')
  const { headers, text } = await sealed(to, notice, keys, contact).catch((error: unknown) => {
    throw new PushError('refused', `The browser’s keys cannot be used: ${error instanceof Error ? error.message : ''}`)
  })
  const answer = await askOutside({ url, text, headers, trustedHosts: hosts, timeoutMs, maxBytes: 64 * 1024 }).catch(
    (error: unknown) => {
      throw unanswered(error, url.host)
    },
  )
  if (answer.status < 200 || answer.status >= 300) throw refusalOf(answer, url.host)
  return { id: idOf(answer) ?? notice.id }
}

async function sealed(to: PushSubscriptionRow, notice: PushNotice, keys: VapidKeys, contact: string) {
  const { p256dh, auth } = to
  // the signature is for the origin, and the library wants one with TLS
  const subscription = {
    endpoint: to.endpoint.replace(/^http:/, 'https:'),
    expirationTime: null,
    keys: { p256dh, auth },
  }
  const [signed, text] = await Promise.all([
    vapidHeaders(subscription, { ...keys, subject: contact }),
    encryptNotification(subscription, fitting(notice)),
  ])
  const headers = {
    ...signed.headers,
    'content-type': 'application/octet-stream',
    'content-encoding': 'aes128gcm',
    ttl: String(keptSeconds),
    urgency: 'high',
  }
  return { headers, text }
}

/** As JSON; of a text that is too long as much as fits. */
function fitting(notice: PushNotice): Uint8Array<ArrayBuffer> {
  const bytes = Buffer.from(JSON.stringify(notice))
  if (bytes.length <= maxBytes || notice.body === '') return Uint8Array.from(bytes)
  const kept = Math.floor((notice.body.length * (maxBytes - 100)) / bytes.length)
  // no half of a letter that is two units long
  const start = notice.body.slice(0, Math.max(kept - 1, 0)).replace(/[\uD800-\uDBFF]$/, '')
  return fitting({ ...notice, body: start === '' ? '' : `${start}…` })
}

/** Nobody answered, or from where nobody may be asked. */
function unanswered(error: unknown, host: string): unknown {
  if (!(error instanceof OutsideError)) return error
  if (error.fault === 'private') return new PushError('refused', `${host} is inside the network of this server.`)
  if (error.fault === 'too_long') return new PushError('refused', `${host} answers something else.`)
  return new PushError('later', `${host} does not answer.`)
}

/** Source: RFC 8030, sections 5 and 8.4. */
function refusalOf({ status, headers }: OutsideAnswer, host: string): PushError {
  const words = `${host} answers ${status}.`
  if (status === 404 || status === 410) return new PushError('gone', words)
  if (status !== 429 && status !== 408 && status < 500) return new PushError('refused', words)
  const seconds = Number(headers['retry-after'] ?? '')
  return new PushError(
    'later',
    words,
    Number.isFinite(seconds) ? Math.min(Math.max(seconds, 0), longestPauseSeconds) : 0,
  )
}

/** The address of the message at the push service ends with its name. */
const idOf = ({ headers }: OutsideAnswer): string | undefined =>
  /\/([\w.:%-]{1,100})$/.exec(headers.location ?? '')?.[1]
