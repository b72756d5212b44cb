import { navigationGroups, type NavigationEntry } from '../shell/navigation.ts'

const partsOf = (path: string): string[] => path.toLowerCase().split(/[/-]+/).filter(Boolean)

/** The number of letters that two words have in common at the start. */
function commonStart(a: string, b: string): number {
  let length = 0
  while (length < a.length && length < b.length && a[length] === b[length]) length += 1
  return length
}

/** How alike two addresses are: for each word of the wanted one, its best match among the words of the other. */
function likeness(wanted: string, candidate: string): number {
  const words = partsOf(candidate)
  return partsOf(wanted).reduce(
    (sum, word) =>
      sum + Math.max(0, ...words.map((other) => commonStart(word, other) / Math.max(word.length, other.length))),
    0,
  )
}

/** The two pages whose address is nearest to one that does not exist; overview's neighbors when nothing is alike. */
export const nearbyEntries = (path: string): NavigationEntry[] =>
  navigationGroups
    .flatMap((group) => group.entries)
    .map((entry) => ({ entry, score: likeness(path, entry.section ? `${entry.section} ${entry.path}` : entry.path) }))
    .toSorted((a, b) => b.score - a.score)
    .slice(0, 2)
    .map(({ entry }) => entry)
