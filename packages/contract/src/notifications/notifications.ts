import * as z from 'zod/mini'
import { callable } from '../callable.ts'
import { Count, Id, Instant, OpaqueId, write } from '../fields.ts'
import { anyOf, listInput, listOutput } from '../paging.ts'
import { statusesOf } from '../state-machines.ts'

export const channelKinds = ['in_app', 'email', 'sms', 'whatsapp', 'push', 'webhook'] as const

/** Why something was not sent: it was no longer true, somebody took it back, the guest wants only what is needed, a browser takes no more notices. */
export const suppressedReasons = ['outdated', 'stopped', 'opted_out', 'said_stop', 'browser_gone'] as const

/** Departures of a message that are named. */
export const maxNamedDepartures = 20

export const OutboxRow = z.object({
  id: OpaqueId,
  /** The message of which this is a delivery, for what somebody wrote to several guests and can still take back. */
  messageId: z.nullable(Id),
  /** `identity`: e-mails of the identity service, such as password resets; shown to administrators. */
  source: z.enum(['organization', 'identity']),
  kind: z.string(),
  /** For what somebody wrote to the guests of departures: which ones, the first by code, and how many. */
  meant: z.nullable(
    z.object({
      departures: z.array(z.object({ id: Id, code: z.string() })),
      count: Count,
      onlyAboard: z.boolean(),
    }),
  ),
  channel: z.enum(channelKinds),
  to: z.string(),
  subject: z.nullable(z.string()),
  /** Null where reading it would give access to somebody's account, and where a mail server delivers it. */
  body: z.nullable(z.string()),
  status: z.enum(statusesOf('deliveries')),
  error: z.nullable(z.string()),
  /** Of what was held back. */
  suppressedReason: z.nullable(z.enum(suppressedReasons)),
  attempts: Count,
  createdAt: Instant,
  /** When it leaves at the earliest, for one that waits. */
  dueAt: z.nullable(Instant),
  /** Of the tour, while it waits for the end of quiet hours there. */
  quietZone: z.nullable(z.string()),
  sentAt: z.nullable(Instant),
  deliveredAt: z.nullable(Instant),
})
export type OutboxRow = z.output<typeof OutboxRow>

/** Of what was written in a time and has left, or never will: notices inside the product are left out, and e-mails where no mail server is set up. */
const OutboxPace = z.object({
  ended: Count,
  /** Of these, what a mail server or provider took, as long as it did not report otherwise. */
  delivered: Count,
  /** From writing until it was delivered, or handed over where nobody says more; null where nothing was. */
  medianSeconds: z.nullable(z.number()),
})
export type OutboxPace = z.output<typeof OutboxPace>

export const outboxFilters = {
  status: anyOf(z.enum(statusesOf('deliveries'))),
  channel: anyOf(z.enum(channelKinds)),
  source: anyOf(z.enum(['organization', 'identity'])),
  departureId: anyOf(Id),
}
export const outboxSortable = ['createdAt', 'to', 'status', 'kind'] as const

export const listOutbox = callable({
  name: 'outbox-list',
  kind: 'read',
  permission: 'notifications:read',
  summary: 'Deliveries: what was sent, to whom, and with which result.',
  input: listInput(outboxFilters, outboxSortable),
  output: z.extend(listOutput(OutboxRow), {
    figures: z.object({
      sent24h: Count,
      failed: Count,
      queued: Count,
      /** Addresses that get only what is needed. */
      optedOut: Count,
    }),
    /** By channel, what was said last where the mail server or the provider cannot be reached, and how many messages wait for it. */
    outages: z.array(z.object({ channel: z.enum(channelKinds), error: z.string(), waiting: Count })),
    /** `outbox`: no mail server is set up, so e-mails are read here instead of being delivered. */
    delivery: z.enum(['outbox', 'smtp']),
  }),
  topics: ['deliveries', 'messages', 'opt_outs'],
  rowTopics: ['departures'],
})

/** So long figures over all that was sent are shown before they are counted again, minutes. */
export const paceMinutes = 5

export const getOutboxPace = callable({
  name: 'outbox-pace',
  kind: 'read',
  permission: 'notifications:read',
  summary: `Which share of what was sent arrived, and how fast; counted at most every ${paceMinutes} minutes, since it reads all of a week.`,
  input: z.object({}),
  output: z.object({
    /** When it was counted. */
    asOf: Instant,
    /** Of the 24 hours before, and of the seven days. */
    day: OutboxPace,
    week: OutboxPace,
  }),
  // every message would change it: it is asked for again after a while
  topics: [],
})

export const retryDelivery = callable({
  name: 'outbox-retry',
  kind: 'write',
  permission: 'notifications:send',
  summary: 'Sends a failed delivery again.',
  input: write({ id: Id }),
  output: z.object({ id: Id }),
  writes: ['deliveries', 'messages'],
})
