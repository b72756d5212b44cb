import { createHash } from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'
import { pipeline } from 'node:stream/promises'
import { createGunzip, createGzip } from 'node:zlib'
import { StartRefused } from '../start-refused.ts'
import type { FileHead, Manifest, TableEnd, TableHead } from './manifest.ts'

// A backup is one file: compressed lines of JSON, for every gzip to open. An object begins a section, a text is a part of its content;
// the last line holds the hash of all lines before it.

/** A line: the head of a section, or a part of its content. */
export type Line = Manifest | TableHead | TableEnd | FileHead | string

/** The last line. */
interface End {
  readonly section: 'end'
  readonly lines: number
  readonly sha256: string
}

const chunkBytes = 256 * 1024

/**
 * Writes the lines and the closing line to a new file next to `file`, syncs it, and gives it its name: a name never leads to half a backup.
 *
 * @returns bytes of the file.
 * @throws StartRefused where there is such a file already, or no such folder.
 */
export async function writeArchive(file: string, lines: AsyncIterable<Line>): Promise<number> {
  if (fs.existsSync(file)) throw new StartRefused(`${file} exists already. Choose another name.`)
  if (!fs.existsSync(path.dirname(file))) throw new StartRefused(`The folder ${path.dirname(file)} is not there.`)
  const beside = `${file}.${process.pid}.part`
  const output = fs.createWriteStream(beside, { flags: 'wx', mode: 0o600, flush: true })
  try {
    await pipeline(closed(lines), createGzip({ level: 4 }), output)
    await fs.promises.rename(beside, file)
  } finally {
    await fs.promises.rm(beside, { force: true })
  }
  return (await fs.promises.stat(file)).size
}

async function* closed(lines: AsyncIterable<Line>): AsyncGenerator<Buffer> {
  const hash = createHash('sha256')
  let text = ''
  let count = 0
  const take = (): Buffer => {
    const chunk = Buffer.from(text)
    text = ''
    hash.update(chunk)
    return chunk
  }
  for await (const line of lines) {
    text += `${JSON.stringify(line)}\n`
    count += 1
    if (text.length >= chunkBytes) yield take()
  }
  yield take()
  const end: End = { section: 'end', lines: count, sha256: hash.digest('hex') }
  yield Buffer.from(`${JSON.stringify(end)}\n`)
}

/** Reads the lines of a backup without the closing one. @throws StartRefused where the file is no backup, is cut off or was changed. */
export async function* readArchive(file: string): AsyncGenerator<Line> {
  const hash = createHash('sha256')
  let count = 0
  let end: End | undefined
  try {
    for await (const { text, bytes } of linesOf(file)) {
      if (end) throw damaged(file)
      const line = JSON.parse(text) as Line | End
      if (typeof line === 'object' && line.section === 'end') end = line
      else {
        hash.update(bytes)
        count += 1
        yield line
      }
    }
  } catch (error) {
    throw isOfTheFile(error) ? damaged(file, error) : error
  }
  if (end?.lines !== count || end.sha256 !== hash.digest('hex')) throw damaged(file)
}

/** Errors of zlib and JSON for a file that is not a backup, or incomplete. */
const isOfTheFile = (error: unknown): boolean =>
  error instanceof SyntaxError ||
  (error instanceof Error && 'code' in error && /^(Z_|ERR_ZLIB|ERR_PADDING)/.test(String(error.code))) ||
  (error instanceof Error && error.message === 'unexpected end of file')

const damaged = (file: string, cause?: unknown): StartRefused =>
  new StartRefused(`${file} is not a whole backup of this program: it is cut off, was changed, or is another file.`, {
    cause,
  })

/** @throws StartRefused where there is no such file. */
async function* linesOf(file: string): AsyncGenerator<{ text: string; bytes: Buffer }> {
  if (!fs.existsSync(file)) throw new StartRefused(`There is no file ${file}.`)
  let rest: Buffer = Buffer.alloc(0)
  const input = fs.createReadStream(file)
  const unpacked = createGunzip()
  input.once('error', (error) => unpacked.destroy(error)).pipe(unpacked)
  try {
    for await (const chunk of unpacked as AsyncIterable<Buffer>) {
      let data = rest.length > 0 ? Buffer.concat([rest, chunk]) : chunk
      for (let at = data.indexOf(10); at !== -1; at = data.indexOf(10)) {
        const bytes = data.subarray(0, at + 1)
        yield { text: bytes.toString('utf8', 0, at), bytes }
        data = data.subarray(at + 1)
      }
      rest = data
    }
  } finally {
    input.destroy()
    unpacked.destroy()
  }
  if (rest.length > 0) yield { text: rest.toString('utf8'), bytes: rest }
}
