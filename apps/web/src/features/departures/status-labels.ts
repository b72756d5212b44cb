import type { cancelReasons, Departure, GuardReason, NextStatus } from '@tour-ops/contract/departures/departures'
import { CircleCheck, CircleX, Flag, LogIn, type LucideIcon, Navigation, OctagonX, RotateCcw } from 'lucide-react'
import { m } from '../../paraglide/messages.js'
import { statusIcon, statusWord } from '../../ui/chip.tsx'
import { stopAhead } from './run-sheet.ts'

type Status = Departure['status']

/** The stored status in words; boards show what `displayedStatus` makes of it. */
export const storedStatusLabel = (status: Status): string =>
  status === 'in_progress' ? m.departures_in_progress() : statusWord(status)

export const storedStatusIcon = (status: Status): LucideIcon =>
  status === 'in_progress' ? Navigation : statusIcon(status)

const tones: Partial<Record<Status, string>> = { boarding: 'text-info', in_progress: 'text-ok' }
export const storedStatusTone = (status: Status): string => tones[status] ?? 'text-ink-2'

/** The act that leads to a status, as a button says it. */
export function actLabel(from: Status, to: Status): string {
  switch (to) {
    case 'scheduled':
      return m.departures_act_schedule()
    case 'guaranteed':
      return m.departures_act_guarantee()
    case 'boarding':
      return m.departures_act_board()
    case 'in_progress':
      return from === 'completed' ? m.departures_act_reopen() : m.departures_act_start()
    case 'completed':
      return m.departures_act_complete()
    case 'aborted':
      return m.departures_act_abort()
    case 'cancelled':
      return m.departures_act_cancel()
    case 'draft':
      return statusWord('draft')
  }
}

const icons: Partial<Record<Status, LucideIcon>> = {
  guaranteed: CircleCheck,
  boarding: LogIn,
  completed: Flag,
  aborted: OctagonX,
  cancelled: CircleX,
}
export const actIcon = (from: Status, to: Status): LucideIcon =>
  from === 'completed' ? RotateCcw : (icons[to] ?? storedStatusIcon(to))

const guards: Record<GuardReason, () => string> = {
  below_min_pax: m.departures_guard_below_min_pax,
  too_early: m.departures_guard_too_early,
  before_start: m.departures_guard_before_start,
  no_lead_guide: m.departures_guard_no_lead_guide,
  no_vehicle: m.departures_guard_no_vehicle,
  headcount_missing: m.departures_guard_headcount_missing,
  not_enough_seats: m.departures_guard_not_enough_seats,
  guests_undecided: m.departures_guard_guests_undecided,
  stops_open: m.departures_guard_stops_open,
  reopen_window_over: m.departures_guard_reopen_window_over,
  reason_needed: m.departures_guard_reason_needed,
  has_guests: m.departures_guard_has_guests,
}

/** What stands in the way, one short sentence each. */
export const guardText = (unmet: readonly GuardReason[]): string => unmet.map((reason) => guards[reason]()).join(' ')

/** Ends a departure before its last stop: worth a question, though nothing forbids it. */
export const endsEarly = (departure: Departure, to: Status): boolean =>
  to === 'completed' && stopAhead(departure) !== undefined

/** Second line of an entry of the status menu: what is in the way, else what will happen. See docs/domain.md, "States". */
export function optionHint(departure: Departure, option: NextStatus): string {
  if (option.unmet.length > 0) {
    const isOnlyCount = option.unmet.every((reason) => reason === 'headcount_missing')
    return option.overridable && !isOnlyCount
      ? `${guardText(option.unmet)} ${m.departures_asks_reason()}`
      : guardText(option.unmet)
  }
  return endsEarly(departure, option.to) ? m.departures_last_stop_open() : effectOf(departure, option.to)
}

/** What a status change does to others. */
export function effectOf(departure: Departure, to: Status): string {
  switch (to) {
    case 'guaranteed':
      return m.departures_effect_guaranteed()
    case 'boarding':
      return m.departures_effect_boarding()
    case 'in_progress':
      return departure.status === 'completed' ? m.departures_effect_reopened() : m.departures_effect_in_progress()
    case 'completed':
      return m.departures_effect_completed()
    case 'aborted':
      return m.departures_effect_aborted()
    case 'cancelled':
      return departure.seatsConfirmed > 0
        ? m.departures_effect_cancelled_guests({ count: departure.seatsConfirmed })
        : m.departures_effect_cancelled()
    case 'scheduled':
    case 'draft':
      return m.departures_effect_scheduled()
  }
}

export type CancelReason = (typeof cancelReasons)[number]

export const cancelReasonLabels: Record<CancelReason, () => string> = {
  low_pax: m.departures_cancel_low_pax,
  weather: m.departures_cancel_weather,
  staff: m.departures_cancel_staff,
  vehicle: m.departures_cancel_vehicle,
  safety: m.departures_cancel_safety,
  supplier: m.departures_cancel_supplier,
  other: m.departures_cancel_other,
}
