import { isPhoneChannel, type PhoneChannel, phoneChannels } from '@tour-ops/contract/notifications/phone-channels'
import type { Logger } from 'pino'
import type { Actor } from '../../context.ts'
import type { Database, Tx } from '../db/database.ts'
import { newId } from '../ids.ts'
import { reportOutage } from '../outages.ts'
import type { ChannelKind } from './channels.ts'
import { type Outcome, attemptsAfter, errorOf, nextStatus, pauseSeconds, restOf } from './delivery-outcome.ts'
import { batchSize, type Due, type Ended, recordOutcomes, takeDue } from './due-deliveries.ts'
import { nameInEmail } from './email-text.ts'
import { MailError, mailsAtOnce, type MailTransport } from './mail-transport.ts'
import { holdBackUnwanted } from './opt-outs.ts'
import { PhoneError, type PhoneNetwork, type PhoneTarget, sendToPhone } from './phone-adapters.ts'
import { type PhoneChannelRow, selectPhoneChannels, targetOf } from './phone-channels.ts'
import { PushError, type PushNetwork, sendPush } from './push-service.ts'
import { endPushSubscription, selectPushTarget } from './push-subscriptions.ts'
import { homeZonesNow } from './home-zones.ts'
import { waitForMorning } from './quiet-hours.ts'
import type { SealedText } from '../sealed-text.ts'

/** Looks without being woken: retries are due, or a wake-up was lost. */
const lookEveryMs = 30_000
/** What another process is taking just now stays due for a moment. */
const soonestLookMs = 500

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

/** Why something is not sent: it is no longer true, or its reader does without it. */
type Withheld = 'outdated' | 'opted_out' | 'said_stop'

/** What is put into an e-mail when it is sent, and is stored nowhere. */
export type Enclose = (
  tx: Tx,
  orgId: string,
  message: { readonly messageId: string; readonly deliveryId: string; readonly body: string },
) => Promise<Content | Withheld>

/** How SMS, WhatsApp and push notices leave. */
export interface Phones {
  readonly sealed: SealedText
  readonly network: PhoneNetwork
  readonly push: PushNetwork
}

/** What is sent beside the e-mails, each channel of each organization by itself. */
const directChannels = [...phoneChannels, 'push'] as const
type DirectChannel = (typeof directChannels)[number]
const isDirect = (channel: ChannelKind): channel is DirectChannel => directChannels.some((one) => one === channel)

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
  /** Organizations whose SMS and push notices are on their way: a slow provider holds up nothing else. */
  readonly #direct = new Map<string, Promise<void>>()
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
    await Promise.all(this.#direct.values())
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
    await Promise.all(this.#direct.values())
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
    const direct = directChannels.filter((channel) => this.#direct.has(orgId) || this.#rests(laneOf(channel, orgId)))
    return this.#rests('email') ? ['email', ...direct] : direct
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
      const homes = await homeZonesNow(tx)
      await waitForMorning(tx, orgId, homes)
      const taken = await takeDue(tx, orgId, this.#restingOf(orgId), homes)
      const isByPhone = taken.due.some(({ channel }) => isPhoneChannel(channel))
      return { ...taken, channels: isByPhone ? await selectPhoneChannels(tx, orgId) : [] }
    })
    this.#deliverDirectly(
      orgId,
      due.filter(({ channel }) => isDirect(channel)),
      channels,
    )
    const others = due.filter(({ channel }) => !isDirect(channel))
    const attempt = (one: Due) => this.#attemptEmail(one, orgId)
    await this.#deliverAll(others, 'email', attempt, (ended) => this.#record(orgId, ended))
    return due.length === batchSize ? this.#deliverOf(orgId) : nextMs
  }

  /** Beside everything else; each channel by itself. */
  #deliverDirectly(orgId: string, due: readonly Due[], channels: readonly PhoneChannelRow[]): void {
    if (due.length === 0) return
    const ways = directChannels.map((channel) => {
      const attempt = channel === 'push' ? this.#pushTo(orgId) : this.#textBy(channel, orgId, channels)
      return this.#deliverAll(
        due.filter((one) => one.channel === channel),
        laneOf(channel, orgId),
        attempt,
        (ended) => this.#record(orgId, ended),
      )
    })
    const all = Promise.all(ways)
      .catch((error: unknown) => {
        if (!reportOutage(this.#log, error))
          this.#log.warn({ err: error }, 'SMS or push notices could not be delivered')
      })
      .then(() => {
        this.#direct.delete(orgId)
        // there may be more of them
        if (due.length === batchSize && this.#timer !== null) void this.#wake()
      })
    this.#direct.set(orgId, all)
  }

  #textBy(channel: PhoneChannel, orgId: string, channels: readonly PhoneChannelRow[]) {
    const row = channels.find((one) => one.channel === channel)
    const target = row && this.#targetOf(orgId, row)
    return (one: Due) => this.#attemptPhone(one, orgId, target)
  }

  readonly #pushTo = (orgId: string) => (one: Due) => this.#attemptPush(one, orgId)

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

  /** What a browser has ended is not asked again. */
  async #attemptPush({ id, subject, body }: Due, orgId: string): Promise<Outcome> {
    const target = await this.#inside(orgId, (tx) => selectPushTarget(tx, orgId, id))
    if (!target) return { status: 'suppressed', reason: 'browser_gone' }
    try {
      const notice = { id, title: subject ?? '', body: body ?? '', link: target.link }
      return { status: 'sent', providerId: (await sendPush(target, notice, this.#phones.push)).id }
    } catch (error) {
      if (!(error instanceof PushError)) throw error
      const { kind, message, afterSeconds } = error
      if (kind !== 'gone')
        return { status: 'failed', error: message.slice(0, 500), isFinal: kind === 'refused', afterSeconds }
      await this.#inside(orgId, (tx) => endPushSubscription(tx, orgId, target.id))
      return { status: 'suppressed', reason: 'browser_gone' }
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

/** What is down together: the mail server of the installation, or how a channel of one organization leaves. */
type Lane = 'email' | `${DirectChannel} ${string}`
const laneOf = (channel: DirectChannel, orgId: string): Lane => `${channel} ${orgId}`
