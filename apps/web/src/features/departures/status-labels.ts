import type {
  cancelReasons,
  Departure,
  GuardReason,
  NextStatus,
  storedCancelReasons,
} from '@tour-ops/contract/departures/departures'
import { CircleCheck, CircleX, Flag, LogIn, type LucideIcon, Navigation, OctagonX, RotateCcw } from 'lucide-react'
import { guardSentences } from '../../errors/guard-text.ts'
import { m } from '../../paraglide/messages.js'
import { statusIcon, statusLabel } from '../../ui/chip.tsx'
import { stopAhead } from './run-sheet.ts'

type Status = Departure['status']

/** The label of the stored status; boards show what `displayedStatus` makes of it. */
export const storedStatusLabel = (status: Status): string =>
  status === 'in_progress' ? m.departures_in_progress() : statusLabel(status)

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
      return statusLabel('draft')
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

/** What blocks it, one short sentence each. */
export const guardText = (unmet: readonly GuardReason[]): string =>
  unmet.map((reason) => guardSentences[reason]()).join(' ')

/** Ends a departure before its last stop: worth a question, though nothing forbids it. */
export const endsEarly = (departure: Departure, to: Status): boolean =>
  to === 'completed' && stopAhead(departure) !== undefined

/** Second line of an entry of the status menu: what blocks it, else what will happen. See docs/domain.md, "States". */
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
export type StoredCancelReason = (typeof storedCancelReasons)[number]

export const cancelReasonLabels: Record<StoredCancelReason, () => string> = {
  combined: m.departures_cancel_combined,
  low_pax: m.departures_cancel_low_pax,
  weather: m.departures_cancel_weather,
  staff: m.departures_cancel_staff,
  vehicle: m.departures_cancel_vehicle,
  safety: m.departures_cancel_safety,
  supplier: m.departures_cancel_supplier,
  other: m.departures_cancel_other,
}
