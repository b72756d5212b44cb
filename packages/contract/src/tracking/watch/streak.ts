import type { Fix } from '../arrivals/evidence.ts'

/** `unsure` is what a position's own error leaves open: it neither begins nor ends anything. */
export type Judged = 'yes' | 'no' | 'unsure'

/** How long something has been so, by the newest positions; moments in milliseconds since 1970. */
export interface Streak {
  /** The first position of which it is certain. */
  readonly since: number
  /** The newest position of which it is certain. */
  readonly last: Fix
}

/** Silence as long as this ends a streak: what happened meanwhile is unknown. */
const silenceMs = 10 * 60_000

/** What has been true without an end until the newest position; null when it is not true now. */
export function streakOf(fixes: readonly Fix[], judge: (fix: Fix) => Judged): Streak | null {
  let last: Fix | null = null
  let since = 0
  let later: Fix | undefined
  for (let index = fixes.length - 1; index >= 0; index -= 1) {
    const fix = fixes[index] as Fix
    if (later !== undefined && later.at - fix.at > silenceMs) break
    later = fix
    const judged = judge(fix)
    if (judged === 'no') break
    if (judged === 'unsure') continue
    last ??= fix
    since = fix.at
  }
  return last === null ? null : { since, last }
}
