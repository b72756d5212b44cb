import type { Page } from '@playwright/test'
import type { DocumentSnapshot } from '@tour-ops/contract/live/documents'
import { type LivePosition, matchLivePath } from '@tour-ops/contract/live/live-paths'
import { documentsInTable, type PositionTable } from '@tour-ops/contract/live/position-table'
import { metersBetween } from '@tour-ops/contract/tracking/arrivals/travel'

// The positions that a page received: the bytes of its own stream, read in parallel.

declare global {
  interface Window {
    streamedText?: string
  }
}

/** Keeps what streams bring to pages that are opened from now on. */
export async function keepStreams(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const ask = window.fetch.bind(window)
    window.streamedText = ''
    window.fetch = async (input, init) => {
      const answer = await ask(input, init)
      if (!answer.url.endsWith('/api/live/listen') || !answer.body) return answer
      const [theirs, ours] = answer.body.tee()
      void ours
        .pipeThrough(new TextDecoderStream())
        .pipeTo(
          new WritableStream({
            write: (text) => {
              window.streamedText += text
            },
          }),
        )
        .catch(() => undefined)
      return new Response(theirs, answer)
    }
  })
}

/** Positions that the page received, oldest first. */
async function heardPositions(page: Page): Promise<readonly LivePosition[]> {
  const text = await page.evaluate(() => window.streamedText ?? '')
  // the last line may be on its way
  const lines = text.slice(0, text.lastIndexOf('\n')).split('\n')
  return lines
    .filter((line) => line.startsWith('data: '))
    .flatMap((line) => positionsIn(JSON.parse(line.slice('data: '.length)) as Heard))
}

/** What the data of an event may be. */
type Heard = Partial<DocumentSnapshot> & Partial<PositionTable>

const positionsIn = ({ path = '', data = null, collection, columns }: Heard): LivePosition[] => {
  const documents = collection && columns ? documentsInTable({ collection, columns }) : [{ path, data }]
  return documents.flatMap((document) =>
    document.data && matchLivePath(document.path)?.name === 'positions'
      ? [document.data as unknown as LivePosition]
      : [],
  )
}

/** The distance of the farthest mover since the page first received them, meters. */
export async function farthestMoved(page: Page): Promise<number> {
  const first = new Map<string, LivePosition>()
  const ways = (await heardPositions(page)).map((position) => {
    const from = first.get(position.subjectId) ?? position
    first.set(position.subjectId, from)
    return metersBetween(from, position)
  })
  return Math.max(0, ...ways)
}
