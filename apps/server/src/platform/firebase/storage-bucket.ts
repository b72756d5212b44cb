import { Readable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import type { FirebaseSettings } from '@tour-ops/contract/page-config'
import { serviceTokenOf } from './service-token.ts'

export interface BucketObject {
  readonly name: string
  readonly size: number
  readonly createdAt: Date
}

/** The bucket of the installation, with the rights of the server's own account: no rule binds it. */
export interface Bucket {
  /** Keeps a content under a name; one that is there already stays as it is. */
  put(name: string, content: Blob): Promise<void>
  /** Undefined when there is no such object. */
  find(name: string): Promise<BucketObject | undefined>
  /** Undefined when there is no such object. @param range First and last byte, both included. */
  open(name: string, range?: { start: number; end: number }): Promise<Readable | undefined>
  /** Of an object that is not there, too. */
  remove(name: string): Promise<void>
  list(prefix: string): AsyncIterable<BucketObject>
}

interface BucketOptions {
  readonly name: string
  /** Gives the bearer of the service account. */
  readonly accessToken: () => Promise<string>
  /** Start of the REST addresses; a stand-in has another. */
  readonly baseUrl?: string
  /** Wait before the first repetition; it doubles. */
  readonly firstDelayMs?: number
}

/** How often one request is sent; after that the caller, a person or a job, may try again. */
const attempts = 4

/**
 * Cloud Storage by its JSON interface. Every request here may be sent twice, so what was interrupted is repeated.
 *
 * @see https://cloud.google.com/storage/docs/json_api
 * @see https://cloud.google.com/storage/docs/retry-strategy
 */
export function openBucket(options: BucketOptions): Bucket {
  const { name: bucket, accessToken, baseUrl = 'https://storage.googleapis.com', firstDelayMs = 500 } = options
  const objects = `/storage/v1/b/${encodeURIComponent(bucket)}/o`
  const addressOf = (name: string) => `${objects}/${encodeURIComponent(name)}`

  const attempt = async (path: string, init: RequestInit): Promise<Response> => {
    const headers = { ...(init.headers as Record<string, string>), authorization: `Bearer ${await accessToken()}` }
    return fetch(`${baseUrl}${path}`, { ...init, headers })
  }
  const send = async (path: string, accepted: readonly number[], init: RequestInit = {}): Promise<Response> => {
    let delayMs = firstDelayMs
    for (let left = attempts - 1; ; left -= 1) {
      const response = await attempt(path, init).catch((error: unknown) => {
        if (left === 0) throw error
        return undefined
      })
      if (response && (response.ok || accepted.includes(response.status))) return response
      if (response && (left === 0 || !mayPass(response.status))) throw await refusalOf(init.method ?? 'GET', response)
      await response?.body?.cancel()
      await sleep(delayMs)
      delayMs *= 2
    }
  }
  return {
    async put(name, content) {
      const query = new URLSearchParams({ uploadType: 'media', name, ifGenerationMatch: '0' })
      const path = `/upload${objects}?${query.toString()}`
      // 412: it is there already
      const response = await send(path, [412], {
        method: 'POST',
        body: content,
        headers: { 'content-type': 'application/octet-stream' },
      })
      await response.body?.cancel()
    },
    async find(name) {
      const response = await send(`${addressOf(name)}?fields=name,size,timeCreated`, [404])
      if (response.ok) return objectOf((await response.json()) as WireObject)
      await response.body?.cancel()
      return undefined
    },
    async open(name, range) {
      const headers = range ? { range: `bytes=${range.start}-${range.end}` } : {}
      const response = await send(`${addressOf(name)}?alt=media`, [404], { headers })
      if (response.ok && response.body) return Readable.from(response.body)
      await response.body?.cancel()
      return undefined
    },
    async remove(name) {
      const response = await send(addressOf(name), [404], { method: 'DELETE' })
      await response.body?.cancel()
    },
    async *list(prefix) {
      let pageToken: string | undefined
      do {
        const fields = 'items(name,size,timeCreated),nextPageToken'
        const query = new URLSearchParams({ prefix, fields, ...(pageToken === undefined ? {} : { pageToken }) })
        const page = (await (await send(`${objects}?${query.toString()}`, [])).json()) as WirePage
        yield* (page.items ?? []).map(objectOf)
        pageToken = page.nextPageToken
      } while (pageToken !== undefined)
    },
  }
}

/** The bucket of the configuration; a stand-in where the configuration names one. */
export function bucketOf(settings: FirebaseSettings): Bucket {
  const { project, local } = settings
  const baseUrl = local ? { baseUrl: `http://${local.storage.host}:${local.storage.port}` } : {}
  return openBucket({ name: project.storageBucket, accessToken: serviceTokenOf(settings), ...baseUrl })
}

/** Source: Cloud Storage, "Retry strategy", the response codes that may be retried. */
const mayPass = (status: number): boolean => status === 408 || status === 429 || status >= 500

interface WireObject {
  readonly name: string
  /** A number as text. */
  readonly size: string
  readonly timeCreated: string
}
interface WirePage {
  readonly items?: readonly WireObject[]
  readonly nextPageToken?: string
}

const objectOf = ({ name, size, timeCreated }: WireObject): BucketObject => ({
  name,
  size: Number(size),
  createdAt: new Date(timeCreated),
})

const refusalOf = async (method: string, response: Response): Promise<Error> =>
  new Error(`The bucket refused ${method}: ${response.status} ${(await response.text()).slice(0, 500)}`)
