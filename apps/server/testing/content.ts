import type { OpenContent } from '../src/features/imports/file-table.ts'

/** As a disk gives it: in pieces of 64 kB. Counts what was taken, and whether the source was closed. */
export class Content {
  /** Pieces of this pass. */
  taken = 0
  opened = 0
  isClosed = false
  readonly #bytes: Uint8Array

  constructor(content: Uint8Array | string) {
    this.#bytes = typeof content === 'string' ? Buffer.from(content) : content
  }

  readonly open: OpenContent = async () => this.#read()

  async *#read(): AsyncGenerator<Uint8Array> {
    this.isClosed = false
    this.opened += 1
    try {
      for (let at = 0; at < this.#bytes.length; at += 65_536) {
        this.taken += 1
        yield this.#bytes.subarray(at, at + 65_536)
      }
    } finally {
      this.isClosed = true
    }
  }
}
