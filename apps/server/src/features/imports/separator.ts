import { fileDelimiters, type FileDelimiter } from '@tour-ops/contract/imports/import-reading'

/** Records at the beginning of a file by which the separator is found. */
const recordsSeen = 20

/** What separates the values of a file, and the lines before its first record. */
export interface Separator {
  readonly delimiter: FileDelimiter
  readonly headLines: number
}

/**
 * The separator that cuts the most records into the same number of cells, and of those the one with the most cells; titles above a table have
 * none. A line `sep=;`, as Excel knows it, says it by itself.
 *
 * @param head Beginning of the text, cut anywhere.
 */
export function separatorOf(head: string, chosen: FileDelimiter | null = null): Separator {
  const declared = /^sep=([,;\t|])\r?\n/.exec(head)?.[1] as FileDelimiter | undefined
  const headLines = declared ? 1 : 0
  if (chosen ?? declared) return { delimiter: chosen ?? declared ?? ',', headLines }
  const counts = countsOf(head)
  const scored = fileDelimiters.map((delimiter) => ({
    delimiter,
    score: scoreOf(counts.map((each) => each[delimiter])),
  }))
  const [best] = scored.toSorted((a, b) => b.score - a.score)
  return { delimiter: best?.delimiter ?? ',', headLines }
}

type Counts = Record<FileDelimiter, number>
const none = (): Counts => ({ ',': 0, ';': 0, '\t': 0, '|': 0 })

/** How often each separator is in each record, outside of quotation marks. */
function countsOf(head: string): Counts[] {
  const records: Counts[] = []
  let counts = none()
  let isQuoted = false
  let isStart = true
  let hasText = false
  const end = (): void => {
    if (hasText) records.push(counts)
    counts = none()
    hasText = false
  }
  for (let at = 0; at < head.length; at += 1) {
    const character = head[at] ?? ''
    if (isQuoted) {
      if (character !== '"') continue
      if (head[at + 1] === '"') at += 1
      else isQuoted = false
    } else if (character === '"' && isStart) {
      isQuoted = true
      hasText = true
    } else if (character === '\n') {
      end()
      if (records.length === recordsSeen) return records
    } else if (Object.hasOwn(counts, character)) counts[character as FileDelimiter] += 1
    else if (character.trim() !== '') hasText = true
    isStart = character === '\n' || Object.hasOwn(counts, character)
  }
  // the last one may be cut
  if (records.length === 0) end()
  return records
}

/** Records of the most frequent length count, and their length decides between separators that are in as many of them. */
function scoreOf(counts: readonly number[]): number {
  const byLength = new Map<number, number>()
  for (const count of counts) if (count > 0) byLength.set(count, (byLength.get(count) ?? 0) + 1)
  const scores = [...byLength].map(([length, records]) => records * records * (1 + Math.min(length, 200) / 8))
  return Math.max(0, ...scores)
}
