/** Attempts before a delivery counts as failed, and the pauses between them. See docs/domain.md, "Messages". */
const maxAttempts = 3
const retryAfterMinutes = [1, 5, 15]
/** Until a mail server or provider that does not answer is asked again. */
const downSeconds = 60

/** What became of an attempt. `outbox` is the answer where no provider delivers: the screen is the mailbox. */
export type Outcome =
  | { readonly status: 'sent'; readonly providerId: string }
  | {
      readonly status: 'failed'
      readonly error: string
      /** Trying again is of no use. */
      readonly isFinal?: boolean
      /** The other side wants to be left alone for so long. */
      readonly restSeconds?: number
      /** This one is not tried before. */
      readonly afterSeconds?: number
    }
  /** Nobody could take it, which is no attempt. */
  | { readonly status: 'waiting'; readonly error: string; readonly restSeconds?: number }
  | { readonly status: 'suppressed'; readonly reason: string }

/** The status of a delivery after so many attempts. */
export function nextStatus(outcome: Outcome, attempts: number): 'sent' | 'suppressed' | 'failed' | 'queued' {
  if (outcome.status === 'waiting') return 'queued'
  if (outcome.status !== 'failed') return outcome.status
  return outcome.isFinal || attempts >= maxAttempts ? 'failed' : 'queued'
}
/** What the other side said. */
export const errorOf = (outcome: Outcome): string | null => ('error' in outcome ? outcome.error : null)
/** What counts as attempts by now. */
export const attemptsAfter = ({ status }: Outcome, attempts: number): number =>
  status === 'waiting' ? attempts - 1 : attempts
/** Until the next attempt. */
export function pauseSeconds(outcome: Outcome, attempts: number): number {
  if (outcome.status === 'waiting') return downSeconds
  const wanted = outcome.status === 'failed' ? (outcome.afterSeconds ?? 0) : 0
  return Math.max((retryAfterMinutes[attempts - 1] ?? 15) * 60, restOf(outcome), wanted)
}
/** For so long the other side is left alone. Seconds. */
export const restOf = (outcome: Outcome): number =>
  outcome.status === 'waiting' ? downSeconds : outcome.status === 'failed' ? (outcome.restSeconds ?? 0) : 0
