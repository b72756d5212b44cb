import * as z from 'zod/mini'
import { callable } from '../callable.ts'
import { departureRowTopics } from '../departures/departures.ts'
import { write } from '../fields.ts'
import { noticeChannels } from '../settings/settings.ts'

/** What the office reads of tomorrow and today, as an e-mail. */
const DigestText = z.object({ subject: z.string(), body: z.string() })

export const previewDigest = callable({
  name: 'daily-digest-preview',
  kind: 'read',
  permission: 'departures:dispatch',
  summary: 'What the digest of the office would say to me now; null where neither today nor tomorrow has a departure.',
  input: z.object({}),
  output: z.object({ message: z.nullable(DigestText) }),
  topics: [
    ...departureRowTopics,
    'bookings',
    'feedback',
    'members',
    'org_settings',
    'own_preferences',
    'push_subscriptions',
  ],
})

export const sendDigestToMe = callable({
  name: 'daily-digest-send',
  kind: 'write',
  permission: 'departures:dispatch',
  summary:
    'Sends me the digest of the office now, where I get it (in the bell where I get it nowhere). The one of the day comes all the same.',
  input: write({}),
  /** Empty where there is nothing to say. */
  output: z.object({ channels: z.array(z.enum(noticeChannels)) }),
  writes: ['deliveries', 'messages'],
})
