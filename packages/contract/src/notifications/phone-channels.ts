import * as z from 'zod/mini'
import { callable } from '../callable.ts'
import { Phone, text, Version, whole, write } from '../fields.ts'

/** Channels that reach a phone number, in the order in which they are used where nobody prefers one. */
export const phoneChannels = ['sms', 'whatsapp'] as const
export type PhoneChannel = (typeof phoneChannels)[number]
export const isPhoneChannel = (channel: string): channel is PhoneChannel => phoneChannels.some((one) => one === channel)

/** By which a guest is reached. */
export const guestChannels = ['email', ...phoneChannels] as const
export type GuestChannel = (typeof guestChannels)[number]

/** `webhook`: a service of the organization's own. `twilio`: see docs/adapters.md. */
export const phoneAdapters = ['webhook', 'twilio'] as const
export type PhoneAdapter = (typeof phoneAdapters)[number]

/** An address of the web without a name and password. */
const webhookAddress = /^https?:\/\/(\[[0-9a-f:.]+\]|[a-z0-9._-]+)(:\d{1,5})?(\/[^\s"'<>\\#]*)?$/i

const PhoneSetup = z.object({
  channel: z.enum(phoneChannels),
  adapter: z.enum(['off', ...phoneAdapters]),
  /** Of the webhook; null otherwise. */
  address: z.nullable(z.string()),
  /** Of the provider; null otherwise. */
  account: z.nullable(z.string()),
  /** From which the provider sends; null otherwise. */
  sender: z.nullable(z.string()),
  /** Where the other side says what became of texts and what guests answer; null while it is off, and on a server that others cannot reach. */
  answersAt: z.nullable(z.string()),
  /** Guests are reached by it where the other one is set up as well. */
  isPreferred: z.boolean(),
  /** 0 where it is off. */
  version: whole(0, 2_147_483_647),
})
export type PhoneSetup = z.output<typeof PhoneSetup>

export const getPhoneChannels = callable({
  name: 'phone-channels-get',
  kind: 'read',
  permission: 'members:manage',
  summary: 'How SMS and WhatsApp leave: by an own webhook, by a provider, or not at all. Secrets are not in it.',
  input: z.object({}),
  output: z.object({ channels: z.array(PhoneSetup) }),
  topics: ['phone_channels'],
})

export const setPhoneChannel = callable({
  name: 'phone-channels-set',
  kind: 'write',
  permission: 'members:manage',
  summary:
    'Changes how SMS or WhatsApp leave. The secret that signs an own webhook is answered when it is made, and never again.',
  input: write({
    channel: z.enum(phoneChannels),
    version: z._default(whole(0, 2_147_483_647), 0),
    adapter: z.enum(['off', ...phoneAdapters]),
    address: z._default(
      z.nullable(z.string().check(z.trim(), z.maxLength(500), z.regex(webhookAddress, 'webhook_address_form'))),
      null,
    ),
    account: z._default(
      z.nullable(z.string().check(z.trim(), z.regex(/^AC[0-9a-f]{32}$/i, 'provider_account_form'))),
      null,
    ),
    sender: z._default(
      z.nullable(z.string().check(z.trim(), z.regex(/^(\+[1-9]\d{6,14}|[A-Za-z0-9 ]{1,11})$/, 'provider_sender_form'))),
      null,
    ),
    /** Of the provider; left out, the one that is stored. */
    token: z.optional(text(200)),
    isPreferred: z._default(z.boolean(), false),
    /** Makes another secret for the webhook; the one before does not sign any more. */
    newSecret: z._default(z.boolean(), false),
  }).check(
    z.refine(({ adapter, address }) => adapter !== 'webhook' || address !== null, {
      path: ['address'],
      error: 'required',
    }),
    z.refine(({ adapter, account }) => adapter !== 'twilio' || account !== null, {
      path: ['account'],
      error: 'required',
    }),
    z.refine(({ adapter, sender }) => adapter !== 'twilio' || sender !== null, { path: ['sender'], error: 'required' }),
  ),
  output: z.object({ setup: PhoneSetup, secret: z.nullable(z.string()) }),
  repeated: 'same-answer-briefly',
  writes: ['phone_channels'],
})

/** Why a test did not arrive. */
export const channelFaults = ['private', 'silent', 'late', 'refused', 'busy', 'unreadable'] as const
export type ChannelFault = (typeof channelFaults)[number]

export const testPhoneChannel = callable({
  name: 'phone-channels-test',
  kind: 'write',
  permission: 'members:manage',
  summary: 'Sends a short text to a number by what is saved, and says what the other side answered.',
  input: write({ channel: z.enum(phoneChannels), version: Version, to: Phone }),
  output: z.object({ fault: z.nullable(z.enum(channelFaults)), answer: z.nullable(z.string()) }),
  writes: [],
})
