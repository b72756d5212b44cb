import { expect, test, vi } from 'vitest'
import { FakeBrowser, fakeServer } from './documents-testing.ts'
import { LiveStream } from './live-stream.ts'

test('a browser that is told much at once draws in between', async () => {
  const server = fakeServer()
  const done: string[] = []
  let now = 0
  const stream = new LiveStream({
    url: '/api/live/listen',
    token: async () => 'token',
    env: {
      ...new FakeBrowser().tab('one', server),
      now: () => now,
      rest: async (ms) => void done.push(`rest of ${ms}`),
    },
    onFrames: (frames) => {
      done.push(...frames.map(({ event }) => event))
      now += 4
    },
    onConnection: () => {},
    onRefused: () => {},
  })
  stream.setTargets(['orgs/north/positions'])
  await vi.waitFor(() => expect(server.streams).toHaveLength(1))
  for (let count = 0; count < 4; count += 1) server.open().send({ event: 'ping', data: {} })
  await vi.waitFor(() => expect(done).toEqual(['ping', 'ping', 'rest of 4', 'ping', 'ping', 'rest of 4']))
  stream.close()
})
