import type { DocumentQuery } from '@tour-ops/contract/live/documents'
import { expect, test, vi } from 'vitest'
import { firestoreRest } from './firestore-rest.ts'

// The words of the wire. That they lead to the same answers as our own server's: documents-contract.test.ts.

/** Keeps what is sent; each request gets the next answer, the last one stays. */
function wire(...answers: (unknown[] | Error)[]) {
  const sent: { url: string; headers: Headers; body: Record<string, unknown> }[] = []
  const fetch: typeof globalThis.fetch = async (input, init) => {
    const url = input instanceof Request ? input.url : input.toString()
    const body = JSON.parse(typeof init?.body === 'string' ? init.body : '{}') as Record<string, unknown>
    sent.push({ url, headers: new Headers(init?.headers), body })
    const answer = answers.length > 1 ? answers.shift() : answers[0]
    if (answer instanceof Error) throw answer
    return Response.json(answer ?? [])
  }
  const headers = async () => ({ authorization: 'Bearer token', 'x-firebase-appcheck': 'proof' })
  return { sent, rest: firestoreRest({ origin: 'https://firestore.test', projectId: 'demo', headers, fetch }) }
}

test('each request goes to its place with bearer and proof', async () => {
  const { sent, rest } = wire([])
  await rest.query({ collection: 'users/u1/inbox' })
  expect(sent[0]?.url).toBe('https://firestore.test/v1/projects/demo/databases/(default)/documents/users/u1:runQuery')
  expect(sent[0]?.headers.get('authorization')).toBe('Bearer token')
  expect(sent[0]?.headers.get('x-firebase-appcheck')).toBe('proof')
})

test('a comparison with null has its own operator, both ways; any other names its value', async () => {
  const where: DocumentQuery['where'] = [
    { field: 'a', op: '==', value: null },
    { field: 'b', op: '!=', value: null },
    { field: 'c', op: '!=', value: 1 },
  ]
  const { sent, rest } = wire([])
  await rest.query({ collection: 'users/u1/inbox', where, limit: 5 })
  expect(sent[0]?.body['structuredQuery']).toMatchObject({
    limit: 5,
    where: {
      compositeFilter: {
        op: 'AND',
        filters: [
          { unaryFilter: { field: { fieldPath: 'a' }, op: 'IS_NULL' } },
          { unaryFilter: { field: { fieldPath: 'b' }, op: 'IS_NOT_NULL' } },
          { fieldFilter: { field: { fieldPath: 'c' }, op: 'NOT_EQUAL', value: { integerValue: '1' } } },
        ],
      },
    },
  })
})

test('a request that nobody answers ends after 45 s, and is not sent again', async () => {
  const limits: number[] = []
  const timeout = vi.spyOn(AbortSignal, 'timeout').mockImplementation((ms) => {
    limits.push(ms)
    // what the browser's own gives when its time is up
    return AbortSignal.abort(new DOMException('The time is up.', 'TimeoutError'))
  })
  const fetch = vi.fn<typeof globalThis.fetch>(async (_input, init) => {
    init?.signal?.throwIfAborted()
    return Response.json([])
  })
  const rest = firestoreRest({ origin: 'https://firestore.test', projectId: 'demo', headers: async () => ({}), fetch })
  await expect(rest.query({ collection: 'users/u1/inbox' })).rejects.toMatchObject({ code: 'deadline-exceeded' })
  expect(limits).toEqual([45_000])
  timeout.mockRestore()
})

test('a read that broke off is sent once more; a commit, which may have arrived, is not', async () => {
  const broken = new TypeError('no network')
  const read = wire(broken, [])
  expect(await read.rest.query({ collection: 'users/u1/inbox' })).toEqual([])
  expect(read.sent).toHaveLength(2)
  const write = wire(broken, [])
  const batch = [{ kind: 'set', path: 'users/u1/drafts/o~f', data: {} }] as const
  await expect(write.rest.commit(batch)).rejects.toMatchObject({ code: 'unavailable' })
  expect(write.sent).toHaveLength(1)
})
