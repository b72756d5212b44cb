import * as z from 'zod/mini'
import { Count, orNull, whole } from '../fields.ts'

/** Encodings of a region, which are guessed where text is not Unicode: the likeliest before the others where nothing else decides. */
export const regionalEncodings = [
  'windows-1252',
  'windows-1250',
  'iso-8859-2',
  'windows-1251',
  'gb18030',
  'big5',
  'shift_jis',
] as const

/**
 * Encodings that text is read in. `gb18030` contains GBK and GB2312. Names as the platform's `TextDecoder` has them.
 * See https://encoding.spec.whatwg.org.
 */
export const fileEncodings = ['utf-8', 'utf-16le', 'utf-16be', ...regionalEncodings] as const
export type TextEncodingName = (typeof fileEncodings)[number]

/** What separates the values of a line. */
export const fileDelimiters = [',', ';', '\t', '|'] as const
export type FileDelimiter = (typeof fileDelimiters)[number]

/** Lines of a file at most: more than a text of the largest size has in quoted cells. */
export const maxLine = 10_000_000

/** Rows that a header has at most: groups of columns above their names. */
export const maxHeaderRows = 3

/** What a person decided about how a file is read; null is left to detection. Workbooks have neither encoding nor separator. */
export const ImportReading = z.object({
  encoding: orNull(z.enum(fileEncodings)),
  delimiter: orNull(z.enum(fileDelimiters)),
  /** Place of the sheet in its workbook, from 0. */
  sheet: orNull(whole(0, 999)),
  /** Line of the header; the next one with text where that one has none. */
  headerLine: orNull(whole(1, maxLine)),
  /** Rows of the header, which are joined: `Guest` above `Name` is `Guest Name`. */
  headerRows: orNull(whole(1, maxHeaderRows)),
  /** Line after which nothing is read. */
  lastLine: orNull(whole(1, maxLine)),
})
export type ImportReading = z.output<typeof ImportReading>

/** What a row of a file is taken for. */
export const rowRoles = ['title', 'header', 'row', 'repeated_header', 'total', 'after'] as const

/** How a file is read, as the wizard shows it. */
export const ImportForm = z.object({
  /** The decisions; what is null here was detected. */
  reading: ImportReading,
  /** Cells with characters that the encoding does not have, and the line of the first; null for files that an older version read. */
  unreadable: z.nullable(z.object({ cells: Count, line: z.nullable(Count) })),
  /** Cells of a workbook that are merged over several rows, each of which gets the value, and the line of the first. */
  merged: z.object({ cells: Count, line: z.nullable(Count) }),
  /** Cells of a workbook with a formula and no value, which are read as the formula, and the line of the first. */
  formulas: z.object({ cells: Count, line: z.nullable(Count) }),
  /** A line with letters beyond A to Z, by which the encoding can be judged: its cells that the caller may see. Null where there is none. */
  sample: z.nullable(z.object({ line: Count, text: z.string() })),
  /** Sheets of a workbook in their order, and the place of the one that is read. */
  sheets: z.array(z.object({ name: z.string(), isHidden: z.boolean() })),
  sheet: z.nullable(Count),
  /** Null for files that an older version read. */
  headerLine: z.nullable(Count),
  headerRows: Count,
  /** Null for the end of the file, without totals. */
  lastLine: z.nullable(Count),
  /** What is no row of the table: lines above the header, headers that are repeated, and the lines of totals at the end. */
  leftOut: z.object({ titles: Count, repeatedHeaders: Count, totals: z.array(Count) }),
  /** The first rows as they are in the file; a cell that the caller may not see is null. */
  head: z.array(z.object({ line: Count, role: z.enum(rowRoles), cells: z.array(z.nullable(z.string())) })),
})
export type ImportForm = z.output<typeof ImportForm>
