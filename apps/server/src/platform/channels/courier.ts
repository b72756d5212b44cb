import { isPhoneChannel, type PhoneChannel, phoneChannels } from '@tour-ops/contract/notifications/phone-channels'
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
import { PhoneError, type PhoneNetwork, type PhoneTarget, sendToPhone } from './phone-adapters.ts'
import { type PhoneChannelRow, selectPhoneChannels, targetOf } from './phone-channels.ts'
import { isQuiet, waitForMorning } from './quiet-hours.ts'
import type { SealedText } from '../sealed-text.ts'

/** Looks without being woken: retries are due, or a wake-up was lost. */
const lookEveryMs = 30_000
/** What another process is taking just now stays due for a moment. */
const soonestLookMs = 500
/** Messages taken at once; of those, `mailsAtOnce` are on their way at a time, and a crash repeats at most as many. */
const batchSize = 50
/** Attempts before a delivery counts as failed, and the pauses between them. See docs/domain.md, "Messages". */
const maxAttempts = 3
const retryAfterMinutes = [1, 5, 15]
/** Until a mail server or provider that does not answer is asked again. */
const downSeconds = 60

/** What became of an attempt. `outbox` is the answer where no provider delivers: the screen is the mailbox. */
type Outcome =
  | { readonly status: 'sent'; readonly providerId: string }
  /** `isFinal`: trying again is of no use. `restSeconds`: the other side wants to be left alone for so long. */
  | { readonly status: 'failed'; readonly error: string; readonly isFinal?: boolean; readonly restSeconds?: number }
  /** Nobody could take it, which is no attempt. */
  | { readonly status: 'waiting'; readonly error: string; readonly restSeconds?: number }
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

/** How SMS and WhatsApp leave. */
export interface Phones {
  readonly sealed: SealedText
  readonly network: PhoneNetwork
}

export interface CourierOptions {
  readonly db: Database
  readonly log: Logger
  /** Null where e-mails are read on screen. */
  readonly mail: MailTransport | null
  readonly phones: Phones
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
  readonly #phones: Phones
  readonly #enclose: Enclose
  #stopListening: (() => Promise<void>) | null = null
  #timer: NodeJS.Timeout | null = null
  /** For what is due before the next look, as a message that can no longer be taken back. */
  #alarm: NodeJS.Timeout | null = null
  #round: Promise<void> | null = null
  /** By the clock of the process: a mail server or provider that is not asked before. SMS of one organization wait for neither e-mails nor others. */
  readonly #restsUntil = new Map<Lane, number>()
  /** Organizations whose SMS are on their way: a slow provider holds up nothing else. */
  readonly #onPhone = new Map<string, Promise<void>>()
  #again = false

  constructor({ db, log, mail, phones, enclose }: CourierOptions) {
    this.#db = db
    this.#log = log
    this.#mail = mail
    this.#phones = phones
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
    await Promise.all(this.#onPhone.values())
    if (this.#alarm) clearTimeout(this.#alarm)
    this.#mail?.close()
  }

  /**
   * Delivers everything that is due now.
   *
   * @returns Milliseconds until something is due again; `Infinity` where nothing waits.
   */
  async deliverDue(): Promise<number> {
    const nextMs = await this.#deliverRound()
    await Promise.all(this.#onPhone.values())
    return nextMs
  }

  async #deliverRound(): Promise<number> {
    let nextMs = Infinity
    if (!this.#rests('email')) await this.#deliverEmails()
    const { rows } = await this.#db.pool.query<{ org_id: string }>('select org_id from organization_ids()')
    for (const { org_id: orgId } of rows) nextMs = Math.min(nextMs, await this.#deliverOf(orgId))
    return nextMs
  }

  #rests(lane: Lane): boolean {
    return performance.now() < (this.#restsUntil.get(lane) ?? 0)
  }

  /** By which nothing of an organization leaves now. */
  #restingOf(orgId: string): ChannelKind[] {
    const phones = phoneChannels.filter((channel) => this.#onPhone.has(orgId) || this.#rests(laneOf(channel, orgId)))
    return this.#rests('email') ? ['email', ...phones] : phones
  }

  /** One round at a time; what arrives during a round gets the next one. */
  async #wake(): Promise<void> {
    if (this.#round) {
      this.#again = true
      return
    }
    this.#round = this.#deliverRound()
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
    await this.#deliverAll(
      rows,
      'email',
      (due) => this.#attemptEmail(due),
      async (ended) => {
        for (const { due, outcome } of ended) {
          await this.#db.ownerPool.query(
            `update identity.mails set status = $2, error = $3, attempts = $4, "nextAttemptAt" = clock_timestamp() + make_interval(secs => $5),
             "sentAt" = case when $2 = 'sent' then clock_timestamp() end,
             body = case when $2 = 'sent' and $6 then identity.without_tokens(body) else body end where id = $1`,
            [
              due.id,
              nextStatus(outcome, due.attempts),
              errorOf(outcome),
              attemptsAfter(outcome, due.attempts),
              pauseSeconds(outcome, due.attempts),
              this.#mail !== null,
            ],
          )
        }
      },
    )
    if (rows.length === batchSize && !this.#rests('email')) await this.#deliverEmails()
  }

  async #deliverOf(orgId: string): Promise<number> {
    const { due, nextMs, channels } = await this.#inside(orgId, async (tx) => {
      await holdBackUnwanted(tx, orgId)
      await waitForMorning(tx, orgId)
      const taken = await takeDue(tx, orgId, this.#restingOf(orgId))
      const isByPhone = taken.due.some(({ channel }) => isPhoneChannel(channel))
      return { ...taken, channels: isByPhone ? await selectPhoneChannels(tx, orgId) : [] }
    })
    this.#deliverByPhone(
      orgId,
      due.filter(({ channel }) => isPhoneChannel(channel)),
      channels,
    )
    const others = due.filter(({ channel }) => !isPhoneChannel(channel))
    const attempt = (one: Due) => this.#attemptEmail(one, orgId)
    await this.#deliverAll(others, 'email', attempt, (ended) => this.#record(orgId, ended))
    return due.length === batchSize ? this.#deliverOf(orgId) : nextMs
  }

  /** Beside everything else; each channel by itself. */
  #deliverByPhone(orgId: string, due: readonly Due[], channels: readonly PhoneChannelRow[]): void {
    if (due.length === 0) return
    const ways = phoneChannels.map((channel) => {
      const row = channels.find((one) => one.channel === channel)
      const target = row && this.#targetOf(orgId, row)
      return this.#deliverAll(
        due.filter((one) => one.channel === channel),
        laneOf(channel, orgId),
        (one) => this.#attemptPhone(one, orgId, target),
        (ended) => this.#record(orgId, ended),
      )
    })
    const all = Promise.all(ways)
      .catch((error: unknown) => {
        if (!reportOutage(this.#log, error)) this.#log.warn({ err: error }, 'SMS could not be delivered')
      })
      .then(() => {
        this.#onPhone.delete(orgId)
        // there may be more of them
        if (due.length === batchSize && this.#timer !== null) void this.#wake()
      })
    this.#onPhone.set(orgId, all)
  }

  /** Undefined where its secret cannot be opened, which the log says. */
  #targetOf(orgId: string, row: PhoneChannelRow): PhoneTarget | 'unreadable' {
    try {
      return targetOf(this.#phones.sealed, orgId, row)
    } catch (error) {
      this.#log.warn({ err: error, channel: row.channel }, 'the secret of a channel cannot be opened')
      return 'unreadable'
    }
  }

  #record(orgId: string, ended: readonly Ended[]): Promise<void> {
    return this.#inside(orgId, (tx) => recordOutcomes(tx, orgId, ended))
  }

  /** A few at a time, and what became of them is written before the next leave. Once the other side cannot be reached the others wait. */
  async #deliverAll(
    all: readonly Due[],
    lane: Lane,
    attempt: (due: Due) => Promise<Outcome>,
    record: (ended: readonly Ended[]) => Promise<void>,
  ): Promise<void> {
    let held: Outcome | undefined
    for (let at = 0; at < all.length; at += mailsAtOnce) {
      const some = all.slice(at, at + mailsAtOnce)
      const known = held
      const ended = known
        ? some.map((due) => ({ due, outcome: known }))
        : await Promise.all(some.map(async (due) => ({ due, outcome: await attempt(due) })))
      const resting = known ? undefined : ended.find(({ outcome }) => restOf(outcome) > 0)?.outcome
      if (resting && 'error' in resting) {
        held = { status: 'waiting', error: resting.error }
        this.#restsUntil.set(lane, performance.now() + restOf(resting) * 1000)
      }
      await record(ended)
    }
  }

  #inside<T>(orgId: string, run: (tx: Tx, orgId: string) => Promise<T>): Promise<T> {
    return this.#db.transaction({ orgId, actor, action: 'outbox-deliver', requestId: newId() }, (tx) => run(tx, orgId))
  }

  async #attemptEmail(due: Due, orgId?: string): Promise<Outcome> {
    const { channel, to, subject, senderName, replyTo } = due
    if (channel !== 'email') return { status: 'failed', error: `Nothing is sent by ${channel}.`, isFinal: true }
    if (!this.#mail) return { status: 'sent', providerId: 'outbox' }
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

  async #attemptPhone(due: Due, orgId: string, target: PhoneTarget | 'unreadable' | undefined): Promise<Outcome> {
    if (!target) return { status: 'failed', error: 'The channel is switched off in the settings.', isFinal: true }
    if (target === 'unreadable') return { status: 'waiting', error: 'The secret of the channel cannot be read.' }
    const content = await this.#contentOf(due, orgId)
    if (!content) return { status: 'failed', error: 'The message could not be put together.' }
    if (typeof content === 'string') return { status: 'suppressed', reason: content }
    try {
      const message = { id: due.id, to: content.to ?? due.to, text: content.body }
      const { id } = await sendToPhone(target, message, this.#phones.network, new Date())
      return { status: 'sent', providerId: id }
    } catch (error) {
      if (!(error instanceof PhoneError)) throw error
      const { kind, message, restSeconds } = error
      if (kind === 'down') return { status: 'waiting', error: message }
      return { status: 'failed', error: message.slice(0, 500), isFinal: kind === 'refused', restSeconds }
    }
  }

  /** Undefined where something is in the way, which the log names: the messages of others go on. */
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
const pauseSeconds = (outcome: Outcome, attempts: number): number =>
  outcome.status === 'waiting' ? downSeconds : Math.max((retryAfterMinutes[attempts - 1] ?? 15) * 60, restOf(outcome))
/** For so long the other side is left alone. Seconds. */
const restOf = (outcome: Outcome): number =>
  outcome.status === 'waiting' ? downSeconds : outcome.status === 'failed' ? (outcome.restSeconds ?? 0) : 0

/** What is down together: the mail server of the installation, or how a channel of one organization leaves. */
type Lane = 'email' | `${PhoneChannel} ${string}`
const laneOf = (channel: PhoneChannel, orgId: string): Lane => `${channel} ${orgId}`

/** What the organization's settings say about its e-mails. */
const ownRule = (orgId: string, name: 'senderName' | 'replyTo'): RawBuilder<string | null> =>
  sql`(select s.notification_rules ->> ${name} from org_settings s where s.org_id = ${orgId}) as ${sql.ref(name)}`

/** Counts an attempt of each; `nextMs` tells when another one is due. @param resting Channels of which nothing is taken. */
async function takeDue(
  tx: Tx,
  orgId: string,
  resting: readonly ChannelKind[],
): Promise<{ readonly due: Due[]; readonly nextMs: number }> {
  const isTaken = sql`channel <> all (${resting}::text[])`
  const { rows: due } = await sql<Due>`
    update deliveries set attempts = attempts + 1, next_attempt_at = app_now() + interval '2 minutes', quiet_zone = null
    where org_id = ${orgId} and id in (
      select v.id from deliveries v where v.org_id = ${orgId} and v.status = 'queued' and coalesce(v.next_attempt_at, v.created_at) <= app_now()
        -- what came in since others were told to wait
        and not ${isQuiet} and v.${isTaken}
      order by v.next_attempt_at limit ${batchSize} for update skip locked)
    returning id, message_id as "messageId", recipient as "to", channel, subject, body, attempts, ${ownRule(orgId, 'senderName')}, ${ownRule(orgId, 'replyTo')}`.execute(
    tx,
  )
  const { rows } = await sql<{ waitMs: number | null }>`
    select ceil(extract(epoch from min(next_attempt_at) - app_now()) * 1000)::float8 as "waitMs" from deliveries
    where org_id = ${orgId} and status = 'queued' and ${isTaken}`.execute(tx)
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
    pause: pauseSeconds(outcome, attempts),
  }))
  const messages = sql`m.id = any (${ended.flatMap(({ due }) => due.messageId ?? [])}::uuid[])`
  await sql`select from messages m where m.org_id = ${orgId} and ${messages} order by m.id for no key update`.execute(
    tx,
  )
  await sql`
    update deliveries d set status = r.status, error = r.error, provider_id = r."providerId", suppressed_reason = r.reason, attempts = r.attempts,
      sent_at = case when r.status = 'sent' then app_now() end, next_attempt_at = app_now() + make_interval(secs => r.pause)
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
      as r (id uuid, status text, error text, "providerId" text, reason text, attempts int, pause int)
    where d.org_id = ${orgId} and d.id = r.id and d.status = 'queued'`.execute(tx)
  await judgeMessages(tx, orgId, messages)
}
