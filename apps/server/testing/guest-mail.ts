import { listBookingMessages } from '@tour-ops/contract/notifications/guest-rules'
import { sql } from 'kysely'
import { pino } from 'pino'
import { guestRuleVerbs } from '../src/features/notifications/guest-rules-service.ts'
import { Courier } from '../src/platform/channels/courier.ts'
import { withOneClick } from '../src/platform/channels/one-click.ts'
import type { Mail, MailTransport } from '../src/platform/channels/mail-transport.ts'
import type { Clock } from '../src/platform/clock.ts'
import type { Database } from '../src/platform/db/database.ts'
import { guestEnclosures } from '../src/platform/operations/guest-enclosures.ts'
import { phonesOf } from './phone-provider.ts'
import { verbsOf } from './verbs.ts'
import type { TestCaller, TestWorld } from './world.ts'

const verbOf = verbsOf(guestRuleVerbs)

/** Of the installation that sends them. */
const publicUrl = 'https://ops.example'

const deliverBy = (
  { database, services }: TestWorld,
  clock: Clock | undefined,
  send: MailTransport['send'] | null,
): Promise<unknown> => {
  const transaction: Database['transaction'] = (scope, run) =>
    database.transaction({ ...scope, ...(clock && { clock }) }, run)
  const db = new Proxy(database, {
    get: (target, name) => (name === 'transaction' ? transaction : Reflect.get(target, name, target)),
  })
  const mail = send && { send, close: () => undefined }
  const enclose = withOneClick(guestEnclosures(publicUrl), { publicUrl, secret: services.config.secret })
  return new Courier({ db, log: pino({ level: 'silent' }), mail, phones: phonesOf(services), enclose }).deliverDue()
}

/** Lets an organization's guests be written to at any hour, as tests are run at any hour. */
export const withoutQuietHours = (caller: TestCaller): Promise<unknown> =>
  caller.transaction((tx) =>
    sql`update org_settings set notification_rules = notification_rules || '{"quietFrom": "00:00", "quietTo": "00:00"}'
      where org_id = ${caller.orgId}`.execute(tx),
  )

/** As if the time in which e-mails can be taken back, or wait for another attempt, were over. */
export const afterAWhile = (caller: TestCaller): Promise<unknown> =>
  caller.transaction((tx) => sql`update deliveries set next_attempt_at = app_now() where status = 'queued'`.execute(tx))

/** Sends everything that is due, as a mail server gets it. */
export async function sentMails(world: TestWorld, clock?: Clock): Promise<Mail[]> {
  const mails: Mail[] = []
  await deliverBy(world, clock, async (one) => ({ id: String(mails.push(one)) }))
  return mails
}

/** Everything that is due is sent where no mail server is set up: people read it on screen. */
export const showOnScreen = (world: TestWorld, clock?: Clock): Promise<unknown> => deliverBy(world, clock, null)

/** Everything that is due is tried while the mail server is down. */
export const failToSend = (world: TestWorld, clock?: Clock): Promise<unknown> =>
  deliverBy(world, clock, async () => Promise.reject(new Error('down')))

/** Kinds and states of what was written about a booking, the newest first. */
export const messagesOf = async (caller: TestCaller, id: string): Promise<string[]> =>
  (await caller.call(verbOf(listBookingMessages), { id })).messages.map(({ kind, status }) => `${kind} ${status}`)
