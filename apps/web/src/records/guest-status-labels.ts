import type { StatusOf } from '@tour-ops/contract/state-machines'
import { m } from '../paraglide/messages.js'

export const guestStatusLabels: Record<StatusOf<'manifest_entries'>, () => string> = {
  expected: m.travelers_state_expected,
  checked_in: m.travelers_state_aboard,
  on_tour: m.travelers_state_on_tour,
  missing: m.travelers_state_missing,
  left_early: m.travelers_state_left_early,
  finished: m.travelers_state_finished,
  no_show: m.travelers_state_no_show,
  cancelled: m.travelers_state_cancelled,
}
