import type { Role } from '@tour-ops/contract/identity/access'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { FileStore, UploadProgress } from './files-port.ts'

/** What an adapter brings to be tested: the service behind it, and people in one organization. */
export interface FilesWorld {
  /** The files as a member with this role sees them. */
  member(role: Role): Promise<FileStore>
  /** Files as they are seen by somebody whose line to the contents is dead, and who soon loses patience. */
  unreachable(): Promise<FileStore>
  /** What a link leads to. */
  load(url: string): Promise<{ status: number; content: Buffer }>
  close(): Promise<void>
}

const line = 'Ana;Núñez;1981-02-03\n'
/** Long enough for several pieces. */
const long = Buffer.from(`first_name;last_name;birth_date\n${line.repeat(120_000)}`)
const short = Buffer.from(`first_name;last_name;birth_date\n${line}`)
const blobOf = (content: Buffer) => new Blob([new Uint8Array(content)])
const noId = '0198c0de-0000-7000-8000-00000000abcd'

/** What every adapter of the files port promises. */
export function filesContract(adapter: string, setUp: () => Promise<FilesWorld>): void {
  describe(`${adapter} keeps the files contract`, () => {
    let world: FilesWorld
    let files: FileStore
    beforeAll(async () => {
      world = await setUp()
    }, 120_000)
    beforeEach(async () => {
      files = await world.member('admin')
    })
    afterAll(() => world?.close())

    test('what was uploaded is a file, and a link leads to the same content', async () => {
      const task = files.upload(blobOf(short), { use: 'import', name: 'guests.csv' })
      const stored = await task.result
      expect(task.state).toBe('done')
      expect(stored).toMatchObject({ use: 'import', name: 'guests.csv', contentType: 'text/csv', size: short.length })
      const loaded = await world.load(await files.link(stored.id))
      expect(loaded.status).toBe(200)
      expect(loaded.content.equals(short)).toBe(true)
    })

    test('a long content arrives whole, with progress that only grows', async () => {
      const seen: UploadProgress[] = []
      const stored = await files.upload(blobOf(long), {
        use: 'import',
        name: 'long.csv',
        onProgress: (progress) => seen.push(progress),
      }).result
      expect((await world.load(await files.link(stored.id))).content.equals(long)).toBe(true)
      const sent = seen.map(({ bytesSent }) => bytesSent)
      expect(sent).toEqual(sent.toSorted((a, b) => a - b))
      expect(new Set(sent).size).toBeGreaterThan(2)
      expect(seen.at(-1)).toEqual({ bytesSent: long.length, bytesTotal: long.length })
    })

    test('a paused upload waits, and continues to the end', async () => {
      let pauses = 1
      let sent = 0
      const task = files.upload(blobOf(long), {
        use: 'import',
        name: 'paused.csv',
        onProgress: ({ bytesSent }) => {
          sent = bytesSent
          if (bytesSent > 0 && bytesSent < long.length && pauses-- > 0) task.pause()
        },
      })
      await expect.poll(() => task.state).toBe('paused')
      await new Promise((resolve) => setTimeout(resolve, 100))
      expect(task.state).toBe('paused')
      expect(sent).toBeLessThan(long.length)
      task.resume()
      const stored = await task.result
      expect((await world.load(await files.link(stored.id))).content.equals(long)).toBe(true)
    })

    test('a canceled upload says so and stays canceled', async () => {
      const task = files.upload(blobOf(long), {
        use: 'import',
        onProgress: ({ bytesSent }) => {
          if (bytesSent > 0) task.cancel()
        },
      })
      await expect(task.result).rejects.toMatchObject({ name: 'StorageError', code: 'canceled' })
      task.resume()
      expect(task.state).toBe('canceled')
    })

    test('callers who may not upload are unauthorized, and so are callers who may not read', async () => {
      const viewer = await world.member('viewer')
      const refused = viewer.upload(blobOf(short), { use: 'import', name: 'no.csv' })
      await expect(refused.result).rejects.toMatchObject({ name: 'StorageError', code: 'unauthorized' })
      expect(refused.state).toBe('failed')
      const stored = await files.upload(blobOf(short), { use: 'import', name: 'private.csv' }).result
      await expect(viewer.link(stored.id)).rejects.toMatchObject({ name: 'StorageError', code: 'unauthorized' })
    })

    test('what is not there is object-not-found', async () => {
      await expect(files.link(noId)).rejects.toMatchObject({ name: 'StorageError', code: 'object-not-found' })
    })

    test('a content of another kind is refused with a message, for its field', async () => {
      const program = Buffer.from([0x7f, 0x45, 0x4c, 0x46, 0, 1, 2, 3])
      await expect(files.upload(blobOf(program), { use: 'import', name: 'guests.csv' }).result).rejects.toMatchObject({
        code: 'invalid-argument',
        details: { fieldErrors: { file: [expect.stringContaining('CSV, XLSX')] } },
      })
    })

    test('a line that stays dead ends with retry-limit-exceeded', async () => {
      const cutOff = await world.unreachable()
      const task = cutOff.upload(blobOf(long), { use: 'import', name: 'never.csv' })
      await expect(task.result).rejects.toMatchObject({ name: 'StorageError', code: 'retry-limit-exceeded' })
    }, 30_000)
  })
}
