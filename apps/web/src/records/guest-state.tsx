import { type StatusOf, hasStatus, soldStatuses } from '@tour-ops/contract/state-machines'
import { Check, CheckCheck, CircleDashed, CircleX, Clock, Flag, Hourglass, LogOut, UserRoundX } from 'lucide-react'
import { m } from '../paraglide/messages.js'
import { Calm, Chip } from '../ui/chip.tsx'
import { formatTime } from '../ui/format.ts'
import { formatTimeOrDate } from '../ui/format-span.ts'
import { Ltr } from '../ui/ltr.tsx'

export interface GuestStateProps {
  bookingStatus: StatusOf<'bookings'>
  departureStatus: StatusOf<'departures'>
  entryStatus: StatusOf<'manifest_entries'> | null
  checkInAt: string | null
  expiresAt: string | null
  waitlistRank: number | null
  timeZone: string
  /** Before the day itself "confirmed" says more than "expected". */
  isAhead?: boolean
}

/**
 * A guest's status on a departure: normal states as icon and word, tinted only what needs a person. Its time is in the zone of the tour,
 * which the start next to it names where the office has another one.
 */
export function GuestState(props: GuestStateProps) {
  const { bookingStatus, departureStatus, entryStatus } = props
  if (
    departureStatus === 'cancelled' &&
    ['confirmed', 'requested'].includes(bookingStatus) &&
    entryStatus !== 'cancelled'
  ) {
    return (
      <Chip tone="bad" icon={CircleX}>
        {m.travelers_state_departure_cancelled()}
      </Chip>
    )
  }
  if (!hasStatus(soldStatuses, bookingStatus)) return <UnconfirmedState {...props} />
  switch (entryStatus) {
    case 'checked_in':
    case 'on_tour':
      return (
        <Calm tone="ok" icon={CheckCheck}>
          {entryStatus === 'on_tour' ? m.travelers_state_on_tour() : m.travelers_state_aboard()}{' '}
          {props.checkInAt && <Ltr>{formatTime(props.checkInAt, props.timeZone)}</Ltr>}
        </Calm>
      )
    case 'no_show':
      return (
        <Chip tone="bad" icon={UserRoundX}>
          {m.travelers_state_no_show()}
        </Chip>
      )
    case 'missing':
      return (
        <Chip tone="bad" icon={UserRoundX}>
          {m.travelers_state_missing()}
        </Chip>
      )
    case 'left_early':
      return <Calm icon={LogOut}>{m.travelers_state_left_early()}</Calm>
    case 'finished':
      return <Calm icon={Flag}>{m.travelers_state_finished()}</Calm>
    case 'cancelled':
      return <Calm icon={CircleX}>{m.travelers_state_cancelled()}</Calm>
    case 'expected':
    case null:
      return props.isAhead ? (
        <Calm icon={Check}>{m.travelers_state_confirmed()}</Calm>
      ) : (
        <Calm icon={CircleDashed}>{m.travelers_state_expected()}</Calm>
      )
  }
}

function UnconfirmedState({ bookingStatus, expiresAt, waitlistRank, timeZone }: GuestStateProps) {
  switch (bookingStatus) {
    case 'waitlisted':
      return (
        <Chip tone="info" icon={Hourglass}>
          {m.travelers_state_waitlist({ rank: waitlistRank ?? 1 })}
        </Chip>
      )
    case 'on_hold':
      return (
        <Chip tone="warn" icon={Clock}>
          {m.travelers_state_hold()} {expiresAt && <Ltr>{formatTimeOrDate(expiresAt, timeZone)}</Ltr>}
        </Chip>
      )
    case 'requested':
      return (
        <Chip tone="info" icon={Clock}>
          {m.travelers_state_requested()}
        </Chip>
      )
    case 'expired':
      return <Calm icon={Clock}>{m.travelers_state_expired()}</Calm>
    case 'rejected':
      return <Calm icon={CircleX}>{m.travelers_state_rejected()}</Calm>
    default:
      return <Calm icon={CircleX}>{m.travelers_state_cancelled()}</Calm>
  }
}
