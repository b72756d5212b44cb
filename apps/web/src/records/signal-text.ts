import { isExpectedSilence } from '@tour-ops/contract/tracking/expected-silence'
import type { LinkState } from '@tour-ops/contract/tracking/link-state'
import { m } from '../paraglide/messages.js'
import { linkStateLabels } from './link-state-labels.ts'
import { stopTime } from './stop-time.ts'

/** What a departure says of signals: until about when none is expected on its way, and the zone of its times. */
export interface Quiet {
  readonly quietUntil: string | null
  readonly timeZone: string
}

/**
 * The state of somebody's signal; where they are not heard and need not be, until about when.
 *
 * @param quiet Of the departure that they are on.
 * @param now Epoch milliseconds.
 */
export const signalText = (state: LinkState, quiet: Quiet | undefined, now: number): string =>
  quiet && isExpectedSilence(state, quiet.quietUntil, now)
    ? m.tracking_no_signal_expected({ time: stopTime(quiet.quietUntil, quiet.timeZone, now) })
    : linkStateLabels[state]()
