import {
  bookingCancelReasons,
  type Booking,
  type paymentStatuses,
  type bookingStatuses,
} from '@tour-ops/contract/bookings/bookings'
import { channels } from '@tour-ops/contract/bookings/channels'
import type { BookedUnit, UnitType } from '@tour-ops/contract/units'
import { m } from '../../paraglide/messages.js'
import { saleChannelLabel } from '../../records/sale-channel-labels.ts'
import { formatList } from '../../ui/format.ts'

const counts: Record<UnitType, (count: { count: number }) => string> = {
  adult: m.bookings_units_adult,
  youth: m.bookings_units_youth,
  child: m.bookings_units_child,
  infant: m.bookings_units_infant,
  family: m.bookings_units_family,
  senior: m.bookings_units_senior,
  student: m.bookings_units_student,
  military: m.bookings_units_military,
  other: m.bookings_units_other,
}
/** `2 adults`. */
export const unitCount = ({ unitType, quantity }: BookedUnit): string => counts[unitType]({ count: quantity })
/** `2 adults and 1 child`. */
export const unitsText = (booked: readonly BookedUnit[]): string => formatList(booked.map(unitCount))

/** Channels that a person may choose, with the one that a booking has; imports name themselves. */
export const channelOptionsOf = (current: string): { value: string; label: string }[] =>
  channels
    .filter((channel) => channel !== 'import' || channel === current)
    .map((value) => ({ value, label: saleChannelLabel(value) }))

type PaymentStatus = (typeof paymentStatuses)[number]
const payments: Record<PaymentStatus, () => string> = {
  unpaid: m.bookings_payment_unpaid,
  deposit: m.bookings_payment_deposit,
  paid: m.bookings_payment_paid,
  refunded: m.bookings_payment_refunded,
  agent_credit: m.bookings_payment_agent_credit,
}
export const paymentLabel = (status: PaymentStatus): string => payments[status]()

/** Paid, refunded or on-account bookings are not asked to pay at boarding, whatever the sums say. */
export const isDue = (booking: { balanceMinor: number; paymentStatus: PaymentStatus }): boolean =>
  booking.balanceMinor > 0 && (booking.paymentStatus === 'unpaid' || booking.paymentStatus === 'deposit')

type Reason = (typeof bookingCancelReasons)[number]
const reasons: Record<Reason, () => string> = {
  guest_request: m.bookings_reason_guest_request,
  departure_cancelled: m.bookings_reason_departure_cancelled,
  payment: m.bookings_reason_payment,
  duplicate: m.bookings_reason_duplicate,
  no_show_policy: m.bookings_reason_no_show_policy,
  other: m.bookings_reason_other,
}
export const reasonOptions = () => bookingCancelReasons.map((value) => ({ value, label: reasons[value]() }))
/** Why it ended; a sentence somebody typed is shown as it is. */
export const reasonLabel = (reason: string): string =>
  Object.hasOwn(reasons, reason) ? reasons[reason as Reason]() : reason

const statuses: Record<(typeof bookingStatuses)[number], () => string> = {
  on_hold: m.bookings_status_on_hold,
  requested: m.bookings_status_requested,
  waitlisted: m.bookings_status_waitlisted,
  confirmed: m.bookings_status_confirmed,
  cancelled: m.bookings_status_cancelled,
  completed: m.bookings_status_completed,
  expired: m.bookings_status_expired,
  rejected: m.bookings_status_rejected,
}
export const bookingStatusLabel = (status: Booking['status']): string => statuses[status]()
