import type { FileHandle } from 'node:fs/promises'
import fs from 'node:fs/promises'
import path from 'node:path'
import type { Readable } from 'node:stream'
import { AppError } from '@tour-ops/contract/errors'

/** An upload that was not finished by then is forgotten. */
export const uploadLifetimeMs = 24 * 60 * 60 * 1000

/**
 * Content that is still arriving: one file per upload, whose length is the offset. A restart, or another process on the same
 * folder, goes on where the bytes end. What the upload is for stands in the table `files`.
 */
export class IncomingContent {
  readonly #folder: string

  constructor(folder: string) {
    this.#folder = folder
  }

  /** @param id A UUID, checked by the caller: it becomes a file name. */
  pathOf(id: string): string {
    return path.join(this.#folder, `${id}.part`)
  }

  async start(id: string): Promise<void> {
    await fs.mkdir(this.#folder, { recursive: true, mode: 0o700 })
    await fs.writeFile(this.pathOf(id), '', { mode: 0o600, flag: 'a' })
  }

  /** Bytes that are here; undefined for an upload without content, finished or forgotten. */
  async offset(id: string): Promise<number | undefined> {
    const found = await fs.stat(this.pathOf(id)).catch(() => undefined)
    return found?.size
  }

  /**
   * Writes a piece that starts at `from`. It may overlap what is here already (the answer to it was lost); a gap is refused.
   *
   * @param limit Bytes that were announced for the whole content.
   * @returns the new offset. Bytes that arrived before a connection broke are kept.
   */
  async append(id: string, from: number, content: Readable, limit: number): Promise<number> {
    if (from > ((await this.offset(id)) ?? 0)) {
      throw new AppError('invalid-argument', 'A piece is missing before this one.', { details: { reason: 'gap' } })
    }
    const file = await fs.open(this.pathOf(id), 'r+')
    try {
      return await writeFrom(file, from, content, limit)
    } finally {
      await file.close()
    }
  }

  remove(id: string): Promise<void> {
    return fs.rm(this.pathOf(id), { force: true })
  }

  /** Removes content that nobody has added to for a day. Returns how many files went. */
  async removeOld(now: Date): Promise<number> {
    const names = await fs.readdir(this.#folder).catch(() => [])
    let removed = 0
    for (const name of names) {
      const file = path.join(this.#folder, name)
      const found = await fs.stat(file).catch(() => undefined)
      if (!found || now.getTime() - found.mtimeMs < uploadLifetimeMs) continue
      await fs.rm(file, { force: true })
      removed += 1
    }
    return removed
  }
}

/** Content beyond what was announced is refused; what fits stays. */
async function writeFrom(file: FileHandle, from: number, content: Readable, limit: number): Promise<number> {
  let offset = from
  for await (const chunk of content) {
    const bytes = chunk as Buffer
    if (offset + bytes.length > limit) {
      const message = 'There is more content than was announced.'
      throw new AppError('invalid-argument', message, { details: { reason: 'too_long' } })
    }
    await file.write(bytes, 0, bytes.length, offset)
    offset += bytes.length
  }
  return offset
}
