import { liveFrameEvents, type LiveFrame } from '@tour-ops/contract/live/documents'

/** One event of a `text/event-stream`, as the HTML standard reads it (comments and `retry` are left out). */
interface EventFrame {
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

/** The live frames in a text of whole events, and the id of the last event that has one. Events of a newer server are passed over. */
export function framesIn(text: string): { readonly frames: readonly LiveFrame[]; readonly lastId: string | null } {
  const events = text.split(separator).flatMap((block) => (block === '' ? [] : [parseFrame(block)]))
  return {
    frames: events.flatMap((event) => liveFrameOf(event) ?? []),
    lastId: events.findLast(({ id }) => id)?.id ?? null,
  }
}

/** Ends an event. */
const separator = '\n\n'

/** Reads a response body as it arrives, whatever way the network cuts it: texts of whole events, one for a chunk. */
export async function* readEvents(
  body: ReadableStream<Uint8Array>,
  onChunk: () => void = () => {},
): AsyncGenerator<string> {
  const reader = body.getReader()
  const decoder = new TextDecoder()
  let rest = ''
  try {
    for (;;) {
      const { done, value } = await reader.read()
      if (done) return
      onChunk()
      rest += decoder.decode(value, { stream: true }).replaceAll('\r', '')
      const end = rest.lastIndexOf(separator)
      if (end < 0) continue
      const whole = rest.slice(0, end)
      rest = rest.slice(end + separator.length)
      yield whole
    }
  } finally {
    reader.releaseLock()
  }
}

const known: ReadonlySet<string> = new Set(liveFrameEvents)

/** Undefined for events of a newer server. */
function liveFrameOf({ event, data }: EventFrame): LiveFrame | undefined {
  return known.has(event) ? ({ event, data: JSON.parse(data) } as LiveFrame) : undefined
}
