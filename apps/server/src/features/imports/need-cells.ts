import type { CellReader } from './cell-reader.ts'
import { dietWords, meaningOf, meansNothing, mobilityWords } from './recognized-values.ts'

/** What a cell says one by one. */
export const partsOf = (text: string): string[] =>
  text
    .split(/[,;/+\n]| and | und | y /)
    .map((part) => part.trim())
    .filter((part) => part !== '')

/** Known needs become codes; the rest is stored as it was written, and counts as "other". */
export const dietary: CellReader = ({ text, values, context }) => {
  if (meansNothing(text)) {
    values.dietary = []
    return undefined
  }
  const [first = '', ...rest] = partsOf(text)
  const asNeeds = context.mapping.afterComma === 'need' ? [first, ...rest] : [first]
  const needs = new Set<string>()
  const kept = context.mapping.afterComma === 'need' ? [] : rest
  for (const part of asNeeds) {
    if (meansNothing(part)) continue
    const need = meaningOf(dietWords, part, context.mapping.words)
    if (need) needs.add(need)
    else kept.unshift(part)
  }
  if (kept.length > 0 && needs.size === 0) needs.add('other')
  values.dietary = [...needs]
  values.dietaryNote = kept.length > 0 ? kept.join(', ').slice(0, 500) : null
  return undefined
}

export const mobility: CellReader = ({ text, values }) => {
  const known = meaningOf(mobilityWords, text)
  values.mobility = known ?? 'other'
  values.mobilityNote = known === undefined ? text.slice(0, 500) : null
  return undefined
}
