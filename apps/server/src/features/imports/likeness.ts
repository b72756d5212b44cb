/** Share of words in common from which two names may mean the same. */
export const similarFrom = 0.7

/** Keys of two names: words in common, of all words; a name of several words that is within a longer one counts as much alike. */
export function likeness(a: string, b: string): number {
  const [left, right] = [new Set(a.split(' ')), new Set(b.split(' '))]
  const common = [...left].filter((word) => right.has(word)).length
  const dice = (2 * common) / (left.size + right.size)
  const isWithin = right.size > 1 && common === right.size
  return isWithin ? Math.max(dice, similarFrom + 0.1 * (right.size / left.size)) : dice
}
