import * as z from 'zod/mini'
import { callable } from '../callable.ts'
import { Id, Instant, text, write } from '../fields.ts'

/** Browsers that one person may have; the one that was added first makes room for another. */
export const browsersPerPerson = 10

/** Address of a browser at its push service. Source: RFC 8030, section 8.1, "push resource". */
const Endpoint = z.string().check(z.maxLength(1000), z.regex(/^https?:\/\/[^\s"'<>\\#]+$/))

/** What a browser says of itself when it subscribes. Source: Push API, `PushSubscription`. */
const Subscription = z.object({
  endpoint: Endpoint,
  /** An uncompressed point of P-256, base64url. */
  p256dh: z.string().check(z.regex(/^B[A-Za-z0-9_-]{86}$/)),
  /** 16 bytes, base64url. */
  auth: z.string().check(z.regex(/^[A-Za-z0-9_-]{22}$/)),
  /** Browser and system, as its owner finds it again. */
  name: text(80),
})

export const listPushSubscriptions = callable({
  name: 'push-subscriptions-list',
  kind: 'read',
  permission: 'member',
  summary:
    'The browsers in which I am notified although no page is open, and the key with which another one subscribes.',
  input: z.object({}),
  output: z.object({
    /** Of this installation, as `applicationServerKey` takes it: base64url. Source: RFC 8292, section 3.2. */
    publicKey: z.string(),
    browsers: z.array(z.object({ id: Id, name: z.string(), endpoint: z.string(), since: Instant })),
  }),
  topics: ['push_subscriptions'],
})
export type PushBrowser = z.output<typeof listPushSubscriptions.output>['browsers'][number]

export const addPushSubscription = callable({
  name: 'push-subscriptions-add',
  kind: 'write',
  permission: 'member',
  summary: `Notifies me in this browser from now on, by the preferences that I have. Of more than ${browsersPerPerson} the first is given up.`,
  input: write({ subscription: Subscription }),
  output: z.object({ id: Id }),
  // what waits for a browser that is given up
  writes: ['deliveries', 'push_subscriptions'],
})

export const removePushSubscription = callable({
  name: 'push-subscriptions-remove',
  kind: 'write',
  permission: 'member',
  summary: 'Ends notices in one of my browsers. One that is not there is no error: it has ended.',
  input: write({ endpoint: Endpoint }),
  output: z.object({ removed: z.boolean() }),
  writes: ['deliveries', 'push_subscriptions'],
})

export const testPushSubscription = callable({
  name: 'push-subscriptions-test',
  kind: 'write',
  permission: 'member',
  summary: 'Sends a notice to one of my browsers.',
  input: write({ id: Id }),
  output: z.object({ id: Id }),
  writes: ['deliveries', 'messages'],
})
