import { createHmac } from 'node:crypto'
import { isSameSignature } from '../http/webhook-signature.ts'
import type { PhoneAnswer, ReceiptState } from './phone-answers.ts'

/**
 * Whether the provider signed this request with the token of the account.
 *
 * @param address As the provider was given it, with its query.
 * @param form What was posted.
 * @see https://www.twilio.com/docs/usage/security, "Validating Signatures from Twilio": HMAC-SHA1 over the address and the parameters in the
 *   order of their names, each name with its value.
 */
export function isSignedByTwilio(token: string, address: URL, form: URLSearchParams, signature: string): boolean {
  const given = Buffer.from(signature, 'base64')
  const names = [...new Set(form.keys())].toSorted(byCodeUnits)
  const entries = names.map((name) =>
    [...new Set(form.getAll(name))].toSorted(byCodeUnits).map((value) => name + value),
  )
  const parameters = entries.flat().join('')
  return [address.href, withOtherPort(address)].some((signed) =>
    isSameSignature(
      given,
      createHmac('sha1', token)
        .update(signed + parameters)
        .digest(),
    ),
  )
}

const byCodeUnits = (one: string, other: string): number => (one < other ? -1 : one > other ? 1 : 0)

/** The provider signs some addresses with their port and some without. */
function withOtherPort({ protocol, hostname, port, pathname, search }: URL): string {
  const usual = protocol === 'https:' ? '443' : '80'
  return `${protocol}//${hostname}${port === '' ? `:${usual}` : ''}${pathname}${search}`
}

/**
 * What a request of the provider says; null where it says nothing that matters here.
 *
 * @see https://www.twilio.com/docs/messaging/guides/track-outbound-message-status, "Message Status Changes"
 * @see https://www.twilio.com/docs/messaging/guides/webhook-request
 */
export function twilioAnswerOf(form: URLSearchParams, deliveryId: string | null): PhoneAnswer | null {
  const of = (name: string) => form.get(name) ?? ''
  const providerId = of('MessageSid') || of('SmsSid')
  if (!/^[A-Za-z0-9]{1,64}$/.test(providerId)) return null
  const status = of('MessageStatus') || of('SmsStatus')
  const state = states[status]
  if (state !== undefined) {
    const reason = state === 'failed' ? reasonOf(of('ErrorCode'), of('ErrorMessage')) : null
    return { kind: 'receipt', key: `${providerId} ${status}`, providerId, deliveryId, state, reason }
  }
  if (status !== 'received' && !form.has('Body')) return null
  const from = of('From')
  const prefix = 'whatsapp:'
  return {
    kind: 'message',
    key: providerId,
    channel: from.startsWith(prefix) ? 'whatsapp' : 'sms',
    from: from.replace(prefix, ''),
    text: of('Body'),
    hasFiles: Number(of('NumMedia')) > 0,
    choice: choices[of('OptOutType')] ?? null,
  }
}

/** Statuses on the way to these say nothing new. */
const states: Readonly<Record<string, ReceiptState>> = {
  sent: 'sent',
  delivered: 'delivered',
  read: 'read',
  undelivered: 'failed',
  failed: 'failed',
}

/** What the provider made of a text by its own rules. `HELP` is for people. */
const choices: Readonly<Record<string, 'stop' | 'start'>> = { STOP: 'stop', START: 'start' }

/** Source: https://www.twilio.com/docs/api/errors */
const reasons: Readonly<Record<string, string>> = {
  '21610': 'The recipient has opted out at the provider',
  '30001': 'The queue of the provider is full',
  '30002': 'The account at the provider is suspended',
  '30003': 'The phone cannot be reached',
  '30004': 'The recipient or their network blocks the message',
  '30005': 'The number is unknown or no longer in use',
  '30006': 'The number is a landline, or its network cannot be reached',
  '30007': 'The network has filtered the message as unwanted',
  '30008': 'The network gave no reason',
  '30034': 'The sender is not registered with the networks of the country',
  '63003': 'The number has no WhatsApp',
  '63016': 'WhatsApp takes only approved texts outside of a conversation',
  '63024': 'The number cannot be reached by WhatsApp',
}

function reasonOf(code: string, message: string): string {
  const words = reasons[code] ?? (message.trim() || 'The message did not arrive')
  return /^\d{1,6}$/.test(code) ? `${words} (Twilio ${code}).` : `${words}.`
}
