import zlib from 'node:zlib'
import { expect, test } from 'vitest'
import { sharedText } from './shared-text.ts'

const board = { departures: Array.from({ length: 60 }, (_none, at) => ({ code: `GOLD-${at}`, status: 'on_time' })) }
const browser = 'gzip, deflate, br, zstd'

test('an answer that several get is written and compressed once', async () => {
  const [one, other] = await Promise.all([sharedText(board, browser), sharedText(board, browser)])
  expect(one.encoding).toBe('br')
  expect(other.body).toBe(one.body)
  expect(JSON.parse(String(zlib.brotliDecompressSync(one.body)))).toEqual({ result: board })
  expect(one.body.length * 5).toBeLessThan(JSON.stringify(board).length)
})

test('in the form that the caller understands', async () => {
  const { body, encoding } = await sharedText(board, 'gzip')
  expect([encoding, JSON.parse(String(zlib.gunzipSync(body)))]).toEqual(['gzip', { result: board }])
  expect(await sharedText(board, undefined)).toEqual({ body: Buffer.from(JSON.stringify({ result: board })) })
  expect(await sharedText(board, 'br;q=0')).not.toHaveProperty('encoding')
})

test('and as it is where that is shorter than what it takes to say so', async () => {
  expect(await sharedText({ departures: [] }, browser)).toEqual({ body: Buffer.from('{"result":{"departures":[]}}') })
})
