import { callable } from '@tour-ops/contract/callable'
import { AppError, errorCodes, httpStatusOf, wireStatusOf } from '@tour-ops/contract/errors'
import { describe, expect, test, vi } from 'vitest'
import * as z from 'zod/mini'
import { fetchWithTokens, type BrowserTokens } from './call-headers.ts'
import { makeCallableClient } from './callable-client.ts'
import { makeHttpBackend, type HttpBackendParts } from './http.ts'
import { makeHttpClient } from './http-client.ts'

const listTours = callable({
  name: 'tours-list',
  kind: 'read',
  permission: 'tours:read',
  summary: 'Tours.',
  topics: [],
  input: z.object({ q: z.string() }),
  output: z.object({ total: z.number() }),
})

type Fetch = typeof globalThis.fetch

function clientOver(
  fetch: Fetch,
  bearerOf: (renew: boolean) => string | undefined = () => 'token-1',
  timeoutMs?: number,
) {
  return makeCallableClient(
    makeHttpClient('https://operator.test/api', fetch),
    async (renew) => bearerOf(renew),
    timeoutMs,
  )
}

const refusal = (status: number, body: unknown, headers: Record<string, string> = {}) =>
  vi.fn<Fetch>(async () => Response.json(body, { status, headers }))

const hanging = vi.fn<Fetch>(
  (_input, init) =>
    new Promise((_resolve, reject) =>
      init?.signal?.addEventListener('abort', () => reject(init.signal?.reason as Error)),
    ),
)

test('the input travels as data, and the name is the end of the address', async () => {
  const fetch = vi.fn<Fetch>(async () => Response.json({ result: { total: 3 } }))
  expect(await clientOver(fetch)(listTours, { q: 'gold' })).toEqual({ total: 3 })
  const [url, init] = fetch.mock.calls[0] ?? []
  expect(url).toBe('https://operator.test/api/tours-list')
  expect(init?.method).toBe('POST')
  expect(JSON.parse(init?.body as string)).toEqual({ data: { q: 'gold' } })
})

test('an answer under "data" is understood as well', async () => {
  const fetch = vi.fn<Fetch>(async () => Response.json({ data: { total: 4 } }))
  expect(await clientOver(fetch)(listTours, { q: '' })).toEqual({ total: 4 })
})

test('bearer, messaging-instance and app-check headers are sent where they are known, and no others', async () => {
  const fetch = vi.fn<Fetch>(async () => Response.json({ result: { total: 0 } }))
  const headersWith = async (bearer: string | undefined, tokens: BrowserTokens) => {
    await clientOver(
      fetchWithTokens(async () => tokens, fetch),
      () => bearer,
    )(listTours, { q: '' })
    const {
      accept: _accept,
      'content-type': type,
      ...rest
    } = Object.fromEntries(fetch.mock.lastCall?.[1]?.headers as Headers)
    expect(type).toBe('application/json')
    return rest
  }
  expect(await headersWith('b', { messagingInstance: 'i', appCheck: 'a' })).toEqual({
    authorization: 'Bearer b',
    'firebase-instance-id-token': 'i',
    'x-firebase-appcheck': 'a',
  })
  expect(await headersWith(undefined, {})).toEqual({})
})

describe('status mapping', () => {
  for (const code of errorCodes.filter((each) => each !== 'unauthenticated')) {
    test(`${wireStatusOf(code)} is ${code}`, async () => {
      const body = { error: { status: wireStatusOf(code), message: 'Said by the server.', details: { reason: 'why' } } }
      const call = clientOver(refusal(httpStatusOf[code], body))(listTours, { q: '' })
      await expect(call).rejects.toMatchObject({ code, message: 'Said by the server.', details: { reason: 'why' } })
    })

    test(`a bare ${httpStatusOf[code]} is ${code}`, async () => {
      const call = clientOver(refusal(httpStatusOf[code], '', { 'x-request-id': 'req-7' }))(listTours, { q: '' })
      await expect(call).rejects.toMatchObject({ code, details: { requestId: 'req-7' } })
    })
  }

  test('an unknown status is internal', async () => {
    await expect(clientOver(refusal(418, ''))(listTours, { q: '' })).rejects.toMatchObject({ code: 'internal' })
  })
})

test('a refused token is renewed once, and the call sent again with the new one', async () => {
  const fetch = vi.fn<Fetch>()
  fetch.mockResolvedValueOnce(Response.json({ error: { status: 'UNAUTHENTICATED', message: '' } }, { status: 401 }))
  fetch.mockResolvedValueOnce(Response.json({ result: { total: 1 } }))
  const call = clientOver(fetch, (renew) => (renew ? 'new' : 'old'))(listTours, { q: '' })
  expect(await call).toEqual({ total: 1 })
  expect(new Headers(fetch.mock.calls[1]?.[1]?.headers).get('authorization')).toBe('Bearer new')
})

test('a token that is refused twice is the end of it', async () => {
  const fetch = refusal(401, { error: { status: 'UNAUTHENTICATED', message: 'Sign in to go on.' } })
  await expect(clientOver(fetch)(listTours, { q: '' })).rejects.toMatchObject({ code: 'unauthenticated' })
  expect(fetch).toHaveBeenCalledTimes(2)
})

test('our own server has 70 s to answer, as the backend is composed', async () => {
  const timeout = vi.spyOn(AbortSignal, 'timeout')
  const nothing = (): never => {
    throw new Error('not needed here')
  }
  const backend = makeHttpBackend({
    config: { baseUrl: 'https://operator.test/api' },
    fetch: async () => Response.json({ result: { total: 1 } }),
    documents: () => ({}) as ReturnType<HttpBackendParts['documents']>,
    files: async () => ({ upload: nothing, link: nothing }),
  })
  expect(await backend.call(listTours, { q: '' })).toEqual({ total: 1 })
  expect(timeout.mock.calls).toEqual([[70_000]])
  timeout.mockRestore()
})

test('a server that does not answer in time is deadline-exceeded', async () => {
  await expect(clientOver(hanging, undefined, 20)(listTours, { q: '' })).rejects.toMatchObject({
    code: 'deadline-exceeded',
  })
})

test("the caller's abort is cancelled", async () => {
  const abort = new AbortController()
  const call = clientOver(hanging)(listTours, { q: '' }, { signal: abort.signal })
  setTimeout(() => abort.abort(), 5)
  await expect(call).rejects.toMatchObject({ code: 'cancelled' })
})

test('a broken connection is unavailable and says so', async () => {
  const fetch = vi.fn<Fetch>(async () => {
    throw new TypeError('fetch failed')
  })
  const error = await clientOver(fetch)(listTours, { q: '' }).catch((thrown: unknown) => thrown)
  expect(error).toBeInstanceOf(AppError)
  expect(error).toMatchObject({ code: 'unavailable', details: { reason: 'network' } })
  expect(fetch).toHaveBeenCalledTimes(1)
})
