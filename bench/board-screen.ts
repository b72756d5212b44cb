import http from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { livePath } from '@tour-ops/contract/live/live-paths'
import { getOverview } from '@tour-ops/contract/overview/overview'
import { listen } from './listeners.ts'

/** As a browser reads a query again: `apps/web/src/backend/refresh.ts`. */
const mergeMs = 250

/** The overview as one person has it open. */
export interface BoardScreen {
  /** Milliseconds from hearing of a change to the answer that was asked after it. */
  readonly waits: readonly number[]
  forget(): void
  /** Ends it as soon as the answer on its way is there. @throws What a read of it failed with. */
  close(): Promise<void>
}

/** Who has a screen open, and where. */
export interface ScreenReader {
  readonly base: string
  readonly orgId: string
  readonly bearer: string
}

/** A board as a browser keeps it: it listens to what its query is made of, and reads again at most four times a second. */
export async function openBoard({ base, orgId, bearer }: ScreenReader, agent: http.Agent): Promise<BoardScreen> {
  const headers = { authorization: `Bearer ${bearer}` }
  let waits: number[] = []
  let heardAt: number | null = null
  let reading: Promise<void> | null = null
  const read = async (): Promise<void> => {
    for (let since = heardAt; since !== null; since = heardAt) {
      heardAt = null
      const askedAt = performance.now()
      await post(`${base}/api/${getOverview.name}`, headers, agent)
      waits.push(performance.now() - since)
      await sleep(Math.max(0, askedAt + mergeMs - performance.now()))
    }
    reading = null
  }
  const targets = (getOverview.topics ?? []).map((topic) => livePath.changes(orgId, topic))
  const stream = await listen(`${base}/api/live/listen`, headers, JSON.stringify({ targets }), (text) => {
    if (!text.includes('event: document')) return
    heardAt ??= performance.now()
    reading ??= read()
  })
  return {
    get waits() {
      return waits
    },
    forget: () => (waits = []),
    close: async () => {
      stream.close()
      heardAt = null
      await reading
    },
  }
}

/** Asks and drops the answer: a browser's own work is not what is measured. */
function post(url: string, headers: Readonly<Record<string, string>>, agent: http.Agent): Promise<void> {
  return new Promise((resolve, reject) => {
    const request = http.request(url, {
      method: 'POST',
      agent,
      headers: { 'content-type': 'application/json', 'accept-encoding': 'gzip, deflate, br', ...headers },
    })
    request.on('error', reject)
    request.on('response', (response) => {
      if (response.statusCode !== 200) reject(new Error(`${url} answered ${response.statusCode}`))
      response.on('end', resolve).on('error', reject).resume()
    })
    request.end('{"data":{}}')
  })
}
