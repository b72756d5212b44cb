import { type LinkState, linkStates } from './link-state.ts'

/** On duty with a device, and not heard. */
export const silentStates = ['stale', 'offline', 'no_fix_yet'] as const satisfies readonly LinkState[]

/**
 * Whether somebody is not heard because they are where no signal is expected.
 *
 * @param quietUntil Of their departure; null or missing where a signal is expected.
 * @param now Epoch milliseconds.
 */
export const isExpectedSilence = (
  state: LinkState | null,
  quietUntil: string | null | undefined,
  now: number,
): quietUntil is string =>
  silentStates.some((silent) => silent === state) && !!quietUntil && Date.parse(quietUntil) > now

/** States as screens show them and lists are narrowed to: who is not heard where no signal is expected is `quiet`, and in no other one. */
export const shownStates = [...linkStates, 'quiet'] as const
export type ShownState = (typeof shownStates)[number]

/** The same as a state of its own: who is `quiet` is neither stale nor offline. */
export const shownState = <State extends LinkState>(
  state: State,
  quietUntil: string | null | undefined,
  now: number,
): State | 'quiet' => (isExpectedSilence(state, quietUntil, now) ? 'quiet' : state)
