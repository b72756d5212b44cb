import { FetchError } from 'ofetch'
import { describe, expect, test, vi } from 'vitest'
import { neverRetriedMethods, retriedStatuses } from './constants.ts'
import { makeHttpClient } from './http-client.ts'

const methods = ['GET', 'HEAD', 'OPTIONS', 'PATCH', 'POST', 'PUT', 'DELETE']
const statuses = [400, 401, 404, 408, 409, 425, 429, 500, 501, 502, 503, 504, 599]

/** A server that answers everything with one status, and counts. */
function answering(status: number) {
  const fetch = vi.fn<typeof globalThis.fetch>(async () => new Response('{}', { status }))
  return { fetch, http: makeHttpClient('https://operator.test/api', fetch) }
}

describe('the retry table of the spec, section 7', () => {
  for (const method of methods) {
    for (const status of statuses) {
      const isRepeated = retriedStatuses.includes(status) && !neverRetriedMethods.includes(method)
      test(`${method} ${status} is sent ${isRepeated ? 'twice' : 'once'} and raises an error`, async () => {
        const { fetch, http } = answering(status)
        const failed = await http('/x', { method }).catch((error: unknown) => error)
        expect(failed).toBeInstanceOf(FetchError)
        expect((failed as FetchError).status).toBe(status)
        expect(fetch).toHaveBeenCalledTimes(isRepeated ? 2 : 1)
      })
    }
  }
})

test('a safe request goes through when the second answer is good', async () => {
  const fetch = vi.fn<typeof globalThis.fetch>()
  fetch.mockResolvedValueOnce(new Response('', { status: 503 }))
  fetch.mockResolvedValueOnce(Response.json({ ok: true }))
  expect(await makeHttpClient('https://operator.test/api', fetch)('/x')).toEqual({ ok: true })
})

test('addresses start at the base URL of the page configuration', async () => {
  const { fetch, http } = answering(200)
  await http('/tours-list')
  expect(fetch.mock.calls[0]?.[0]).toBe('https://operator.test/api/tours-list')
})
