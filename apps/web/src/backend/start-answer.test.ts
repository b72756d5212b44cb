import type { StartedAnswer } from '@tour-ops/contract/start'
import { expect, test, vi } from 'vitest'
import { fetchFromStart, startOf } from './start-answer.ts'

const session: StartedAnswer = { method: 'GET', path: '/auth/get-session', answer: { session: { id: 's' } } }
const overview: StartedAnswer = {
  method: 'POST',
  path: '/overview-get',
  body: { data: {} },
  answer: { result: 'start' },
}

function world({ answers = [session, overview], status = 200, path = '/dashboard/overview', hasStart = true } = {}) {
  const clock = { now: 0 }
  const network = vi.fn<typeof globalThis.fetch>(async (input) =>
    addressOf(input).startsWith('/api/start') ? Response.json({ answers }, { status }) : Response.json('network'),
  )
  const screen = startOf({ hasStart }, { pathname: path, search: '' })
  const send = fetchFromStart({ config: { baseUrl: '/api' }, screen, fetch: network, now: () => clock.now })
  const ask = async (address: string, init?: RequestInit) => (await send(address, init)).json() as Promise<unknown>
  const asked = () => network.mock.calls.map(([input]) => addressOf(input))
  return { clock, ask, asked }
}

const addressOf = (input: RequestInfo | URL): string => (typeof input === 'string' ? input : '')

const askOverview = { method: 'POST', body: '{"data":{}}' }

test('the first requests are answered by the start, each once', async () => {
  const { ask, asked } = world()
  expect(await ask('/api/auth/get-session')).toEqual(session.answer)
  expect(await ask('/api/overview-get', askOverview)).toEqual(overview.answer)
  expect(asked()).toEqual(['/api/start?screen=overview'])
  expect(await ask('/api/overview-get', askOverview)).toBe('network')
})

test('another input is another question, and nothing of the start is used after it', async () => {
  const { ask } = world()
  expect(await ask('/api/overview-get', { method: 'POST', body: '{"data":{"localDate":"2026-11-20"}}' })).toBe(
    'network',
  )
  expect(await ask('/api/auth/get-session')).toBe('network')
})

test('looking again who is here ends it: the rest would be about the person before', async () => {
  const { ask } = world()
  await ask('/api/auth/get-session')
  expect(await ask('/api/auth/get-session')).toBe('network')
  expect(await ask('/api/overview-get', askOverview)).toBe('network')
})

test('after five seconds everything is asked by itself', async () => {
  const { ask, clock } = world()
  expect(await ask('/api/auth/get-session')).toEqual(session.answer)
  clock.now = 5_001
  expect(await ask('/api/overview-get', askOverview)).toBe('network')
})

test('a start that fails, and one without answers, leave everything as it is', async () => {
  for (const state of [{ status: 403 }, { status: 503 }, { answers: [] }]) {
    expect(await world(state).ask('/api/auth/get-session')).toBe('network')
  }
})

test('what is no part of a start neither waits for it nor ends it', async () => {
  const { ask } = world()
  expect(await ask('/api/live/listen')).toBe('network')
  expect(await ask('/api/auth/get-session')).toEqual(session.answer)
})

test('pages for everybody, and servers without it, ask nothing of the kind', async () => {
  for (const where of [{ path: '/sign-in' }, { hasStart: false }]) {
    const { ask, asked } = world(where)
    expect(await ask('/api/auth/get-session')).toBe('network')
    expect(asked()).toEqual(['/api/auth/get-session'])
  }
})
