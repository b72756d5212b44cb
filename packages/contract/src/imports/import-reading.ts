import * as z from 'zod/mini'
import { Count, orNull } from '../fields.ts'

/**
 * Encodings that text is read in. `gb18030` contains GBK and GB2312. Names as the platform's `TextDecoder` has them.
 * See https://encoding.spec.whatwg.org.
 */
export const fileEncodings = [
  'utf-8',
  'utf-16le',
  'utf-16be',
  'windows-1252',
  'windows-1250',
  'iso-8859-2',
  'windows-1251',
  'gb18030',
  'big5',
  'shift_jis',
] as const
export type TextEncodingName = (typeof fileEncodings)[number]

/** What separates the values of a line. */
export const fileDelimiters = [',', ';', '\t', '|'] as const
export type FileDelimiter = (typeof fileDelimiters)[number]

/** What a person decided about how a file is read; null is left to detection. Workbooks have neither encoding nor separator. */
export const ImportReading = z.object({
  encoding: orNull(z.enum(fileEncodings)),
  delimiter: orNull(z.enum(fileDelimiters)),
})
export type ImportReading = z.output<typeof ImportReading>

/** How a file is read, as the wizard shows it. */
export const ImportForm = z.object({
  /** The decisions; what is null here was detected. */
  reading: ImportReading,
  /** Cells with characters that the encoding does not have, and the line of the first; null for files that an older version read. */
  unreadable: z.nullable(z.object({ cells: Count, line: z.nullable(Count) })),
  /** A line with letters beyond A to Z, by which the encoding can be judged: its cells that the caller may see. Null where there is none. */
  sample: z.nullable(z.object({ line: Count, text: z.string() })),
})
export type ImportForm = z.output<typeof ImportForm>
