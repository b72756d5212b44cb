import type { ImportForm, ImportReading } from '@tour-ops/contract/imports/import-reading'
import { automatic, type FileAnalysis, type FileSamples } from './file-analysis.ts'
import type { MergedCell } from './file-table.ts'
import type { FileSight } from './file-sight.ts'

interface ReadFile {
  readonly reading: ImportReading | null
  readonly analysis: FileAnalysis
  readonly samples: FileSamples
}

/** Characters of the line by which an encoding is judged. */
const sampleLength = 200

const none = { cells: 0, line: null }

const firstOf = (merged: readonly MergedCell[]): ImportForm['merged'] =>
  merged.length === 0 ? none : { cells: merged.length, line: Math.min(...merged.map(({ line }) => line)) }

/** How a file is read, with the values that this person may see. */
export const describeForm = ({ reading, analysis, samples }: ReadFile, sight: FileSight): ImportForm => ({
  reading: reading ?? automatic,
  unreadable: analysis.unreadable ?? null,
  merged: firstOf(analysis.unshown?.merged ?? []),
  formulas: analysis.unshown?.formulas ?? none,
  sample: foreignLine({ analysis, samples }, sight),
  sheets: [...(analysis.sheets ?? [])],
  sheet: analysis.sheet ?? null,
  headerLine: analysis.place?.headerLine ?? null,
  headerRows: analysis.place?.headerRows ?? 1,
  lastLine: analysis.place?.lastLine ?? null,
  leftOut: {
    titles: analysis.leftOut?.titles ?? 0,
    repeatedHeaders: analysis.leftOut?.repeatedHeaders ?? 0,
    totals: [...(analysis.leftOut?.totals ?? [])],
  },
  head: (samples.head ?? []).map(({ line, role, cells, width }) => ({
    line,
    role,
    cells: cells.map((cell, index) => {
      const isSecret = sight.hidesLine(width, analysis.headers.length) || isHidden(analysis, sight, index)
      return cell !== '' && isSecret ? null : cell
    }),
  })),
})

/** A cell beyond the last column may hold anything. */
function isHidden({ headers }: FileAnalysis, sight: FileSight, index: number): boolean {
  const header = headers[index]
  return header === undefined ? !sight.seesAll : sight.hidesColumn(header)
}

function foreignLine({ analysis, samples }: Omit<ReadFile, 'reading'>, sight: FileSight): ImportForm['sample'] {
  if (!samples.foreign) return null
  const { line, cells, width } = samples.foreign
  if (sight.hidesLine(width, analysis.headers.length)) return { line, text: '' }
  const visible = cells.flatMap((cell, index) => {
    return isHidden(analysis, sight, index) || cell.trim() === '' ? [] : [cell.replaceAll(/\s+/g, ' ').trim()]
  })
  return { line, text: visible.join(' · ').slice(0, sampleLength) }
}
