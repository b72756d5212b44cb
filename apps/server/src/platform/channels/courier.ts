import { type RawBuilder, sql } from 'kysely'
import type { Logger } from 'pino'
import type { Actor } from '../../context.ts'
import type { Database, Tx } from '../db/database.ts'
import { newId } from '../ids.ts'
import { reportOutage } from '../outages.ts'
import type { ChannelKind } from './channels.ts'
import { nameInEmail } from './email-text.ts'
import { judgeMessages } from './judge-messages.ts'
import { MailError, mailsAtOnce, type MailTransport } from './mail-transport.ts'
import { holdBackUnwanted } from './opt-outs.ts'
import { isQuiet, waitForMorning } from './quiet-hours.ts'

/** Looks without being woken: retries are due, or a wake-up was lost. */
const lookEveryMs = 30_000
/** What another process is taking just now stays due for a moment. */
const soonestLookMs = 500
/** E-mails taken at once; of those, `mailsAtOnce` are on their way at a time, and a crash repeats at most as many. */
const batchSize = 50
/** Attempts before a delivery counts as failed, and the pauses between them. See docs/domain.md, "Messages". */
const maxAttempts = 3
const retryAfterMinutes = [1, 5, 15]
/** Until a mail server that does not answer is asked again. */
const downMinutes = 1

/** What became of an attempt. `outbox` is the answer where no provider delivers: the screen is the mailbox. */
type Outcome =
  | { readonly status: 'sent'; readonly providerId: string }
  /** `isFinal`: trying again is of no use. */
  | { readonly status: 'failed'; readonly error: string; readonly isFinal?: boolean }
  /** Nobody could take it, which is no attempt. */
  | { readonly status: 'waiting'; readonly error: string }
  | { readonly status: 'suppressed'; readonly reason: string }

/** The text of an e-mail to send, and a calendar file that goes with it. */
interface Content {
  /** Where it is another one than was written. */
  readonly subject?: string
  /** Where it goes by now, if that is somewhere else. */
  readonly to?: string
  readonly body: string
  readonly calendar?: string
  /** Where its reader says that they want fewer of them. */
  readonly optOutUrl?: string
  /** See `withOneClick`. */
  readonly isOneClick?: boolean
}

/** Why an e-mail is not sent: it is no longer true, or its reader wants only what is needed. */
type Withheld = 'outdated' | 'opted_out'

/** What is put into an e-mail when it is sent, and is stored nowhere. */
export type Enclose = (
  tx: Tx,
  orgId: string,
  message: { readonly messageId: string; readonly deliveryId: string; readonly body: string },
) => Promise<Content | Withheld>

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
  /** By the clock of the process: nobody is asked before. */
  #downUntil = 0
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
    if (!this.#isDown()) await this.#deliverEmails()
    const { rows } = await this.#db.pool.query<{ org_id: string }>('select org_id from organization_ids()')
    for (const { org_id: orgId } of rows) {
      if (this.#isDown()) return downMinutes * 60_000
      nextMs = Math.min(nextMs, await this.#deliverOf(orgId))
    }
    return nextMs
  }

  #isDown(): boolean {
    return performance.now() < this.#downUntil
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
    await this.#deliverAll(rows, undefined, async (ended) => {
      for (const { due, outcome } of ended) {
        await this.#db.ownerPool.query(
          `update identity.mails set status = $2, error = $3, attempts = $4, "nextAttemptAt" = clock_timestamp() + make_interval(mins => $5),
             "sentAt" = case when $2 = 'sent' then clock_timestamp() end,
             body = case when $2 = 'sent' and $6 then identity.without_tokens(body) else body end where id = $1`,
          [
            due.id,
            nextStatus(outcome, due.attempts),
            errorOf(outcome),
            attemptsAfter(outcome, due.attempts),
            pauseMinutes(outcome, due.attempts),
            this.#mail !== null,
          ],
        )
      }
    })
    if (rows.length === batchSize && !this.#isDown()) await this.#deliverEmails()
  }

  async #deliverOf(orgId: string): Promise<number> {
    const { due, nextMs } = await this.#inside(orgId, async (tx) => {
      await holdBackUnwanted(tx, orgId)
      await waitForMorning(tx, orgId)
      return takeDue(tx, orgId)
    })
    await this.#deliverAll(due, orgId, (ended) => this.#inside(orgId, (tx) => recordOutcomes(tx, orgId, ended)))
    return due.length === batchSize && !this.#isDown() ? this.#deliverOf(orgId) : nextMs
  }

  /** A few at a time, and what became of them is written before the next leave. Once the mail server cannot be reached the others wait. */
  async #deliverAll(
    all: readonly Due[],
    orgId: string | undefined,
    record: (ended: readonly Ended[]) => Promise<void>,
  ): Promise<void> {
    let down: Outcome | undefined
    for (let at = 0; at < all.length; at += mailsAtOnce) {
      const some = all.slice(at, at + mailsAtOnce)
      const known = down
      const ended = known
        ? some.map((due) => ({ due, outcome: known }))
        : await Promise.all(some.map(async (due) => ({ due, outcome: await this.#attempt(due, orgId) })))
      down ??= ended.find(({ outcome }) => outcome.status === 'waiting')?.outcome
      if (down) this.#downUntil = performance.now() + downMinutes * 60_000
      await record(ended)
    }
  }

  #inside<T>(orgId: string, run: (tx: Tx, orgId: string) => Promise<T>): Promise<T> {
    return this.#db.transaction({ orgId, actor, action: 'outbox-deliver', requestId: newId() }, (tx) => run(tx, orgId))
  }

  async #attempt(due: Due, orgId?: string): Promise<Outcome> {
    const { channel, to, subject, senderName, replyTo } = due
    if (channel !== 'email' || !this.#mail) return { status: 'sent', providerId: 'outbox' }
    const content = await this.#contentOf(due, orgId)
    if (!content) return { status: 'failed', error: 'The e-mail could not be put together.' }
    if (typeof content === 'string') return { status: 'suppressed', reason: content }
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
      const words = error instanceof Error ? error.message.slice(0, 500) : 'The mail server refused it.'
      const kind = error instanceof MailError ? error.kind : 'later'
      if (kind === 'down') return { status: 'waiting', error: words }
      return { status: 'failed', error: words, isFinal: kind === 'refused' }
    }
  }

  /** Undefined where something is in the way, which the log names: the e-mails of others go on. */
  async #contentOf({ id, messageId, body }: Due, orgId?: string): Promise<Content | Withheld | undefined> {
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

/** A delivery, and what became of it. */
interface Ended {
  readonly due: Due
  readonly outcome: Outcome
}

function nextStatus(outcome: Outcome, attempts: number): 'sent' | 'suppressed' | 'failed' | 'queued' {
  if (outcome.status === 'waiting') return 'queued'
  if (outcome.status !== 'failed') return outcome.status
  return outcome.isFinal || attempts >= maxAttempts ? 'failed' : 'queued'
}
const errorOf = (outcome: Outcome): string | null => ('error' in outcome ? outcome.error : null)
const attemptsAfter = ({ status }: Outcome, attempts: number): number =>
  status === 'waiting' ? attempts - 1 : attempts
const pauseMinutes = ({ status }: Outcome, attempts: number): number =>
  status === 'waiting' ? downMinutes : (retryAfterMinutes[attempts - 1] ?? 15)

/** What the organization's settings say about its e-mails. */
const ownRule = (orgId: string, name: 'senderName' | 'replyTo'): RawBuilder<string | null> =>
  sql`(select s.notification_rules ->> ${name} from org_settings s where s.org_id = ${orgId}) as ${sql.ref(name)}`

/** Counts an attempt of each; `nextMs` tells when another one is due. */
async function takeDue(tx: Tx, orgId: string): Promise<{ readonly due: Due[]; readonly nextMs: number }> {
  const { rows: due } = await sql<Due>`
    update deliveries set attempts = attempts + 1, next_attempt_at = app_now() + interval '2 minutes', quiet_zone = null
    where org_id = ${orgId} and id in (
      select v.id from deliveries v where v.org_id = ${orgId} and v.status = 'queued' and coalesce(v.next_attempt_at, v.created_at) <= app_now()
        -- what came in since others were told to wait
        and not ${isQuiet}
      order by v.next_attempt_at limit ${batchSize} for update skip locked)
    returning id, message_id as "messageId", recipient as "to", channel, subject, body, attempts, ${ownRule(orgId, 'senderName')}, ${ownRule(orgId, 'replyTo')}`.execute(
    tx,
  )
  const { rows } = await sql<{ waitMs: number | null }>`
    select ceil(extract(epoch from min(next_attempt_at) - app_now()) * 1000)::float8 as "waitMs" from deliveries
    where org_id = ${orgId} and status = 'queued'`.execute(tx)
  return { due, nextMs: Math.max(0, rows[0]?.waitMs ?? Infinity) }
}

/**
 * Writes what became of deliveries; a message is done when none of its deliveries waits any more. Messages are locked first, so that
 * deliveries of them that end or are sent again at the same moment are judged one after another.
 */
async function recordOutcomes(tx: Tx, orgId: string, ended: readonly Ended[]): Promise<void> {
  const rows = ended.map(({ due: { id, attempts }, outcome }) => ({
    id,
    status: nextStatus(outcome, attempts),
    error: errorOf(outcome),
    providerId: outcome.status === 'sent' ? outcome.providerId : null,
    reason: outcome.status === 'suppressed' ? outcome.reason : null,
    attempts: attemptsAfter(outcome, attempts),
    pause: pauseMinutes(outcome, attempts),
  }))
  const messages = sql`m.id = any (${ended.flatMap(({ due }) => due.messageId ?? [])}::uuid[])`
  await sql`select from messages m where m.org_id = ${orgId} and ${messages} order by m.id for no key update`.execute(
    tx,
  )
  await sql`
    update deliveries d set status = r.status, error = r.error, provider_id = r."providerId", suppressed_reason = r.reason, attempts = r.attempts,
      sent_at = case when r.status = 'sent' then app_now() end, next_attempt_at = app_now() + make_interval(mins => r.pause)
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
      as r (id uuid, status text, error text, "providerId" text, reason text, attempts int, pause int)
    where d.org_id = ${orgId} and d.id = r.id and d.status = 'queued'`.execute(tx)
  await judgeMessages(tx, orgId, messages)
}
