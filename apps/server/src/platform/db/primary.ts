import type { Logger } from 'pino'
import { Client, type ClientConfig, type PoolConfig } from 'pg'

/** How to reach a database: what pools and clients of `pg` take, with the class of the clients where servers are several. */
export type Connection = Omit<PoolConfig, 'Client'> & { readonly Client?: typeof Client | undefined }

export interface FollowedAddress {
  readonly connection: Connection
  /** Stops checking. Connections stay as they are. */
  readonly stop: () => void
}

/** A client of the right class. It is not connected yet. */
export const newClient = (connection: Connection, more: ClientConfig = {}): Client =>
  new (connection.Client ?? Client)({ ...connection, ...more })

const severalServers = /^(postgres(?:ql)?:\/\/(?:[^@/?#]*@)?)([^/?#]+)(.*)$/i

/**
 * The servers of an address, one address each. Several are written one after the other, as libpq has it:
 * `postgres://login:password@one.example.com:5432,two.example.com:5432/tour_operations`.
 *
 * @see https://www.postgresql.org/docs/current/libpq-connect.html#LIBPQ-CONNSTRING-URIS
 */
export function serversOf(url: string): string[] {
  const [, start = '', hosts = '', rest = ''] = severalServers.exec(url) ?? []
  return hosts.includes(',') ? hosts.split(',').map((host) => start + host + rest) : [url]
}

/**
 * Connects to the one server of an address that takes writes, and follows when another one does: a standby that was promoted. An address with
 * one server is used as it is.
 */
export function followPrimary(url: string, log: Logger): FollowedAddress {
  const [first = url, ...more] = serversOf(url)
  if (more.length === 0) return { connection: { connectionString: url }, stop: () => undefined }
  const watch = new PrimaryWatch([first, ...more], log)
  return { connection: { connectionString: first, Client: watch.clientClass() }, stop: () => watch.stop() }
}

/** A lost primary is noticed, and its successor found, well within ten seconds. */
const lookEveryMs = 2_000
const answerWithinMs = 1_500

/**
 * SQL of the timeline on which a server writes, eight hexadecimal digits; null for a standby. A promotion begins a new one, and gives
 * transaction numbers again that the former primary had given to what never reached the standby.
 */
export const timelineSql = `case when not pg_is_in_recovery() then left(pg_walfile_name(pg_current_wal_lsn()), 8) end`

/** Of two servers that take writes, the one with the newer timeline is the primary. */
const timelineQuery = `select ('x' || ${timelineSql})::bit(32)::bigint as timeline`

interface Server {
  readonly url: string
  readonly host: string
  readonly port: number
}

class PrimaryWatch {
  readonly #servers: readonly Server[]
  readonly #log: Logger
  readonly #timer: NodeJS.Timeout
  readonly #connected = new Map<Client, Server>()
  #primary: Server | undefined
  #looking: Promise<Server | undefined> | undefined

  constructor(urls: readonly string[], log: Logger) {
    this.#log = log
    this.#servers = urls.map((url) => {
      const { host, port } = new Client({ connectionString: url })
      return { url, host, port }
    })
    this.#timer = setInterval(() => void this.#look(), lookEveryMs)
    this.#timer.unref()
  }

  stop(): void {
    clearInterval(this.#timer)
  }

  /** Clients that connect to whichever server is the primary at that moment. */
  clientClass(): typeof Client {
    const goToPrimary = (client: Client): Promise<void> => this.#goToPrimary(client)
    return class FollowingClient extends Client {
      override connect(): Promise<Client>
      override connect(callback: (error: Error) => void): void
      override connect(callback?: (error: Error) => void): Promise<Client> | void {
        const connected = goToPrimary(this).then(() => super.connect())
        if (!callback) return connected
        // "no error" is a success for the pool, whatever the types of the library say
        connected.then(() => callback(undefined as unknown as Error), callback)
      }
    }
  }

  async #goToPrimary(client: Client): Promise<void> {
    const server = this.#primary ?? (await this.#look())
    if (!server) throw new Error(`None of the database servers takes writes: ${this.#servers.map(nameOf).join(', ')}`)
    Object.assign(client, { host: server.host, port: server.port })
    this.#connected.set(client, server)
    client.once('end', () => this.#connected.delete(client))
  }

  /** Asks every server. Connections to one that is no longer the primary are broken: they may hang for minutes by themselves. */
  #look(): Promise<Server | undefined> {
    this.#looking ??= this.#findPrimary().finally(() => {
      this.#looking = undefined
    })
    return this.#looking
  }

  async #findPrimary(): Promise<Server | undefined> {
    const answers = await Promise.all(
      this.#servers.map(async (server) => ({ server, timeline: await timelineOf(server) })),
    )
    const primaries = answers.filter(({ timeline }) => timeline !== null)
    const found = primaries.toSorted((a, b) => Number(b.timeline) - Number(a.timeline))[0]?.server
    if (found && found !== this.#primary) {
      if (this.#connected.size > 0)
        this.#log.warn({ server: nameOf(found) }, 'another database server is the primary now')
      for (const [client, server] of this.#connected) if (server !== found) breakOff(client)
    }
    this.#primary = found
    return found
  }
}

const nameOf = ({ host, port }: Server): string => `${host}:${port}`

/** Null also where the server does not answer: then it is no primary for us. */
async function timelineOf({ url }: Server): Promise<number | null> {
  const client = new Client({
    connectionString: url,
    connectionTimeoutMillis: answerWithinMs,
    query_timeout: answerWithinMs,
    application_name: 'tour-operations watch',
  })
  // a failure rejects what is awaited as well; this only keeps the event from ending the process
  client.on('error', () => undefined)
  try {
    await client.connect()
    const { rows } = await client.query<{ timeline: number | null }>(timelineQuery)
    await client.end()
    return rows[0]?.timeline ?? null
  } catch {
    breakOff(client)
    return null
  }
}

/** Without a word to the server, which may not be listening. */
function breakOff(client: Client): void {
  const { connection } = client as unknown as { connection: { stream: { destroy(): void } } }
  connection.stream.destroy()
}
