import type { ShownState } from '@tour-ops/contract/tracking/expected-silence'
import { m } from '../paraglide/messages.js'

/** Whether and how fresh the position of a person or vehicle is, on every screen. */
export const linkStateLabels: Readonly<Record<ShownState, () => string>> = {
  live: m.tracking_state_live,
  stale: m.tracking_state_stale,
  offline: m.tracking_state_offline,
  no_device: m.tracking_state_no_device,
  no_fix_yet: m.tracking_state_no_fix_yet,
  off_duty: m.tracking_state_off_duty,
  quiet: m.tracking_state_quiet,
}
