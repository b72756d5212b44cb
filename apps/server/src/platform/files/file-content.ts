import { createReadStream } from 'node:fs'
import fs from 'node:fs/promises'
import { fileTypes, type FileType, type RefusedFileType } from '@tour-ops/contract/files'

/** Enough of both ends of a file to recognize its type. */
const lookBytes = 64 * 1024

/**
 * What a file is by its content; undefined for everything that is not one of our types. The name is never asked: a program
 * called `photo.png` stays a program.
 */
export async function fileTypeOf(path: string): Promise<FileType | undefined> {
  const file = await fs.open(path, 'r')
  try {
    const { size } = await file.stat()
    const head = await readAt(file, 0, Math.min(size, lookBytes))
    const tail = await readAt(file, Math.max(0, size - lookBytes), Math.min(size, lookBytes))
    const image = imageTypeOf(head)
    if (image) return image
    // Source: ISO 32000-1, 7.5.2, "File Header"
    if (head.toString('latin1', 0, 5) === '%PDF-') return 'pdf'
    if (isWorkbook(head, tail)) return 'xlsx'
    return (await isText(path)) ? 'csv' : undefined
  } finally {
    await file.close()
  }
}

/** What a content is that is none of the allowed types, if it is a kind of table that people have. */
export async function refusedTypeOf(path: string, type: FileType | undefined): Promise<RefusedFileType | undefined> {
  if (type === 'pdf') return type
  if (type !== undefined) return undefined
  const file = await fs.open(path, 'r')
  try {
    const { size } = await file.stat()
    const head = await readAt(file, 0, Math.min(size, lookBytes))
    const tail = await readAt(file, Math.max(0, size - lookBytes), Math.min(size, lookBytes))
    // Source: MS-CFB, 2.2, "Compound File Header"; MS-OFFCRYPTO, 2.3, for the names in it
    if (head.subarray(0, 8).equals(Buffer.from('d0cf11e0a1b11ae1', 'hex'))) {
      const encrypted = Buffer.from('EncryptedPackage', 'utf16le')
      return head.includes(encrypted) || tail.includes(encrypted) ? 'locked' : 'xls'
    }
    // Source: OpenDocument 1.3, part 2, 3.3: the type is the first entry, and is not packed
    return head.toString('latin1', 0, 200).includes('mimetypeapplication/vnd.oasis.opendocument.spreadsheet')
      ? 'ods'
      : undefined
  } finally {
    await file.close()
  }
}

async function readAt(file: fs.FileHandle, position: number, length: number): Promise<Buffer> {
  const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, position)
  return buffer.subarray(0, bytesRead)
}

function imageTypeOf(head: Buffer): FileType | undefined {
  if (head.subarray(0, 8).equals(Buffer.from('89504e470d0a1a0a', 'hex'))) return 'png'
  if (head.subarray(0, 3).equals(Buffer.from('ffd8ff', 'hex'))) return 'jpeg'
  const isWebp = head.toString('latin1', 0, 4) === 'RIFF' && head.toString('latin1', 8, 12) === 'WEBP'
  return isWebp ? 'webp' : undefined
}

/** A zip archive whose directory, at the end of the file, lists a workbook. */
const isWorkbook = (head: Buffer, tail: Buffer): boolean =>
  head.subarray(0, 4).equals(Buffer.from('504b0304', 'hex')) &&
  (tail.includes('xl/workbook') || head.includes('xl/workbook'))

const textControls: ReadonlySet<number> = new Set([0x09, 0x0a, 0x0b, 0x0c, 0x0d, 0x1a])

/**
 * Control characters that no text has, in none of the encodings that imports read. Tab, LF, VT (a line within a field of FileMaker), FF, CR and the
 * old end of file are fine.
 */
const isBinary = (code: number): boolean => code === 0x7f || (code < 0x20 && !textControls.has(code))

/** Checks every byte, since a text may carry anything further down. Zero bytes are in UTF-16 only, which is checked by its units. */
async function isText(path: string): Promise<boolean> {
  let hasZero = false
  let hasControls = false
  for await (const chunk of createReadStream(path)) {
    hasZero ||= (chunk as Buffer).includes(0)
    hasControls ||= (chunk as Buffer).some(isBinary)
  }
  return hasZero ? (await isUtf16(path, 'utf-16le')) || (await isUtf16(path, 'utf-16be')) : !hasControls
}

/** The same for text that is decoded already. */
function hasBinary(text: string): boolean {
  for (let at = 0; at < text.length; at += 1) if (isBinary(text.charCodeAt(at))) return true
  return false
}

/** Nearly any bytes are some characters of UTF-16: a table of it has a mark at its beginning, or lines. */
async function isUtf16(path: string, encoding: 'utf-16le' | 'utf-16be'): Promise<boolean> {
  const decoder = new TextDecoder(encoding, { fatal: true, ignoreBOM: true })
  let isFirst = true
  let isTable = false
  try {
    for await (const chunk of createReadStream(path)) {
      const text = decoder.decode(chunk as Buffer, { stream: true })
      if (hasBinary(text)) return false
      isTable ||= (isFirst && text.startsWith('\ufeff')) || /[\r\n]/.test(text)
      isFirst = false
    }
    return isTable && !hasBinary(decoder.decode())
  } catch (error) {
    if (error instanceof TypeError) return false
    throw error
  }
}

/** By which a computer opens a content as what it is; the first one is added to a name that has none of them. */
const endings: Readonly<Record<FileType, readonly [string, ...string[]]>> = {
  png: ['.png'],
  jpeg: ['.jpg', '.jpeg'],
  webp: ['.webp'],
  pdf: ['.pdf'],
  csv: ['.csv', '.txt', '.tsv'],
  xlsx: ['.xlsx'],
}

/** The name under which a content is saved: a text that is called `invoice.bat` would be run by whoever opens it. */
export function savedName(contentType: string, name: string): string {
  const known = Object.entries(endings).find(([type]) => fileTypes[type as FileType] === contentType)?.[1]
  return !known || known.some((ending) => name.toLowerCase().endsWith(ending)) ? name : `${name}${known[0]}`
}
