import type { TableRow } from './file-table.ts'

/** A corrected cell, opened. */
export interface Correction {
  readonly line: number
  /** Column of the file, from 0. */
  readonly place: number
  /** Counts for every cell of the column that holds the same. */
  readonly everywhere: boolean
  /** What the file holds. */
  readonly was: string
  readonly now: string
}

/** What a person wants of a cell, with what the file says about it. */
export interface Decision extends Correction {
  /** What the cell holds with the corrections before; that is what is equal. */
  readonly current: string
  /** The first line whose cell holds `current` in the file itself; undefined where none does. */
  readonly firstLine: number | undefined
}

/** Corrections after one more decision. Cells that an earlier correction made equal follow one for all equal cells. */
export function decided(known: readonly Correction[], decision: Decision): Correction[] {
  const { line, place, was, now, current, firstLine } = decision
  const isHere = (each: Correction): boolean => each.place === place
  if (!decision.everywhere) {
    const others = known.filter((each) => !(isHere(each) && !each.everywhere && each.line === line))
    const isRuled = others.some((each) => isHere(each) && each.everywhere && each.was === was)
    return was === now && !isRuled ? others : [...others, { line, place, everywhere: false, was, now }]
  }
  const moved = known.flatMap((each) => {
    if (!isHere(each)) return [each]
    if (each.everywhere && each.was === current) return []
    return [each.now === current ? { ...each, now } : each]
  })
  const rule = firstLine === undefined ? [] : [{ line: firstLine, place, everywhere: true, was: current, now }]
  return [...moved, ...rule].filter((each) => !(each.everywhere && each.was === each.now))
}

/** What a cell holds, as corrections compare it. */
export const cellText = (cells: readonly string[], place: number): string => (cells[place] ?? '').trim()

/** Makes the rows of a file with their corrections; what was said of one cell comes before what was said of all. */
export function corrector(corrections: readonly Correction[]): (row: TableRow) => TableRow {
  if (corrections.length === 0) return (row) => row
  const single = new Map<number, Correction[]>()
  const everywhere = new Map<number, Map<string, string>>()
  for (const correction of corrections) {
    const { line, place, was, now } = correction
    if (correction.everywhere) everywhere.set(place, (everywhere.get(place) ?? new Map<string, string>()).set(was, now))
    else single.set(line, [...(single.get(line) ?? []), correction])
  }
  return (row) => {
    const own = single.get(row.line) ?? []
    const changes = new Map<number, string>()
    for (const [place, values] of everywhere) {
      const now = values.get(cellText(row.cells, place))
      if (now !== undefined) changes.set(place, now)
    }
    for (const { place, now } of own) changes.set(place, now)
    if (changes.size === 0) return row
    const cells = [...row.cells]
    for (const [place, now] of changes) {
      while (cells.length <= place) cells.push('')
      cells[place] = now
    }
    return { line: row.line, cells }
  }
}
