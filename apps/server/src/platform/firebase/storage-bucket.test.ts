import fs from 'node:fs'
import http from 'node:http'
import os from 'node:os'
import path from 'node:path'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { startStorage, type StorageStandIn } from '../../../../../e2e/stand-ins/storage.ts'
import { BlobMissing } from '../files/blobs.ts'
import { bucketPlaces } from './bucket-files.ts'
import { openBucket } from './storage-bucket.ts'

describe('a request to the bucket', () => {
  /** What the next requests get; the last one stays. */
  let answers: [status: number, body?: string][] = []
  let seen: string[] = []
  const server = http.createServer((request, response) => {
    seen.push(`${request.method} ${request.url}`)
    const [status, body = ''] = (answers.length > 1 ? answers.shift() : answers[0]) ?? [500]
    request.resume()
    response.writeHead(status).end(body)
  })
  beforeAll(() => new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve)))
  beforeEach(() => {
    seen = []
  })
  afterAll(() => {
    server.closeAllConnections()
    server.close()
  })
  const bucket = (accessToken = async () => 'token') =>
    openBucket({
      name: 'files',
      baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
      accessToken,
      firstDelayMs: 1,
    })

  test('is repeated while the service is busy or breaks', async () => {
    answers = [[503], [429], [500], [200, 'content']]
    const content = await bucket().open('a/b')
    expect(content && (await text(content))).toBe('content')
    expect(seen).toEqual(Array.from({ length: 4 }, () => 'GET /storage/v1/b/files/o/a%2Fb?alt=media'))
  })

  test('fails after four attempts, with the words of the service', async () => {
    answers = [[503, 'overloaded']]
    await expect(bucket().remove('a')).rejects.toThrow('The bucket refused DELETE: 503 overloaded')
    expect(seen).toHaveLength(4)
  })

  test('that is refused is not repeated', async () => {
    answers = [[403, 'no rights']]
    await expect(bucket().find('a')).rejects.toThrow('403 no rights')
    expect(seen).toHaveLength(1)
  })

  test('without a token fails with the reason', async () => {
    await expect(bucket(() => Promise.reject(new Error('no credentials'))).find('a')).rejects.toThrow('no credentials')
    expect(seen).toEqual([])
  })

  test('for a content that is there already changes nothing', async () => {
    answers = [[412]]
    await bucket().put('a', new Blob(['x']))
    expect(seen).toEqual(['POST /upload/storage/v1/b/files/o?uploadType=media&name=a&ifGenerationMatch=0'])
  })

  test('for what is not there gives nothing, and removing it is no fault', async () => {
    answers = [[404]]
    expect(await bucket().find('a')).toBeUndefined()
    expect(await bucket().open('a')).toBeUndefined()
    await bucket().remove('a')
  })

  test('for a list goes through all pages', async () => {
    const at = '2026-11-22T00:00:00.000Z'
    answers = [
      [200, JSON.stringify({ items: [{ name: 'a', size: '1', timeCreated: at }], nextPageToken: 'next' })],
      [200, JSON.stringify({ items: [{ name: 'b', size: '2', timeCreated: at }] })],
    ]
    const listed = []
    for await (const object of bucket().list('')) listed.push(object)
    expect(listed).toMatchObject([
      { name: 'a', size: 1, createdAt: new Date(at) },
      { name: 'b', size: 2 },
    ])
    expect(seen[1]).toContain('pageToken=next')
  })
})

describe('files in the bucket', () => {
  let storage: StorageStandIn
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'bucket-files-'))
  beforeAll(async () => {
    storage = await startStorage({ verify: () => undefined, roleOf: () => null })
  })
  afterAll(async () => {
    await storage.close()
    fs.rmSync(folder, { recursive: true, force: true })
  })
  const bucket = () =>
    openBucket({ name: 'files', baseUrl: `http://127.0.0.1:${storage.port}`, accessToken: async () => 'owner' })
  const places = () => bucketPlaces(bucket(), folder)
  const place = { orgId: 'org/1', userId: 'ada', use: 'import' as const, id: '1' }
  const tomorrow = () => new Date(Date.now() + 25 * 3_600_000)

  test('the same content is stored once, separately for each organization, and goes when it is removed', async () => {
    const { blobs } = places()
    const content = Buffer.from('Ana;Núñez')
    const { sha256 } = await blobs.put('org/1', content)
    await blobs.put('org/1', content)
    await blobs.put('org/2', content)
    expect(storage.names()).toHaveLength(2)
    expect(await text(await blobs.open('org/1', sha256))).toBe('Ana;Núñez')
    expect(await blobs.listOlder('org/1', tomorrow())).toEqual([sha256])
    expect(await blobs.listOlder('org/1', new Date(0))).toEqual([])
    await blobs.remove('org/1', sha256)
    await expect(blobs.open('org/1', sha256)).rejects.toBeInstanceOf(BlobMissing)
    expect(storage.names()).toHaveLength(1)
  })

  test('what arrived is worked with as a file, of which nothing stays, and goes after a day by itself', async () => {
    const { incoming } = places()
    expect(await incoming.offset(place)).toBe(0)
    await bucket().put(incoming.objectOf(place) ?? '', new Blob(['a;b']))
    expect(await incoming.offset(place)).toBe(3)
    expect(await incoming.withFile(place, async (file) => fs.readFileSync(file, 'utf8'))).toBe('a;b')
    expect(fs.readdirSync(folder)).toEqual([])
    expect(await incoming.removeOld(new Date())).toBe(0)
    expect(await incoming.removeOld(tomorrow())).toBe(1)
    await expect(incoming.withFile(place, async () => undefined)).rejects.toMatchObject({ code: 'object-not-found' })
  })
})
