import { liveFrameEvents, type LiveFrame } from '@tour-ops/contract/live/documents'

/** One event of a `text/event-stream`, as the HTML standard reads it (comments and `retry` are left out). */
export interface EventFrame {
  readonly id: string | null
  readonly event: string
  readonly data: string
}

function parseFrame(block: string): EventFrame {
  let id: string | null = null
  let event = 'message'
  const data: string[] = []
  for (const line of block.split('\n')) {
    const colon = line.indexOf(':')
    const field = colon < 0 ? line : line.slice(0, colon)
    const value = colon < 0 ? '' : line.slice(colon + (line[colon + 1] === ' ' ? 2 : 1))
    if (field === 'id') id = value
    else if (field === 'event') event = value
    else if (field === 'data') data.push(value)
  }
  return { id, event, data: data.join('\n') }
}

/** Reads events from a response body as they arrive, whatever way the network cuts them. */
export async function* readEventFrames(
  body: ReadableStream<Uint8Array>,
  onChunk: () => void = () => {},
): AsyncGenerator<EventFrame> {
  const reader = body.getReader()
  const decoder = new TextDecoder()
  let rest = ''
  try {
    for (;;) {
      const { done, value } = await reader.read()
      if (done) return
      onChunk()
      rest += decoder.decode(value, { stream: true }).replaceAll('\r', '')
      const blocks = rest.split('\n\n')
      rest = blocks.pop() ?? ''
      for (const block of blocks) if (block !== '') yield parseFrame(block)
    }
  } finally {
    reader.releaseLock()
  }
}

const known: ReadonlySet<string> = new Set(liveFrameEvents)

/** The live frame inside an event; undefined for events of a newer server, which are passed over. */
export function liveFrameOf({ event, data }: EventFrame): LiveFrame | undefined {
  return known.has(event) ? ({ event, data: JSON.parse(data) } as LiveFrame) : undefined
}
