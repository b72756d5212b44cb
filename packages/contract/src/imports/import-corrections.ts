import * as z from 'zod/mini'
import { Count, Instant, whole, withoutDirection } from '../fields.ts'
import type { ImportProblemCode } from './import-problems.ts'
import { maxLine } from './import-reading.ts'

/** Corrected cells of one file at most; a file with more is corrected where it came from. */
export const maxImportCorrections = 2_000
/** Cells that are corrected with one call at most. */
export const maxCorrectionsAtOnce = 500
/** Characters of a corrected cell. Source: the longest note of a booking. */
export const maxCorrectedCell = 2_000

/** A cell of the file: its line, and the header of its column as `ImportColumn` has it. */
export const ImportCell = z.object({ line: whole(1, maxLine), column: z.string().check(z.maxLength(1_000)) })
export type ImportCell = z.output<typeof ImportCell>

export const CellCorrection = z.object({
  ...ImportCell.shape,
  /** What counts instead; empty for an empty cell. */
  value: z.string().check(z.overwrite(withoutDirection), z.trim(), z.maxLength(maxCorrectedCell)),
  /** For every cell of the column that holds the same. */
  everywhere: z._default(z.boolean(), false),
})
export type CellCorrection = z.output<typeof CellCorrection>

/** Names a correction. */
export const CorrectedCell = z.object({ ...ImportCell.shape, everywhere: z._default(z.boolean(), false) })

export const ImportCorrection = z.object({
  /** Of a correction for all equal cells that of the first one. */
  line: Count,
  column: z.string(),
  everywhere: z.boolean(),
  /** As the file has it. Hidden values are `•••`. */
  was: z.string(),
  now: z.string(),
  correctedByName: z.nullable(z.string()),
  correctedAt: Instant,
})
export type ImportCorrection = z.output<typeof ImportCorrection>

/** Problems of a word that the column does not know: its meaning is one of a list, and mostly meant for the whole file. */
export const wordProblems = [
  'unit_unknown',
  'status_unknown',
  // known, but perhaps not as this operator means it
  'status_open',
  'gender_unknown',
  'nationality_unknown',
  'language_unknown',
  'room_type_unknown',
  'tour_unknown',
] as const satisfies readonly ImportProblemCode[]

/** Languages that a file may name. */
export const importLanguages: readonly string[] =
  'ar bg bn ca cs cy da de el en es et eu fa fi fil fr ga gl he hi hr hu id is it ja ka ko lt lv ms ne nl no nb pl pt ro ru sk sl sq sr sv sw ta te th tr uk ur vi zh'.split(
    ' ',
  )
