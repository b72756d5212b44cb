import { useNavigate } from '@tanstack/react-router'
import type { Departure } from '@tour-ops/contract/departures/departures'
import type { ManifestEntry } from '@tour-ops/contract/bookings/manifest'
import {
  Check,
  CheckCheck,
  CircleDashed,
  CircleX,
  Flag,
  LogOut,
  MoreHorizontal,
  Search,
  Ticket,
  Undo2,
  UserRoundX,
} from 'lucide-react'
import { m } from '../../paraglide/messages.js'
import { Button } from '../../ui/button.tsx'
import { Calm } from '../../ui/chip.tsx'
import { formatTime } from '../../ui/format.ts'
import { Ltr } from '../../ui/ltr.tsx'
import { Menu, type MenuAction } from '../../ui/menu.tsx'
import { mayBeNoShow, mayUndo } from './manifest-model.ts'
import type { CheckIns } from './use-check-in.ts'

export interface EntryStateProps {
  entry: ManifestEntry
  bookingId: string
  departure: Departure
  checkIns: CheckIns
  mayWrite: boolean
}

/** The state of one guest, or the button that checks them in, with rarer actions in a menu. */
export function EntryState({ entry, bookingId, departure, checkIns, mayWrite }: EntryStateProps) {
  return (
    <span className="ms-auto flex min-w-[104px] shrink-0 items-center justify-end gap-1">
      {entry.status === 'expected' && mayWrite ? (
        <Button
          size="sm"
          aria-label={m.departures_check_in_named({ name: entry.name })}
          onClick={() => checkIns.checkIn([entry.id])}
        >
          {m.departures_check_in()}
        </Button>
      ) : (
        <State entry={entry} departure={departure} isPending={checkIns.pending.has(entry.id)} />
      )}
      <EntryMenu {...{ entry, bookingId, checkIns, mayWrite }} />
    </span>
  )
}

function State({ entry, departure, isPending }: Pick<EntryStateProps, 'entry' | 'departure'> & { isPending: boolean }) {
  const time = entry.checkInAt && <Ltr>{formatTime(entry.checkInAt, departure.timeZone)}</Ltr>
  if (isPending) {
    return (
      <Calm tone="ok" icon={Check}>
        <span className="text-ink-2">{m.departures_sending()}</span> {time}
      </Calm>
    )
  }
  switch (entry.status) {
    case 'checked_in':
    case 'on_tour':
      return (
        <Calm tone="ok" icon={CheckCheck}>
          <span className="sr-only">{m.travelers_state_aboard()}</span> {time}
        </Calm>
      )
    case 'no_show':
      return (
        <span className="calm !text-bad">
          <UserRoundX size={15} strokeWidth={2.25} aria-hidden />
          {m.travelers_state_no_show()}
        </span>
      )
    case 'missing':
      return (
        <span className="calm !text-bad">
          <UserRoundX size={15} strokeWidth={2.25} aria-hidden />
          {m.travelers_state_missing()}
        </span>
      )
    case 'left_early':
      return <Calm icon={LogOut}>{m.travelers_state_left_early()}</Calm>
    case 'finished':
      return <Calm icon={Flag}>{m.travelers_state_finished()}</Calm>
    case 'expected':
    case 'cancelled':
      return departure.status === 'cancelled' ? (
        <Calm icon={CircleX}>{m.travelers_state_departure_cancelled()}</Calm>
      ) : (
        <Calm icon={CircleDashed}>{m.travelers_state_expected()}</Calm>
      )
  }
}

type EntryMenuProps = Pick<EntryStateProps, 'entry' | 'bookingId' | 'checkIns' | 'mayWrite'>

function EntryMenu({ entry, bookingId, checkIns, mayWrite }: EntryMenuProps) {
  const navigate = useNavigate()
  const openBooking = () =>
    void navigate({
      to: '.',
      search: (before) => ({ ...before, booking: bookingId }),
      resetScroll: false,
    })
  const actions: (MenuAction | false)[] = [
    mayWrite &&
      mayUndo(entry) && {
        key: 'undo',
        label: m.departures_undo_check_in(),
        icon: Undo2,
        onSelect: () => checkIns.undo([entry.id]),
      },
    mayWrite &&
      entry.status === 'no_show' && {
        key: 'late',
        label: m.departures_came_late(),
        icon: Check,
        onSelect: () => checkIns.checkIn([entry.id]),
      },
    mayWrite &&
      mayBeNoShow(entry) && {
        key: 'no-show',
        label: m.departures_no_show(),
        icon: UserRoundX,
        onSelect: () => checkIns.noShow([entry.id]),
      },
    mayWrite &&
      entry.status === 'on_tour' && {
        key: 'missing',
        label: m.departures_mark_missing(),
        icon: Search,
        danger: true,
        onSelect: () => checkIns.setStatus(entry, 'missing'),
      },
    mayWrite &&
      entry.status === 'missing' && {
        key: 'found',
        label: m.departures_mark_found(),
        icon: CheckCheck,
        onSelect: () => checkIns.setStatus(entry, 'on_tour'),
      },
    mayWrite &&
      entry.status === 'left_early' && {
        key: 'not-left',
        label: m.departures_mark_not_left(),
        icon: CheckCheck,
        onSelect: () => checkIns.setStatus(entry, 'on_tour'),
      },
    mayWrite &&
      (entry.status === 'on_tour' || entry.status === 'missing') && {
        key: 'left',
        label: m.departures_mark_left_early(),
        icon: LogOut,
        onSelect: () => checkIns.setStatus(entry, 'left_early'),
      },
    { key: 'booking', label: m.departures_open_booking(), icon: Ticket, onSelect: openBooking },
  ]
  return (
    <Menu
      label={m.departures_guest_acts({ name: entry.name })}
      icon={MoreHorizontal}
      align="end"
      className="icon-btn-sm -me-3 lg:absolute lg:end-0 lg:me-0 lg:!w-6 opacity-0 group-hover/row:opacity-100 coarse:opacity-100 focus-visible:!opacity-100 aria-expanded:!opacity-100"
      items={actions.filter((act) => act !== false)}
    />
  )
}
