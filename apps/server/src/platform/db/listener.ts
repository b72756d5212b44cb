import type { Logger } from 'pino'
import { type Client, escapeIdentifier } from 'pg'
import { reportOutage } from '../outages.ts'
import { newClient, type Connection } from './primary.ts'

type OnNotify = (payload: string) => void

// A lost connection is tried again after 1 s, then 1.5 times longer each time, up to 60 s. Source: spec, section 9.
const firstDelayMs = 1_000
const delayFactor = 1.5
const longestDelayMs = 60_000

/** A separate connection that listens on all channels for a process, and reconnects after it was lost. */
export class Listener {
  readonly #config: Connection
  readonly #log: Logger
  readonly #channels = new Map<string, Set<OnNotify>>()
  #client: Promise<Client> | null = null
  #retry: NodeJS.Timeout | null = null
  #delayMs = firstDelayMs
  #closed = false

  constructor(config: Connection, log: Logger) {
    this.#config = config
    this.#log = log
  }

  /** Starts listening; resolves when the server will deliver the next NOTIFY. */
  async listen(channel: string, onNotify: OnNotify): Promise<() => Promise<void>> {
    const callbacks = this.#channels.get(channel) ?? new Set()
    this.#channels.set(channel, callbacks)
    callbacks.add(onNotify)
    const client = await this.#connected()
    if (callbacks.size === 1) await client.query(`listen ${escapeIdentifier(channel)}`)
    return async () => {
      callbacks.delete(onNotify)
      if (callbacks.size > 0 || !this.#client) return
      this.#channels.delete(channel)
      await (await this.#client).query(`unlisten ${escapeIdentifier(channel)}`)
    }
  }

  async close(): Promise<void> {
    this.#closed = true
    if (this.#retry) clearTimeout(this.#retry)
    const client = await this.#client?.catch(() => null)
    this.#client = null
    await client?.end()
  }

  #connected(): Promise<Client> {
    this.#client ??= this.#connect().catch((error: unknown) => {
      this.#client = null
      throw error
    })
    return this.#client
  }

  async #connect(): Promise<Client> {
    const client = newClient(this.#config, { application_name: 'tour-operations listener', keepAlive: true })
    client.on('error', (error) => this.#log.debug({ err: error }, 'listening connection failed'))
    client.on('end', () => this.#reconnect(client))
    client.on('notification', ({ channel, payload }) => {
      for (const onNotify of this.#channels.get(channel) ?? []) onNotify(payload ?? '')
    })
    await client.connect()
    for (const channel of this.#channels.keys()) await client.query(`listen ${escapeIdentifier(channel)}`)
    this.#delayMs = firstDelayMs
    return client
  }

  /** After a loss everybody is woken once: what was sent meanwhile never arrives, and a wake-up costs one look. */
  #reconnect(lost: Client): void {
    if (this.#closed) return
    this.#client = null
    lost.removeAllListeners('notification')
    this.#retry = setTimeout(() => {
      this.#delayMs = Math.min(this.#delayMs * delayFactor, longestDelayMs)
      this.#connected().then(
        () => this.#wakeEverybody(),
        (error: unknown) => {
          if (!reportOutage(this.#log, error))
            this.#log.warn({ err: error }, 'cannot listen to the database, trying again')
        },
      )
    }, this.#delayMs)
  }

  #wakeEverybody(): void {
    for (const callbacks of this.#channels.values()) for (const onNotify of callbacks) onNotify('')
  }
}
