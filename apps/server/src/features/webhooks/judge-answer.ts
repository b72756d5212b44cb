import type { webhookFaults } from '@tour-ops/contract/webhooks/webhooks'

/** What an attempt met: an answer, or the reason why there was none. */
export type Outcome =
  | { readonly status: number; readonly body: string; readonly retryAfter?: string | undefined }
  | { readonly fault: (typeof webhookFaults)[number] }

/**
 * What an attempt means.
 *
 * - `gone`: the endpoint wants nothing any more.
 * - `rejected`: the endpoint works and does not take this event, so that the others go on.
 * - `failing`: whatever comes next would fail too, so that it waits and the order is kept.
 */
export type Verdict = 'delivered' | 'gone' | 'rejected' | 'failing'

/** About the event and not about the endpoint. Redirects are not followed, and access that is missing is missing for all. */
const aboutTheEvent = new Set([400, 409, 413, 415, 422])

export function verdictOf(outcome: Outcome): Verdict {
  if ('fault' in outcome) return 'failing'
  const { status } = outcome
  if (status >= 200 && status < 300) return 'delivered'
  if (status === 410) return 'gone'
  return aboutTheEvent.has(status) ? 'rejected' : 'failing'
}

/** Seconds after each attempt until the next: a day in all. */
const pauses = [5, 60, 300, 1_800, 7_200, 18_000, 28_800, 32_400]
/** Attempts before an event counts as failed. */
export const maxAttempts = pauses.length + 1
/** No answer makes anybody wait longer than this. */
const longestPause = 86_400

/** Seconds until the next attempt, later where the answer asks for it. @param attempts Made so far. */
export function pauseSeconds(attempts: number, outcome: Outcome, now: Date): number {
  const pause = pauses[Math.min(attempts, pauses.length) - 1] ?? 5
  const asked = 'retryAfter' in outcome ? secondsOf(outcome.retryAfter, now) : 0
  return Math.min(Math.max(pause, asked), longestPause)
}

/** `Retry-After` is seconds or a moment. Source: RFC 9110, 10.2.3. */
function secondsOf(retryAfter: string | undefined, now: Date): number {
  if (retryAfter === undefined) return 0
  if (/^\d{1,9}$/.test(retryAfter)) return Number(retryAfter)
  const at = Date.parse(retryAfter)
  return Number.isNaN(at) ? 0 : Math.ceil((at - now.getTime()) / 1000)
}

/** Days in which every attempt failed, after which an endpoint is switched off; the notice and docs/webhooks.md name them. */
export const failingDays = 3
