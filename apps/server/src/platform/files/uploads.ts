import { type Cipheriv, createCipheriv, hkdfSync, randomUUID } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import type { FileHandle } from 'node:fs/promises'
import fs from 'node:fs/promises'
import path from 'node:path'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { FileUseName } from '@tour-ops/contract/files'
import { refuse } from '@tour-ops/contract/refusals'

/** An upload that was not finished by then is forgotten. */
export const uploadLifetimeMs = 24 * 60 * 60 * 1000

/** An upload: whose it is, and what for. */
export interface UploadPlace {
  readonly orgId: string
  readonly userId: string
  readonly use: FileUseName
  /** A UUID, checked by the caller: it becomes a file name. */
  readonly id: string
}

/** Content that is still arriving, on a disk or in a bucket. The purpose of the upload is in the table `files`. */
export interface Incoming {
  /** Name in the bucket, where the browser sends the content itself; undefined where it comes through us. */
  objectOf(place: UploadPlace): string | undefined
  start(place: UploadPlace): Promise<void>
  /** Bytes that are here; undefined for an upload without content, finished or forgotten. */
  offset(place: UploadPlace): Promise<number | undefined>
  /**
   * Writes a piece that starts at `from`. It may overlap what is here already (the answer to it was lost); a gap is refused.
   *
   * @param limit Bytes that were announced for the whole content.
   * @returns the new offset. Bytes that arrived before a connection broke are kept.
   */
  append(id: string, from: number, content: Readable, limit: number): Promise<number>
  /** Lets `run` work with the complete content as a file of this machine. */
  withFile<T>(place: UploadPlace, run: (file: string) => Promise<T>): Promise<T>
  remove(place: UploadPlace): Promise<void>
  /** Removes content that has not grown for a day. Returns the number of removed contents. */
  removeOld(now: Date): Promise<number>
}

/** A content that is checked is in clear for seconds; one of a process that ended meanwhile is removed after this. */
const clearLifetimeMs = 60 * 60 * 1000

/**
 * One file per upload, whose length is the offset. A restart, or another process on the same folder, continues where the bytes end. What has arrived
 * is encrypted with a key that follows from the installation's secret and the upload, so that an upload that is broken off is not in clear for a
 * day.
 */
export class DiskIncoming implements Incoming {
  readonly #folder: string
  readonly #secret: string

  constructor(folder: string, secret: string) {
    this.#folder = folder
    this.#secret = secret
  }

  objectOf(): undefined {
    return undefined
  }

  async start({ id }: UploadPlace): Promise<void> {
    await fs.mkdir(this.#folder, { recursive: true, mode: 0o700 })
    await fs.writeFile(this.#pathOf(id), '', { mode: 0o600, flag: 'a' })
  }

  offset({ id }: UploadPlace): Promise<number | undefined> {
    return this.#sizeOf(id)
  }

  async append(id: string, from: number, content: Readable, limit: number): Promise<number> {
    if (from > ((await this.#sizeOf(id)) ?? 0)) {
      throw refuse('upload_gap')
    }
    const file = await fs.open(this.#pathOf(id), 'r+')
    try {
      return await writeFrom({ file, cipher: cipherAt(this.#keyOf(id), from) }, from, content, limit)
    } finally {
      await file.close()
    }
  }

  async withFile<T>({ id }: UploadPlace, run: (file: string) => Promise<T>): Promise<T> {
    const clear = path.join(this.#folder, `${id}.${randomUUID()}${clearEnding}`)
    try {
      await pipeline(
        createReadStream(this.#pathOf(id)),
        cipherAt(this.#keyOf(id), 0),
        createWriteStream(clear, { mode: 0o600 }),
      )
      return await run(clear)
    } finally {
      await fs.rm(clear, { force: true })
    }
  }

  remove({ id }: UploadPlace): Promise<void> {
    return fs.rm(this.#pathOf(id), { force: true })
  }

  async removeOld(now: Date): Promise<number> {
    const names = await fs.readdir(this.#folder).catch(() => [])
    let removed = 0
    for (const name of names) {
      const file = path.join(this.#folder, name)
      const found = await fs.stat(file).catch(() => undefined)
      const lifetimeMs = name.endsWith(clearEnding) ? clearLifetimeMs : uploadLifetimeMs
      if (!found || now.getTime() - found.mtimeMs < lifetimeMs) continue
      await fs.rm(file, { force: true })
      removed += 1
    }
    return removed
  }

  #pathOf(id: string): string {
    return path.join(this.#folder, `${id}.arriving`)
  }

  #keyOf(id: string): Buffer {
    return Buffer.from(hkdfSync('sha256', this.#secret, id, 'arriving contents', 32))
  }

  async #sizeOf(id: string): Promise<number | undefined> {
    const found = await fs.stat(this.#pathOf(id)).catch(() => undefined)
    return found?.size
  }
}

const clearEnding = '.clear'
const blockBytes = 16

/**
 * Encrypts from a place on, and decrypts: the key stream depends on the place alone, so that an upload continues anywhere. A piece that comes twice has
 * the same bytes, and nothing else is ever encrypted with the key.
 */
function cipherAt(key: Buffer, position: number): Cipheriv {
  const counter = Buffer.alloc(blockBytes)
  counter.writeBigUInt64BE(BigInt(Math.floor(position / blockBytes)), 8)
  const cipher = createCipheriv('aes-256-ctr', key, counter)
  cipher.update(Buffer.alloc(position % blockBytes))
  return cipher
}

interface Target {
  readonly file: FileHandle
  readonly cipher: Cipheriv
}

/** Content beyond what was announced is refused; what fits stays. */
async function writeFrom({ file, cipher }: Target, from: number, content: Readable, limit: number): Promise<number> {
  let offset = from
  for await (const chunk of content) {
    const bytes = chunk as Buffer
    if (offset + bytes.length > limit) {
      throw refuse('upload_too_long')
    }
    await file.write(cipher.update(bytes), 0, bytes.length, offset)
    offset += bytes.length
  }
  return offset
}
