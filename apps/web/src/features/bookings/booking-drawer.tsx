import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { type Booking, getBooking } from '@tour-ops/contract/bookings/bookings'
import { balanceOf } from '@tour-ops/contract/bookings/cancellation'
import { Pencil, UsersRound } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { refusalText } from '../../errors/refusal-text.ts'
import { callQuery } from '../../backend/queries.ts'
import { useAccess } from '../../identity/access.ts'
import { m } from '../../paraglide/messages.js'
import { saleChannelLabel } from '../../records/sale-channel-labels.ts'
import { Banner } from '../../ui/banner.tsx'
import { Button, buttonClass } from '../../ui/button.tsx'
import { Definition, DefinitionList } from '../../ui/definition-list.tsx'
import { Drawer } from '../../ui/drawer.tsx'
import { ErrorPanel } from '../../ui/error-panel.tsx'
import {
  formatCountry,
  formatDay,
  formatDayTime,
  formatDayTimeThere,
  formatLanguage,
  formatMoney,
  formatTimeThere,
  viewerZone,
} from '../../ui/format.ts'
import { loadLater } from '../../ui/load-later.tsx'
import { Ltr } from '../../ui/ltr.tsx'
import { SkeletonRows } from '../../ui/skeleton.tsx'
import type { RecordDrawerProps } from '../../records/record-drawers.tsx'
import { dietLabel, TravelerFlags } from '../../records/traveler-flags.tsx'
import { Feedback } from '../../records/feedback.ts'
import { GuestState } from '../../records/guest-state.tsx'
import { BookingMessages } from './booking-messages.tsx'
import { BookingThread } from './booking-thread.tsx'
import { BookingActions } from './booking-actions.tsx'
import { BookingStatus, isLiving, isStranded } from './booking-status.tsx'
import { paymentLabel, reasonLabel, unitsText } from './booking-labels.ts'
import { unitLabel } from '../../records/unit-labels.ts'
import { useIsRestorable } from './use-restore.ts'
import { GuestsDialog } from './guests-dialog.tsx'
import { PartyDialog } from './party-dialog.tsx'
import { JoinDialog, SplitDialog } from './split-later.ts'

const BookingMoney = loadLater(
  async () => (await import('./booking-money.tsx')).BookingMoney,
  <SkeletonRows rows={3} />,
)

/** A booking over any screen, at `?booking={id}`. See docs/screens.md, "Records over any screen". */
export function BookingDrawer({ id, onClose }: RecordDrawerProps) {
  const { data: booking, error, refetch } = useQuery(callQuery(getBooking, { id }))
  if (!booking) {
    return (
      <Drawer
        label={m.bookings_booking()}
        onClose={onClose}
        head={<h2 className="text-xl font-semibold">{m.bookings_booking()}</h2>}
      >
        {error ? (
          <ErrorPanel
            message={error.code === 'not-found' ? m.bookings_not_found() : refusalText(error)}
            requestId={error.details.requestId}
            {...(error.code !== 'not-found' && { onRetry: () => void refetch() })}
          />
        ) : (
          <SkeletonRows rows={8} />
        )}
      </Drawer>
    )
  }
  return <LoadedBooking booking={booking} onClose={onClose} />
}

function LoadedBooking({ booking, onClose }: { booking: Booking; onClose: () => void }) {
  const { can } = useAccess()
  const [editing, setEditing] = useState<'guests' | 'party' | 'split' | 'join' | null>(null)
  const isRestorable = useIsRestorable(booking)
  const mayChange = can('bookings:manage') && isLiving(booking.status)
  const close = () => setEditing(null)
  return (
    <Drawer
      label={m.bookings_label({ ref: booking.bookingRef })}
      onClose={onClose}
      head={
        <div className="flex min-w-0 flex-wrap items-baseline gap-x-3">
          <h2 className="truncate text-xl font-semibold tracking-tight">
            <bdi>{booking.contact.name}</bdi>
          </h2>
          <Ltr className="text-ink-2">{booking.bookingRef}</Ltr>
        </div>
      }
      subhead={
        <div className="pb-3">
          <div className="flex items-center gap-3">
            <p className="min-w-0 flex-1 truncate text-ink-2">
              <DepartureLine booking={booking} />
            </p>
            {mayChange && (
              <Link to="/travelers/book" search={{ edit: booking.id }} className={buttonClass({ size: 'sm' })}>
                <Pencil size={16} aria-hidden />
                {m.bookings_edit()}
              </Link>
            )}
          </div>
          <div className="mt-2 flex flex-wrap items-center gap-3">
            <BookingStatus booking={booking} />
            <span className="text-ink-2">{unitsText(booking.units)}</span>
            <span className="num ms-auto font-semibold text-ink-strong">
              {formatMoney(booking.amountTotalMinor, booking.currency)}
            </span>
          </div>
        </div>
      }
      footer={
        can('bookings:manage') && (booking.nextStatuses.length > 0 || isRestorable) ? (
          <BookingActions booking={booking} isRestorable={isRestorable} />
        ) : undefined
      }
    >
      {isStranded(booking) && (
        <div className="border-b border-line px-4 py-3 lg:px-6">
          <Banner tone="warn" role="status" title={m.bookings_departure_cancelled_title()}>
            {m.bookings_departure_cancelled_text()}
          </Banner>
        </div>
      )}
      <Guests
        booking={booking}
        onEdit={mayChange && can('travelers:read') ? () => setEditing('guests') : undefined}
        onParty={mayChange && booking.status !== 'expired' ? () => setEditing('party') : undefined}
      />
      <Details booking={booking} />
      <BookingMoney booking={booking} />
      {booking.status === 'completed' && can('reports:read') && <Feedback of={{ bookingId: booking.id }} />}
      <BookingThread booking={booking} />
      <BookingMessages id={booking.id} />
      {editing === 'guests' && <GuestsDialog booking={booking} onClose={close} />}
      {editing === 'party' && <PartyDialog booking={booking} onClose={close} onDivide={setEditing} />}
      {editing === 'split' && <SplitDialog booking={booking} onClose={close} />}
      {editing === 'join' && <JoinDialog booking={booking} onClose={close} />}
    </Drawer>
  )
}

/** The departure as a link; its drawer takes the place of this one. */
function DepartureLine({ booking }: { booking: Booking }) {
  return (
    <>
      <Link
        to="."
        search={(before) => ({ ...before, departure: booking.departureId, booking: undefined })}
        className="link"
      >
        {booking.tourName}
      </Link>{' '}
      <Ltr>{formatDayTimeThere(booking.startsAt, booking.timeZone)}</Ltr> · <Ltr>{booking.departureCode}</Ltr>
    </>
  )
}

interface PartProps {
  booking: Booking
  onEdit: (() => void) | undefined
}

function SectionHead({
  title,
  id,
  edit,
  onEdit,
  children,
}: {
  title: string
  id: string
  edit: string
  onEdit: (() => void) | undefined
  /** Before the button that edits. */
  children?: ReactNode
}) {
  return (
    <div className="flex min-h-11 items-center gap-2 px-4 pt-2 lg:px-6">
      <h3 id={id} className="flex-1 text-base font-semibold">
        {title}
      </h3>
      {children}
      {onEdit && (
        <Button size="sm" icon={Pencil} onClick={onEdit}>
          {edit}
        </Button>
      )}
    </div>
  )
}

/** Diet, and what the guest said of it and the name on the link of the booking. */
function GuestDetails({ guest: { dietary, confirmedAt, isChangedSince } }: { guest: Booking['guests'][number] }) {
  const confirmed =
    confirmedAt !== null &&
    (isChangedSince ? m.bookings_details_changed() : m.bookings_details_confirmed({ time: formatDayTime(confirmedAt) }))
  const texts = [...dietary.map(dietLabel), ...(confirmed ? [confirmed] : [])]
  return texts.length > 0 && <span className="block pb-1 text-xs text-ink-2">{texts.join(' · ')}</span>
}

function Guests({ booking, onEdit, onParty }: PartProps & { onParty: (() => void) | undefined }) {
  const { can } = useAccess()
  if (!can('travelers:read')) return null
  const named = booking.guests.filter((guest) => guest.status !== 'cancelled')
  const unnamed = Math.max(0, booking.pax - named.length)
  const isOver = !isLiving(booking.status) && booking.status !== 'completed'
  return (
    <section aria-labelledby="booking-guests" className="border-b border-line pb-2">
      <SectionHead id="booking-guests" title={m.bookings_guests()} edit={m.bookings_name_guests()} onEdit={onEdit}>
        {onParty && (
          <Button size="sm" icon={UsersRound} onClick={onParty}>
            {m.bookings_party()}
          </Button>
        )}
      </SectionHead>
      <ul>
        {(isOver ? booking.guests : named).map((guest) => (
          <li key={guest.travelerId} className="flex min-h-9 items-center gap-3 px-4 lg:px-6">
            <span className="min-w-0 flex-1">
              <span className="block truncate">
                <Link
                  to="/travelers/details/$id"
                  params={{ id: guest.travelerId }}
                  className="font-medium text-ink-strong hover:underline"
                >
                  <bdi>{guest.name}</bdi>
                </Link>{' '}
                <span className="text-ink-2">· {unitLabel(guest.unitType)}</span>
              </span>
              <GuestDetails guest={guest} />
              {guest.childSeat && <TravelerFlags flags={['child_seat']} />}
              {guest.note && <span className="block text-xs whitespace-pre-line text-ink-2">{guest.note}</span>}
            </span>
            {booking.status === 'confirmed' && (
              <GuestState
                bookingStatus={booking.status}
                departureStatus={booking.departureStatus}
                entryStatus={guest.status}
                checkInAt={null}
                expiresAt={booking.expiresAt}
                waitlistRank={booking.waitlistRank}
                timeZone={booking.timeZone}
                isAhead={guest.status === 'expected'}
              />
            )}
          </li>
        ))}
      </ul>
      {unnamed > 0 && !isOver && (
        <p className="px-4 py-1.5 text-ink-2 lg:px-6">{m.bookings_unnamed({ count: unnamed })}</p>
      )}
    </section>
  )
}

function Details({ booking }: Pick<PartProps, 'booking'>) {
  const { contact } = booking
  const { dueMinor, refundMinor } = balanceOf(booking)
  return (
    <section aria-labelledby="booking-details">
      <div className="flex min-h-11 items-center px-4 pt-2 lg:px-6">
        <h3 id="booking-details" className="text-base font-semibold">
          {m.bookings_details()}
        </h3>
      </div>
      <div className="lg:px-2">
        <DefinitionList>
          <Definition label={m.bookings_phone()}>
            {contact.phone && (
              <a className="link" href={`tel:${contact.phone}`}>
                <Ltr>{contact.phone}</Ltr>
              </a>
            )}
          </Definition>
          <Definition label={m.bookings_email()}>
            {contact.email && (
              <a className="link break-all" href={`mailto:${contact.email}`}>
                {contact.email}
              </a>
            )}
          </Definition>
          {(contact.locale ?? contact.country) && (
            <Definition label={m.bookings_language()}>
              {[contact.locale && formatLanguage(contact.locale), contact.country && formatCountry(contact.country)]
                .filter(Boolean)
                .join(', ')}
            </Definition>
          )}
          <Definition label={m.bookings_pickup()}>
            {booking.pickupPlaceName && (
              <>
                {booking.pickupAt && <Ltr>{formatTimeThere(booking.pickupAt, booking.timeZone)}</Ltr>}{' '}
                {booking.pickupPlaceName}
              </>
            )}
          </Definition>
          <Definition label={m.bookings_payment()}>
            {paymentLabel(booking.paymentStatus)}
            {refundMinor > 0 && (
              <span className="text-warn">
                {' '}
                {m.bookings_to_refund({ amount: formatMoney(refundMinor, booking.currency) })}
              </span>
            )}
            {dueMinor > 0 && (
              <span className="text-warn">
                {' '}
                · {m.bookings_open_amount({ amount: formatMoney(dueMinor, booking.currency) })}
              </span>
            )}
          </Definition>
          {booking.cancellationFeeMinor > 0 && (
            <Definition label={m.bookings_fee()}>
              {[formatMoney(booking.cancellationFeeMinor, booking.currency), booking.cancellationFeeReason]
                .filter(Boolean)
                .join(' · ')}
            </Definition>
          )}
          {booking.discount && (
            <Definition label={m.bookings_discount({ code: booking.discount.code })}>
              {formatMoney(0 - booking.discount.amountMinor, booking.currency)}
            </Definition>
          )}
          {booking.priceReason && <Definition label={m.bookings_price_reason()}>{booking.priceReason}</Definition>}
          <Definition label={m.bookings_channel()}>
            {[saleChannelLabel(booking.channel), booking.sellerName, booking.externalRef].filter(Boolean).join(' · ')}
          </Definition>
          <Definition label={m.bookings_notes()}>
            {booking.notes && <span className="whitespace-pre-line">{booking.notes}</span>}
          </Definition>
          <Definition label={m.bookings_created()}>{formatDayTimeThere(booking.createdAt, viewerZone())}</Definition>
          {booking.cancelReason && (
            <Definition label={m.bookings_ended()}>
              {booking.cancelledAt && `${formatDay(booking.cancelledAt)} · `}
              {reasonLabel(booking.cancelReason)}
            </Definition>
          )}
        </DefinitionList>
      </div>
    </section>
  )
}
