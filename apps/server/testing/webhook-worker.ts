import type pg from 'pg'
import { pino } from 'pino'
import { WebhookSender } from '../src/features/webhooks/webhook-sender.ts'
import type { Services } from '../src/context.ts'
import { systemClock } from '../src/platform/clock.ts'
import { fixedDataKeys } from '../src/platform/data-keys.ts'
import { connectDatabase } from '../src/platform/db/database.ts'
import { liveWrites } from '../src/platform/live/live.ts'
import { SealedText } from '../src/platform/sealed-text.ts'

// For the test that kills it: a process that sends webhooks.

/** What the process is told by its environment. */
export interface WorkerPlace {
  readonly database: pg.ClientConfig
  readonly host: string
  /** What the secrets are sealed with, in hexadecimal. */
  readonly key: { readonly id: string; readonly hex: string }
}

const place = process.env['WEBHOOK_WORKER']
if (place && process.argv[1] === import.meta.filename) {
  const { database: login, host, key } = JSON.parse(place) as WorkerPlace
  const log = pino({ level: 'silent' })
  const db = connectDatabase('url', { application: login, owner: login }, log, async () => undefined)
  const dataKey = { id: key.id, key: Buffer.from(key.hex, 'hex') }
  const services = {
    db,
    log,
    clock: systemClock,
    live: liveWrites,
    config: { webhookHosts: [host] },
    sealed: new SealedText(fixedDataKeys([dataKey], dataKey)),
  } as unknown as Services
  await new WebhookSender(services).start()
  process.send?.('ready')
}
