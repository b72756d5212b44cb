import { expect, test } from 'vitest'
import { liveFrameOf, readEventFrames, type EventFrame } from './event-frames.ts'

async function read(...chunks: (string | Uint8Array)[]): Promise<EventFrame[]> {
  const encoder = new TextEncoder()
  const body = new ReadableStream<Uint8Array>({
    start: (controller) => {
      for (const chunk of chunks) controller.enqueue(typeof chunk === 'string' ? encoder.encode(chunk) : chunk)
      controller.close()
    },
  })
  const events: EventFrame[] = []
  for await (const event of readEventFrames(body)) events.push(event)
  return events
}

test('events are read however the network cuts them', async () => {
  const text = 'id: 7\nevent: document\ndata: {"a":1}\n\n: comment\n\nevent: ping\r\ndata: {}\r\n\r\n'
  const whole = await read(text)
  expect(whole).toEqual([
    { id: '7', event: 'document', data: '{"a":1}' },
    { id: null, event: 'message', data: '' },
    { id: null, event: 'ping', data: '{}' },
  ])
  expect(await read(...text)).toEqual(whole)
})

test('a character of several bytes may be split between chunks', async () => {
  const bytes = new TextEncoder().encode('data: "Reykjavík"\n\n')
  const cut = bytes.findIndex((byte) => byte > 127) + 1
  expect(await read(bytes.slice(0, cut), bytes.slice(cut))).toEqual([
    { id: null, event: 'message', data: '"Reykjavík"' },
  ])
})

test('an event that is not complete is not read', async () => {
  expect(await read('event: ping\ndata: {}\n')).toEqual([])
})

test('events of a newer server are passed over', () => {
  expect(liveFrameOf({ id: null, event: 'novelty', data: 'not even JSON' })).toBeUndefined()
  expect(liveFrameOf({ id: null, event: 'removed', data: '{"path":"a/b"}' })).toEqual({
    event: 'removed',
    data: { path: 'a/b' },
  })
})
