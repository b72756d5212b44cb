import { expect, test } from 'vitest'
import { framesIn, readEvents } from './event-frames.ts'

/** The texts of whole events that come out of a body in these chunks. */
async function read(...chunks: (string | Uint8Array)[]): Promise<string[]> {
  const encoder = new TextEncoder()
  const body = new ReadableStream<Uint8Array>({
    start: (controller) => {
      for (const chunk of chunks) controller.enqueue(typeof chunk === 'string' ? encoder.encode(chunk) : chunk)
      controller.close()
    },
  })
  const texts: string[] = []
  for await (const text of readEvents(body)) texts.push(text)
  return texts
}

const removed = { event: 'removed', data: { path: 'a/b' } }
const ping = { event: 'ping', data: {} }

test('events are read however the network cuts them', async () => {
  const text =
    'id: 7\nevent: removed\ndata: {"path":"a/b"}\n\n: comment\n\nevent: ping\r\ndata: {}\r\n\r\nevent: removed\ndata: {"path":\ndata: "a/b"}\n\n'
  const whole = await read(text)
  expect(whole).toHaveLength(1)
  expect(framesIn(whole[0] ?? '')).toEqual({ frames: [removed, ping, removed], lastId: '7' })
  const cut = await read(...text)
  expect(cut.flatMap((one) => framesIn(one).frames)).toEqual([removed, ping, removed])
  expect(cut.map((one) => framesIn(one).lastId)).toContain('7')
})

test('what is whole with one chunk comes together, with the last id in it', async () => {
  const event = (id: number) => `id: ${id}\nevent: ping\ndata: {}\n\n`
  const texts = await read(event(1) + event(2), `${event(3)}id: 4\nevent: pi`, 'ng\ndata: {}\n\n')
  expect(texts.map((text) => [framesIn(text).frames.length, framesIn(text).lastId])).toEqual([
    [2, '2'],
    [1, '3'],
    [1, '4'],
  ])
})

test('a character of several bytes may be split between chunks', async () => {
  const bytes = new TextEncoder().encode('event: removed\ndata: {"path":"Reykjavík"}\n\n')
  const cut = bytes.findIndex((byte) => byte > 127) + 1
  const [text = ''] = await read(bytes.slice(0, cut), bytes.slice(cut))
  expect(framesIn(text).frames).toEqual([{ event: 'removed', data: { path: 'Reykjavík' } }])
})

test('an event that is not complete is not read', async () => {
  expect(await read('event: ping\ndata: {}\n')).toEqual([])
})

test('events of a newer server are passed over', () => {
  expect(framesIn('event: novelty\ndata: not even JSON\n\nevent: ping\ndata: {}').frames).toEqual([ping])
})
