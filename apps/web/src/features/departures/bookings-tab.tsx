import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { type BookingRow, confirmBooking, listBookings, offerBooking } from '@tour-ops/contract/bookings/bookings'
import { balanceOf } from '@tour-ops/contract/bookings/cancellation'
import { type Departure, setDepartureSales } from '@tour-ops/contract/departures/departures'
import {
  endedStatuses,
  nextStatuses,
  hasStatus,
  notLeftStatuses,
  soldStatuses,
} from '@tour-ops/contract/state-machines'
import { Mail, Plus } from 'lucide-react'
import { useState } from 'react'
import { callQuery } from '../../backend/queries.ts'
import { useAccess } from '../../identity/access.ts'
import { m } from '../../paraglide/messages.js'
import { Button, buttonClass } from '../../ui/button.tsx'
import { Chip } from '../../ui/chip.tsx'
import { Empty } from '../../ui/empty.tsx'
import { ErrorPanel } from '../../ui/error-panel.tsx'
import { formatMoment, formatMoney } from '../../ui/format.ts'
import { Ltr } from '../../ui/ltr.tsx'
import { Menu } from '../../ui/menu.tsx'
import { SkeletonRows } from '../../ui/skeleton.tsx'
import { toast } from '../../ui/toast.tsx'
import { BookingLink } from '../../records/booking-link.tsx'
import { Feedback } from '../../records/feedback.ts'
import {
  BookingStatus,
  FormHolds,
  isStranded,
  unitsText,
  MoveDialog,
  useBookingWrite,
  useRestoreStatus,
} from '../bookings/index.ts'
import { MoveGuests } from './move-guests.tsx'
import { salesLabel } from './sales-labels.ts'
import { refusalText } from '../../errors/refusal-text.ts'
import { useDepartureWrite } from './use-departure-write.ts'

/** Bookings that wait for a decision are on top; past ones are folded. */
const groups = [
  { key: 'holds', title: m.departures_bookings_holds, statuses: ['on_hold', 'requested'] },
  { key: 'waitlist', title: m.departures_bookings_waitlist, statuses: ['waitlisted'] },
  { key: 'confirmed', title: m.departures_bookings_confirmed, statuses: soldStatuses },
  { key: 'over', title: m.departures_bookings_over, statuses: endedStatuses },
] as const

/** Parties of the departure: holds, waitlist, sold. */
export function BookingsTab({ departure }: { departure: Departure }) {
  const { can } = useAccess()
  const { data, error, refetch } = useQuery(
    callQuery(listBookings, {
      filters: { departureId: [departure.id] },
      sort: [{ by: 'waitlistRank' }, { by: 'expiresAt' }, { by: 'contact' }],
      size: 500,
    }),
  )
  return (
    <>
      <SeatsBar departure={departure} />
      <MoveGuests departure={departure} />
      {error && !data && (
        <ErrorPanel message={refusalText(error)} requestId={error.details.requestId} onRetry={() => void refetch()} />
      )}
      {!data && !error && <SkeletonRows rows={8} />}
      {data?.rows.length === 0 && (
        <Empty title={m.departures_bookings_empty()}>{m.departures_bookings_empty_text()}</Empty>
      )}
      {data &&
        groups.map(({ key, title, statuses }) => {
          const rows = data.rows.filter((row) => (statuses as readonly string[]).includes(row.status))
          if (rows.length === 0) return null
          const list = <PartyList rows={rows} departure={departure} />
          const heading = `${title()} ${rows.length}`
          return key === 'over' ? (
            <details key={key} className="border-b border-line">
              <summary className="flex min-h-9 cursor-pointer items-center bg-surface-2 px-4 font-semibold text-ink-strong lg:px-6">
                {heading}
              </summary>
              {list}
            </details>
          ) : (
            <section key={key} aria-label={title()}>
              <h3 className="flex min-h-9 items-center gap-2 border-b border-line bg-surface-2 px-4 text-sm font-semibold lg:px-6">
                {title()} <span className="num font-normal text-ink-2">{rows.length}</span>
              </h3>
              {list}
            </section>
          )
        })}
      {departure.status === 'completed' && can('reports:read') && <Feedback of={{ departureId: departure.id }} />}
    </>
  )
}

const salesActions = {
  open: m.departures_sales_act_open,
  paused: m.departures_sales_act_pause,
  closed: m.departures_sales_act_close,
}

/** Seats as text, sales switch, and the way to a new booking. */
function SeatsBar({ departure }: { departure: Departure }) {
  const { can } = useAccess()
  const sales = useDepartureWrite(
    setDepartureSales,
    () => toast(m.departures_sales_changed()),
    (error) => toast(refusalText(error)),
  )
  const next = nextStatuses('departure_sales', departure.salesStatus)
  const isAhead = departure.status === 'draft' || hasStatus(notLeftStatuses, departure.status)
  const mayBook = isAhead && can('bookings:manage') && can('travelers:manage')
  const words = [
    m.departures_seats_confirmed({ count: departure.seatsConfirmed }),
    departure.seatsHeld > 0 && m.departures_seats_held({ count: departure.seatsHeld }),
    departure.status !== 'cancelled' && m.departures_seats_left({ count: departure.seatsLeft }),
    departure.overbookLimit > 0 && m.departures_overbook({ count: departure.overbookLimit }),
  ]
  return (
    <div className="flex flex-wrap items-center gap-2 border-b border-line px-4 py-2.5 lg:px-6">
      <div className="min-w-[180px] flex-1 text-ink-2" role="status">
        {words.filter(Boolean).join(' · ')}
        <FormHolds holds={departure.formHolds} zone={departure.timeZone} />
      </div>
      {isAhead && can('departures:dispatch') ? (
        <Menu
          label={m.departures_sales_label({ status: salesLabel(departure.salesStatus) })}
          look={{ size: 'sm' }}
          chevron
          align="end"
          items={next.map((to) => ({
            key: to,
            label: salesActions[to](),
            onSelect: () => sales.mutate({ ids: [departure.id], to }),
          }))}
        >
          {salesLabel(departure.salesStatus)}
        </Menu>
      ) : (
        <span className="text-ink-2">{salesLabel(departure.salesStatus)}</span>
      )}
      {mayBook && (
        <Link to="/travelers/book" search={{ bookOn: departure.id }} className={buttonClass({ size: 'sm' })}>
          <Plus size={14} aria-hidden />
          {m.departures_new_booking()}
        </Link>
      )}
    </div>
  )
}

function PartyList({ rows, departure }: { rows: readonly BookingRow[]; departure: Departure }) {
  return (
    <ul>
      {rows.map((row) => (
        <PartyRow key={row.id} row={row} departure={departure} />
      ))}
    </ul>
  )
}

function PartyRow({ row, departure }: { row: BookingRow; departure: Departure }) {
  const { can } = useAccess()
  const [isMoving, setMoving] = useState(false)
  const undoOf = useRestoreStatus()
  const confirm = useBookingWrite(confirmBooking, (confirmed) =>
    toast(m.bookings_confirmed_toast({ ref: row.bookingRef }), undoOf(confirmed)),
  )
  const offer = useBookingWrite(offerBooking, (offered) =>
    toast(
      m.bookings_held_toast({ time: offered.expiresAt ? formatMoment(offered.expiresAt, row.timeZone) : '' }),
      undoOf(offered),
    ),
  )
  const { dueMinor } = balanceOf(row)
  const at = { id: row.id, version: row.version }
  const refused = confirm.error ?? offer.error
  const mayAct = can('bookings:manage')
  const fits = departure.seatsLeft >= row.pax
  return (
    <li className="border-b border-line">
      <div className="flex min-h-12 flex-wrap items-center gap-x-3 gap-y-1 px-4 py-1.5 lg:px-6">
        <span className="min-w-[180px] flex-1">
          <BookingLink id={row.id} className="font-medium text-ink-strong hover:underline">
            <bdi>{row.contact.name}</bdi>
          </BookingLink>{' '}
          <Ltr className="text-ink-2">{row.bookingRef}</Ltr>
          <span className="block truncate text-xs text-ink-2">
            {[
              unitsText(row.units),
              row.pickupPlaceName,
              dueMinor > 0 && m.departures_due({ amount: formatMoney(dueMinor, row.currency) }),
            ]
              .filter(Boolean)
              .join(' · ')}
          </span>
        </span>
        {row.unreadMessages > 0 && (
          <Chip tone="warn" icon={Mail}>
            {m.bookings_thread_unread({ count: row.unreadMessages })}
          </Chip>
        )}
        <BookingStatus booking={row} />
        {mayAct && isStranded(row) && (
          <Button size="sm" onClick={() => setMoving(true)}>
            {m.bookings_move()}
          </Button>
        )}
        {mayAct && !isStranded(row) && (row.status === 'on_hold' || row.status === 'requested') && (
          <Button size="sm" pending={confirm.isPending} onClick={() => confirm.mutate(at)}>
            {m.departures_confirm()}
          </Button>
        )}
        {mayAct && row.status === 'waitlisted' && (
          <Button
            size="sm"
            pending={offer.isPending}
            disabledReason={fits ? undefined : m.departures_seats_short({ count: row.pax - departure.seatsLeft })}
            onClick={() => offer.mutate(at)}
          >
            {m.departures_offer()}
          </Button>
        )}
      </div>
      {isMoving && <MoveDialog parties={[row]} onClose={() => setMoving(false)} />}
      {refused && (
        <p role="alert" className="px-4 pb-2 font-medium text-bad lg:px-6">
          {refusalText(refused)}
        </p>
      )}
    </li>
  )
}
