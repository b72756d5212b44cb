import { type RawBuilder, sql } from 'kysely'
import type { Logger } from 'pino'
import type { Actor } from '../../context.ts'
import type { Database, Tx } from '../db/database.ts'
import { newId } from '../ids.ts'
import { reportOutage } from '../outages.ts'
import type { ChannelKind } from './channels.ts'
import { nameInEmail } from './email-text.ts'
import { judgeMessages } from './judge-messages.ts'
import { lockMessageOf } from './lock-message.ts'
import type { MailTransport } from './mail-transport.ts'

/** Looks without being woken: retries are due, or a wake-up was lost. */
const lookEveryMs = 30_000
/** What another process is taking just now stays due for a moment. */
const soonestLookMs = 500
/** E-mails taken at once; a crash repeats at most this many. */
const batchSize = 50
/** Attempts before a delivery counts as failed, and the pauses between them. See docs/domain.md, "Messages". */
const maxAttempts = 3
const retryAfterMinutes = [1, 5, 15]

/** What became of an attempt. `outbox` is the answer where no provider delivers: the screen is the mailbox. */
type Outcome =
  | { readonly status: 'sent'; readonly providerId: string }
  | { readonly status: 'failed'; readonly error: string }
  | { readonly status: 'suppressed'; readonly reason: string }

/** The text of an e-mail to send, and a calendar file that goes with it. */
interface Content {
  /** Where it is another one than was written. */
  readonly subject?: string
  readonly body: string
  readonly calendar?: string
}

/** What is put into an e-mail when it is sent, and is stored nowhere; `outdated` for one that is no longer true. */
export type Enclose = (
  tx: Tx,
  orgId: string,
  message: { readonly messageId: string; readonly deliveryId: string; readonly body: string },
) => Promise<Content | 'outdated'>

interface Due {
  readonly id: string
  /** Of an organization's delivery. */
  readonly messageId?: string
  readonly to: string
  readonly channel: ChannelKind
  readonly subject: string | null
  readonly body: string | null
  readonly attempts: number
  /** Of the organization, for its own e-mails. */
  readonly senderName?: string | null
  readonly replyTo?: string | null
}

export interface CourierOptions {
  readonly db: Database
  readonly log: Logger
  /** Null where e-mails are read on screen. */
  readonly mail: MailTransport | null
  readonly enclose: Enclose
}

const actor: Actor = { kind: 'system', id: null }

/**
 * Delivers what is in the outbox: e-mails of the identity service and deliveries of every organization. Several
 * processes may run one each; a row is taken by one of them, and is retried when that one dies.
 */
export class Courier {
  readonly #db: Database
  readonly #log: Logger
  readonly #mail: MailTransport | null
  readonly #enclose: Enclose
  #stopListening: (() => Promise<void>) | null = null
  #timer: NodeJS.Timeout | null = null
  /** For what is due before the next look, as a message that can no longer be taken back. */
  #alarm: NodeJS.Timeout | null = null
  #round: Promise<void> | null = null
  #again = false

  constructor({ db, log, mail, enclose }: CourierOptions) {
    this.#db = db
    this.#log = log
    this.#mail = mail
    this.#enclose = enclose
  }

  async start(): Promise<void> {
    this.#stopListening = await this.#db.listen('outbox', () => void this.#wake())
    this.#timer = setInterval(() => void this.#wake(), lookEveryMs).unref()
    void this.#wake()
  }

  async stop(): Promise<void> {
    if (this.#timer) clearInterval(this.#timer)
    this.#timer = null
    await this.#stopListening?.()
    this.#again = false
    await this.#round
    if (this.#alarm) clearTimeout(this.#alarm)
    this.#mail?.close()
  }

  /**
   * Delivers everything that is due now.
   *
   * @returns Milliseconds until something is due again; `Infinity` where nothing waits.
   */
  async deliverDue(): Promise<number> {
    let nextMs = Infinity
    await this.#deliverEmails()
    const { rows } = await this.#db.pool.query<{ org_id: string }>('select org_id from organization_ids()')
    for (const { org_id: orgId } of rows) nextMs = Math.min(nextMs, await this.#deliverOf(orgId))
    return nextMs
  }

  /** One round at a time; what arrives during a round gets the next one. */
  async #wake(): Promise<void> {
    if (this.#round) {
      this.#again = true
      return
    }
    this.#round = this.deliverDue()
      .then((nextMs) => this.#wakeIn(nextMs))
      .catch((error: unknown) => {
        if (!reportOutage(this.#log, error)) this.#log.warn({ err: error }, 'the outbox could not be worked through')
      })
      .finally(() => {
        this.#round = null
      })
    await this.#round
    if (!this.#again) return
    this.#again = false
    await this.#wake()
  }

  #wakeIn(ms: number): void {
    if (this.#alarm) clearTimeout(this.#alarm)
    this.#alarm = null
    if (this.#timer === null || ms >= lookEveryMs) return
    this.#alarm = setTimeout(() => void this.#wake(), Math.max(ms, soonestLookMs)).unref()
  }

  async #deliverEmails(): Promise<void> {
    const { rows } = await this.#db.ownerPool.query<Due>(
      `update identity.mails set attempts = attempts + 1, "nextAttemptAt" = clock_timestamp() + interval '2 minutes'
       where id in (select id from identity.mails where status = 'queued' and "nextAttemptAt" <= clock_timestamp()
         order by "nextAttemptAt" limit $1 for update skip locked)
       returning id, recipient as to, 'email' as channel, subject, body, attempts`,
      [batchSize],
    )
    for (const due of rows) {
      const outcome = await this.#attempt(due)
      await this.#db.ownerPool.query(
        `update identity.mails set status = $2, error = $3, "nextAttemptAt" = clock_timestamp() + make_interval(mins => $4),
           "sentAt" = case when $2 = 'sent' then clock_timestamp() end,
           body = case when $2 = 'sent' and $5 then identity.without_tokens(body) else body end where id = $1`,
        [due.id, nextStatus(outcome, due.attempts), errorOf(outcome), pauseMinutes(due.attempts), this.#mail !== null],
      )
    }
    if (rows.length === batchSize) await this.#deliverEmails()
  }

  async #deliverOf(orgId: string): Promise<number> {
    const { due, nextMs } = await this.#inside(orgId, takeDue)
    for (const each of due) {
      const outcome = await this.#attempt(each, orgId)
      await this.#inside(orgId, (tx) => recordOutcome(tx, orgId, each, outcome))
    }
    return due.length === batchSize ? this.#deliverOf(orgId) : nextMs
  }

  #inside<T>(orgId: string, run: (tx: Tx, orgId: string) => Promise<T>): Promise<T> {
    return this.#db.transaction({ orgId, actor, action: 'outbox-deliver', requestId: newId() }, (tx) => run(tx, orgId))
  }

  async #attempt(due: Due, orgId?: string): Promise<Outcome> {
    const { channel, to, subject, senderName, replyTo } = due
    if (channel !== 'email' || !this.#mail) return { status: 'sent', providerId: 'outbox' }
    const content = await this.#contentOf(due, orgId)
    if (!content) return { status: 'failed', error: 'The e-mail could not be put together.' }
    if (content === 'outdated') return { status: 'suppressed', reason: content }
    try {
      const { id } = await this.#mail.send({
        to,
        subject: subject ?? '',
        ...content,
        ...(senderName && { senderName: nameInEmail(senderName) }),
        ...(replyTo && { replyTo }),
      })
      return { status: 'sent', providerId: id }
    } catch (error) {
      return {
        status: 'failed',
        error: error instanceof Error ? error.message.slice(0, 500) : 'The mail server refused it.',
      }
    }
  }

  /** Undefined where something is in the way, which the log names: the e-mails of others go on. */
  async #contentOf({ id, messageId, body }: Due, orgId?: string): Promise<Content | 'outdated' | undefined> {
    const text = body ?? ''
    if (orgId === undefined || messageId === undefined) return { body: text }
    try {
      return await this.#inside(orgId, (tx) => this.#enclose(tx, orgId, { messageId, deliveryId: id, body: text }))
    } catch (error) {
      this.#log.warn({ err: error, deliveryId: id }, 'an e-mail could not be put together')
      return undefined
    }
  }
}

const nextStatus = (outcome: Outcome, attempts: number): 'sent' | 'suppressed' | 'failed' | 'queued' =>
  outcome.status !== 'failed' ? outcome.status : attempts >= maxAttempts ? 'failed' : 'queued'
const errorOf = (outcome: Outcome): string | null => (outcome.status === 'failed' ? outcome.error : null)
const pauseMinutes = (attempts: number): number => retryAfterMinutes[attempts - 1] ?? 15

/** What the organization's settings say about its e-mails. */
const ownRule = (orgId: string, name: 'senderName' | 'replyTo'): RawBuilder<string | null> =>
  sql`(select s.notification_rules ->> ${name} from org_settings s where s.org_id = ${orgId}) as ${sql.ref(name)}`

/** Counts an attempt of each; `nextMs` tells when another one is due. */
async function takeDue(tx: Tx, orgId: string): Promise<{ readonly due: Due[]; readonly nextMs: number }> {
  const { rows: due } = await sql<Due>`
    update deliveries set attempts = attempts + 1, next_attempt_at = app_now() + interval '2 minutes'
    where org_id = ${orgId} and id in (
      select id from deliveries where org_id = ${orgId} and status = 'queued' and coalesce(next_attempt_at, created_at) <= app_now()
      order by next_attempt_at limit ${batchSize} for update skip locked)
    returning id, message_id as "messageId", recipient as "to", channel, subject, body, attempts, ${ownRule(orgId, 'senderName')}, ${ownRule(orgId, 'replyTo')}`.execute(
    tx,
  )
  const { rows } = await sql<{ waitMs: number | null }>`
    select ceil(extract(epoch from min(next_attempt_at) - app_now()) * 1000)::float8 as "waitMs" from deliveries
    where org_id = ${orgId} and status = 'queued'`.execute(tx)
  return { due, nextMs: Math.max(0, rows[0]?.waitMs ?? Infinity) }
}

/**
 * Writes what became of a delivery; the message is done when none of its deliveries waits any more. The message is locked first, so that
 * deliveries of it that end or are sent again at the same moment are judged one after another.
 */
async function recordOutcome(tx: Tx, orgId: string, { id, attempts }: Due, outcome: Outcome): Promise<void> {
  const status = nextStatus(outcome, attempts)
  const providerId = outcome.status === 'sent' ? outcome.providerId : null
  const messageId = await lockMessageOf(tx, orgId, id)
  await sql`
    update deliveries set status = ${status}, error = ${errorOf(outcome)}, provider_id = ${providerId},
      suppressed_reason = ${outcome.status === 'suppressed' ? outcome.reason : null},
      sent_at = case when ${status} = 'sent' then app_now() end,
      next_attempt_at = app_now() + make_interval(mins => ${pauseMinutes(attempts)})
    where org_id = ${orgId} and id = ${id} and status = 'queued'`.execute(tx)
  await judgeMessages(tx, orgId, sql`m.id = ${messageId}`)
}
