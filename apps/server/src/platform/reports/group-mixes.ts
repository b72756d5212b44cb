import { mergedGroup, smallestGroup } from '@tour-ops/contract/reports/reports'

export interface Group<T> {
  readonly key: string
  readonly members: readonly T[]
}

/**
 * Groups largest first, those under five merged into one at the end, so that nobody can be recognized. Where the merged ones are still
 * under five together, the next smallest joins them. See docs/domain.md, "Figures of the reports".
 */
export function mergeSmall<T>(groups: readonly Group<T>[]): Group<T>[] {
  const ordered = groups.toSorted((a, b) => b.members.length - a.members.length || (a.key < b.key ? -1 : 1))
  const kept = ordered.filter(({ members }) => members.length >= smallestGroup)
  const small = ordered.filter(({ members }) => members.length < smallestGroup)
  if (small.length === 0) return kept
  let merged = small.flatMap(({ members }) => members)
  while (merged.length < smallestGroup) {
    const next = kept.pop()
    if (!next) break
    merged = [...next.members, ...merged]
  }
  return [...kept, { key: mergedGroup, members: merged }]
}

/** Groups by what a person or booking says of itself; one may be in several. */
export function groupBy<T>(items: readonly T[], keysOf: (item: T) => readonly string[]): Group<T>[] {
  const groups = new Map<string, T[]>()
  for (const item of items) {
    for (const key of keysOf(item)) {
      const group = groups.get(key)
      if (group) group.push(item)
      else groups.set(key, [item])
    }
  }
  return [...groups].map(([key, members]) => ({ key, members }))
}
