/** One number, and what it is compared with. */
export interface Measure {
  readonly name: string
  readonly value: number
  readonly unit: string
  /** The peer or the floor, measured in the same run. */
  readonly against?: { readonly name: string; readonly value: number }
  /** Of the two, so that more is better and 1 is as good as the peer; the median over rounds where there are several. */
  readonly ratio?: number
  readonly goal?: { readonly text: string; readonly met: boolean }
  /** The number of single measurements it is computed from. */
  readonly samples: number
  readonly note?: string
}

/** How much is measured: `quick` shows in a minute that a bench runs, and proves nothing. */
export type Scale = 'full' | 'quick'

export interface Bench {
  readonly name: string
  readonly title: string
  /** Takes so long that it runs only where it is named. */
  readonly isOnlyByName?: boolean
  run(scale: Scale): Promise<readonly Measure[]>
}

/** @param share 0.5 is the median, 0.99 the ninety-ninth percentile (nearest rank). */
export function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? Number.NaN
}

export const median = (values: readonly number[]): number => percentile(values, 0.5)

/** A goal that a value stays below, in the unit of the measure. */
export const atMost = (value: number, limit: number, unit: string): { text: string; met: boolean } => ({
  text: `≤ ${limit.toLocaleString('en-US')} ${unit}`,
  met: value <= limit,
})

/** Goal of a ratio: at least this share of the peer. */
export const atLeast = (ratio: number, limit: number): { text: string; met: boolean } => ({
  text: `ratio ≥ ${limit}`,
  met: ratio >= limit,
})
