import * as z from 'zod/mini'
import { callable } from '../callable.ts'
import { ById, ByIdAndVersion, Count, Id, Instant, optionalText, Saved, Version, write } from '../fields.ts'
import { anyOf, listInput, listOutput } from '../paging.ts'

/** What an endpoint can be notified of; each is one rule of migration 0470. docs/webhooks.md describes what is sent with it. */
export const webhookEvents = [
  'booking.created',
  'booking.changed',
  'booking.cancelled',
  'payment.recorded',
  'payment.voided',
  'departure.created',
  'departure.changed',
  'departure.cancelled',
  'departure.departed',
  'departure.completed',
  'stop.arrived',
  'stop.departed',
  'alert.opened',
  'alert.resolved',
  'check_in.recorded',
  'message.failed',
] as const
export type WebhookEvent = (typeof webhookEvents)[number]

/** What "Send a test event" sends. No endpoint has to choose it. */
export const webhookTest = 'webhook.test'

/** Endpoints of one organization at most. */
export const maxWebhooks = 20
/** Hours in which the former secret signs too. */
export const webhookOverlapHours = 24
/** Characters of an answer that the log keeps. */
export const maxWebhookAnswer = 1000

export const webhookDeliveryStatuses = ['queued', 'delivered', 'failed'] as const
/** Why there was no answer: the address is in the network of the server, nobody answered in time, or the secret cannot be read. */
export const webhookFaults = ['private', 'silent', 'unsigned'] as const
/** Why an endpoint was switched off by itself: it answered 410, or every attempt failed for days. */
export const webhookOffReasons = ['gone', 'failing'] as const

/** `https`, or `http` for hosts that the installation allows, which the server checks. Names and passwords in addresses end up in logs. */
const webhookAddress = /^https?:\/\/[^\s/?#@]+([/?#]\S*)?$/i

/** What a person enters of an endpoint. */
export const WebhookFields = z.object({
  url: z
    .string()
    .check(z.trim(), z.minLength(1, 'required'), z.maxLength(500), z.regex(webhookAddress, 'webhook_address_form')),
  description: optionalText(200),
  events: z.array(z.enum(webhookEvents)).check(
    z.minLength(1, 'webhook_events_missing'),
    z.maxLength(webhookEvents.length),
    z.overwrite((given) => [...new Set(given)]),
  ),
  isOn: z._default(z.boolean(), true),
})

export const Webhook = z.object({
  id: Id,
  version: Version,
  url: z.string(),
  description: z.nullable(z.string()),
  events: z.array(z.enum(webhookEvents)),
  isOn: z.boolean(),
  offReason: z.nullable(z.enum(webhookOffReasons)),
  /** The last characters of the secret, to recognize it. */
  secretHint: z.string(),
  secretMadeAt: Instant,
  lastAttemptAt: z.nullable(Instant),
  lastStatus: z.nullable(z.enum(webhookDeliveryStatuses)),
  failingSince: z.nullable(Instant),
  /** When it is tried again, while it fails. */
  nextAttemptAt: z.nullable(Instant),
  queued: Count,
})
export type Webhook = z.output<typeof Webhook>

export const listWebhooks = callable({
  name: 'webhooks-list',
  kind: 'read',
  permission: 'settings:manage',
  summary: 'Endpoints that are notified of events, and how sending to each is going.',
  input: z.object({}),
  output: z.object({ rows: z.array(Webhook) }),
  topics: ['webhook_endpoints'],
})

export const createWebhook = callable({
  name: 'webhooks-create',
  kind: 'write',
  permission: 'settings:manage',
  summary: 'Adds an endpoint. The secret that signs its requests is answered this once.',
  input: write(WebhookFields.shape),
  output: z.object({ id: Id, version: Version, secret: z.string() }),
  repeated: 'same-answer-briefly',
  writes: ['webhook_endpoints'],
})

export const changeWebhook = callable({
  name: 'webhooks-change',
  kind: 'write',
  permission: 'settings:manage',
  summary: 'Changes an endpoint, or switches it on or off. What waits is sent once it is on again.',
  input: write({ id: Id, version: Version, ...WebhookFields.shape }),
  output: Saved,
  writes: ['webhook_endpoints'],
})

export const rotateWebhookSecret = callable({
  name: 'webhooks-rotate',
  kind: 'write',
  permission: 'settings:manage',
  summary: 'Makes a new secret for an endpoint; the former one signs too for 24 hours.',
  input: ByIdAndVersion,
  output: z.object({ id: Id, version: Version, secret: z.string() }),
  repeated: 'same-answer-briefly',
  writes: ['webhook_endpoints'],
})

export const removeWebhook = callable({
  name: 'webhooks-remove',
  kind: 'write',
  permission: 'settings:manage',
  summary: 'Removes an endpoint with its log; what waits is not sent.',
  input: ByIdAndVersion,
  output: z.object({ id: Id }),
  writes: ['webhook_endpoints'],
})

export const testWebhook = callable({
  name: 'webhooks-test',
  kind: 'write',
  permission: 'settings:manage',
  summary: 'Sends a test event to an endpoint, at once even where it is failing.',
  input: write({ id: Id }),
  output: z.object({ id: Id }),
  writes: ['webhook_endpoints'],
})

export const WebhookDelivery = z.object({
  id: Id,
  endpointId: Id,
  url: z.string(),
  /** The `webhook-id` of its requests. */
  eventId: Id,
  kind: z.enum([...webhookEvents, webhookTest]),
  /** What is sent, as it is signed. */
  body: z.string(),
  status: z.enum(webhookDeliveryStatuses),
  attempts: Count,
  createdAt: Instant,
  attemptedAt: z.nullable(Instant),
  /** When it is tried again, for one that waits. */
  dueAt: z.nullable(Instant),
  /** Of the last attempt. */
  answerStatus: z.nullable(Count),
  answerBody: z.nullable(z.string()),
  fault: z.nullable(z.enum(webhookFaults)),
  durationMs: z.nullable(Count),
})
export type WebhookDelivery = z.output<typeof WebhookDelivery>

export const listWebhookDeliveries = callable({
  name: 'webhooks-deliveries',
  kind: 'read',
  permission: 'settings:manage',
  summary: 'What was sent to endpoints in the last 30 days, and what they answered.',
  input: listInput(
    {
      endpointId: anyOf(Id),
      status: anyOf(z.enum(webhookDeliveryStatuses)),
      kind: anyOf(z.enum([...webhookEvents, webhookTest])),
    },
    ['createdAt'],
  ),
  output: listOutput(WebhookDelivery),
  topics: ['webhook_endpoints'],
})

export const resendWebhook = callable({
  name: 'webhooks-resend',
  kind: 'write',
  permission: 'settings:manage',
  summary: 'Sends one event again, under the same id.',
  input: write(ById.shape),
  output: z.object({ id: Id }),
  writes: ['webhook_endpoints'],
})
