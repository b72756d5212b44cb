import { once } from 'node:events'
import http from 'node:http'
import { livePath } from '@tour-ops/contract/live/live-paths'
import { takesPositionTables } from '@tour-ops/contract/live/position-table'
import type { ScreenReader } from './board-screen.ts'

/** A map as one person has it open: what has come over the line since then. */
export interface MapScreen {
  readonly bytes: number
  /** Whether the server has ended it. */
  readonly isEnded: boolean
  close(): void
}

/** What all of them were sent so far. */
export const bytesOf = (maps: readonly MapScreen[]): number => maps.reduce((sum, { bytes }) => sum + bytes, 0)

/** Opens the stream as a browser does, and counts what comes without reading it: a browser's own work is not what is measured. */
export async function openMap({ base, orgId, bearer }: ScreenReader): Promise<MapScreen> {
  const body = JSON.stringify({ targets: [livePath.positions(orgId)] })
  const request = http.request(`${base}/api/live/listen`, {
    method: 'POST',
    agent: false,
    headers: {
      accept: takesPositionTables,
      'content-type': 'application/json',
      'content-length': Buffer.byteLength(body),
      'accept-encoding': 'gzip, deflate, br',
      authorization: `Bearer ${bearer}`,
    },
  })
  request.end(body)
  const [response] = (await once(request, 'response')) as [http.IncomingMessage]
  if (response.statusCode !== 200) throw new Error(`A stream was answered with ${response.statusCode}.`)
  let bytes = 0
  let isEnded = false
  response.on('data', (chunk: Buffer) => (bytes += chunk.length))
  response.on('close', () => (isEnded = true))
  // the bench itself ends streams, and an aborted stream is an error for its reader
  response.on('error', () => response.destroy())
  return {
    get bytes() {
      return bytes
    },
    get isEnded() {
      return isEnded
    },
    close: () => request.destroy(),
  }
}
