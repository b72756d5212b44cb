import type { ChannelFault, PhoneAdapter, PhoneChannel } from '@tour-ops/contract/notifications/phone-channels'
import { askOutside, type OutsideAnswer, OutsideError } from '../http/outside-request.ts'
import type { Config } from '../../config.ts'
import { signedHeaders } from '../http/webhook-signature.ts'
import { publicOriginOf } from '../loopback.ts'

/** How a channel leaves, with its secret in clear. */
export interface PhoneTarget {
  readonly channel: PhoneChannel
  readonly adapter: PhoneAdapter
  readonly address: string | null
  readonly account: string | null
  readonly sender: string | null
  readonly secret: string
  /** Path at which what the other side says back is taken. */
  readonly answersPath: string
}

export interface PhoneText {
  /** Of the delivery: the same through all attempts, so that the other side can drop a repetition. */
  readonly id: string
  /** E.164. */
  readonly to: string
  readonly text: string
}

/** Where requests may go. */
export interface PhoneNetwork {
  readonly hosts: readonly string[]
  readonly twilioUrl: string
  /** Origin at which others reach this server; null where nobody can. */
  readonly publicOrigin: string | null
}

/** Where a server of this configuration sends texts. */
export const phoneNetworkOf = ({ messages, publicUrl }: Pick<Config, 'messages' | 'publicUrl'>): PhoneNetwork => ({
  ...messages,
  publicOrigin: publicOriginOf(publicUrl),
})

/** Why the other side did not take a text. */
export class PhoneError extends Error {
  override readonly name = 'PhoneError'
  /** `down`: none of them can leave now. `refused`: this one never will. `later`: this one may be tried again. */
  readonly kind: 'down' | 'refused' | 'later'
  readonly fault: ChannelFault
  /** For so long nothing more is sent there. */
  readonly restSeconds: number

  constructor(kind: PhoneError['kind'], fault: ChannelFault, message: string, restSeconds = 0) {
    super(message)
    this.kind = kind
    this.fault = fault
    this.restSeconds = restSeconds
  }
}

/** Longest wait for an answer; the courier tries again later. */
const timeoutMs = 10_000
const maxBytes = 64 * 1024
/** After an answer that did not come in time, or that asked for patience without saying how long. */
const usualRestSeconds = 60
const longestRestSeconds = 900
const isNumber = /^\+[1-9]\d{6,14}$/
/** A text as long as ten SMS; the provider takes no longer ones. */
const maxText = 1600

/**
 * Hands a text to whoever sends it.
 *
 * @param at When, by the clock of the process.
 * @returns What the other side calls it.
 * @throws PhoneError
 */
export async function sendToPhone(
  target: PhoneTarget,
  { id, to, text }: PhoneText,
  network: PhoneNetwork,
  at: Date,
  signal?: AbortSignal,
): Promise<{ readonly id: string }> {
  if (!isNumber.test(to)) throw new PhoneError('refused', 'refused', 'The phone number is not in international form.')
  const message = { id, to, text: text.trim().slice(0, maxText) }
  const request = target.adapter === 'webhook' ? toWebhook(target, message, at) : toTwilio(target, message, network)
  const trustedHosts = [...network.hosts, ...(target.adapter === 'twilio' ? [request.url.host] : [])]
  let answer: OutsideAnswer
  try {
    answer = await askOutside({ ...request, trustedHosts, timeoutMs, maxBytes, ...(signal && { signal }) })
  } catch (error) {
    signal?.throwIfAborted()
    throw unanswered(error, request.url.host)
  }
  const { status } = answer
  if (status < 200 || status >= 300) throw refusalOf(answer, request.url.host)
  return { id: providerIdOf(answer) ?? id }
}

interface Request {
  readonly url: URL
  readonly text: string
  readonly headers: Readonly<Record<string, string>>
}

function toWebhook({ channel, address, secret }: PhoneTarget, { id, to, text }: PhoneText, at: Date): Request {
  const body = JSON.stringify({ type: 'message.send', timestamp: at.toISOString(), data: { channel, to, text } })
  return {
    url: urlOf(address ?? ''),
    text: body,
    headers: {
      'content-type': 'application/json',
      ...signedHeaders([secret], { id, body, now: at }),
    },
  }
}

/** Source: https://www.twilio.com/docs/messaging/api/message-resource, "Create a Message". */
function toTwilio(
  { channel, account, sender, secret, answersPath }: PhoneTarget,
  { id, to, text }: PhoneText,
  { twilioUrl, publicOrigin }: PhoneNetwork,
): Request {
  const prefix = channel === 'whatsapp' ? 'whatsapp:' : ''
  const form = new URLSearchParams({ To: prefix + to, From: prefix + (sender ?? ''), Body: text })
  // with our own id, since a receipt may be here before the answer with theirs is written
  if (publicOrigin !== null) form.set('StatusCallback', `${publicOrigin}${answersPath}?delivery=${id}`)
  return {
    url: urlOf(`${twilioUrl}/2010-04-01/Accounts/${encodeURIComponent(account ?? '')}/Messages.json`),
    text: form.toString(),
    headers: {
      'content-type': 'application/x-www-form-urlencoded',
      authorization: `Basic ${Buffer.from(`${account}:${secret}`).toString('base64')}`,
    },
  }
}

function urlOf(address: string): URL {
  const url = URL.parse(address)
  if (!url) throw new PhoneError('refused', 'unreadable', 'The address is none of the web.')
  return url
}

/** Codes of Node with which a connection never came about. */
const isNoConnection =
  /^(ECONNREFUSED|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|ERR_TLS|CERT_|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO)/

/** What was perhaps taken is tried again with the same id; where nobody can be reached everything waits. */
function unanswered(error: unknown, host: string): PhoneError {
  if (error instanceof PhoneError) return error
  if (!(error instanceof OutsideError)) throw error
  if (error.fault === 'private')
    return new PhoneError('refused', 'private', `${host} is inside the network of this server.`)
  if (error.fault === 'too_long') return new PhoneError('refused', 'unreadable', `${host} answers something else.`)
  const { code = '', name = '' } = (error.cause ?? {}) as { code?: string; name?: string }
  if (isNoConnection.test(code)) return new PhoneError('down', 'silent', `${host} cannot be reached: ${code}`)
  const isLate = name === 'AbortError' || name === 'TimeoutError'
  const words = isLate ? `${host} did not answer in time.` : `${host} broke the connection off.`
  return new PhoneError('later', isLate ? 'late' : 'silent', words, usualRestSeconds)
}

/** Who has too much to do is left alone for as long as they say; what they refuse is not sent again. */
function refusalOf({ status, headers, bytes }: OutsideAnswer, host: string): PhoneError {
  if (status >= 300 && status < 400)
    return new PhoneError(
      'refused',
      'refused',
      `${host} answers ${status} with another address, which is not followed.`,
    )
  const words = `${host} answers ${status}${wordsOf(bytes)}`
  const isBusy = status === 429 || status === 408 || status >= 500
  if (!isBusy) return new PhoneError('refused', 'refused', words)
  return new PhoneError('later', 'busy', words, restOf(headers['retry-after']))
}

function restOf(retryAfter: string | undefined): number {
  const seconds = Number(retryAfter ?? '')
  const wanted = retryAfter !== undefined && Number.isFinite(seconds) ? seconds : usualRestSeconds
  return Math.min(Math.max(wanted, 1), longestRestSeconds)
}

/** What an answer says in words, as far as it is short and readable. */
function wordsOf(bytes: Buffer): string {
  const said = parsed(bytes)
  const words = said['message'] ?? said['error']
  return typeof words === 'string' ? `: ${words.replaceAll(/\p{Cc}/gu, ' ').slice(0, 200)}` : ''
}

/** Source: `sid` of the provider; a webhook may say `id`. */
function providerIdOf({ bytes }: OutsideAnswer): string | undefined {
  const said = parsed(bytes)
  const id = said['sid'] ?? said['id']
  return typeof id === 'string' && /^[\w.-]{1,100}$/.test(id) ? id : undefined
}

function parsed(bytes: Buffer): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(bytes.toString('utf8'))
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}
  } catch {
    return {}
  }
}
