import {
  type Booking,
  confirmBooking,
  extendHold,
  offerBooking,
  rejectBooking,
} from '@tour-ops/contract/bookings/bookings'
import { useState } from 'react'
import { m } from '../../paraglide/messages.js'
import { refusalText } from '../../errors/refusal-text.ts'
import { Button } from '../../ui/button.tsx'
import { ConfirmDialog } from '../../ui/dialog.tsx'
import { DateTimeInput } from '../../ui/date-field.tsx'
import { Field, TextArea } from '../../ui/field.tsx'
import { formatMoment, formatZone } from '../../ui/format.ts'
import { momentOfWall, wallTimeOf } from '../../ui/wall-time.ts'
import { toast } from '../../ui/toast.tsx'
import { isStranded } from './booking-status.tsx'
import { CancelDialog } from './cancel-dialog.tsx'
import { MoveDialog } from './move-dialog.tsx'
import { useBookingWrite } from './use-booking-write.ts'
import { useRestore, useRestoreStatus } from './use-restore.ts'

type Asked = 'cancel' | 'extend' | 'move' | 'reject'

/** What can be done with a booking now; the main act is filled. Of one that has just been cancelled, its undo. */
export function BookingActions({ booking, isRestorable }: { booking: Booking; isRestorable: boolean }) {
  const [asked, setAsked] = useState<Asked | null>(null)
  const undoOf = useRestoreStatus()
  const confirm = useBookingWrite(confirmBooking, (confirmed) =>
    toast(m.bookings_confirmed_toast({ ref: booking.bookingRef }), undoOf(confirmed)),
  )
  const offer = useBookingWrite(offerBooking, (offered) => toast(heldText(offered), undoOf(offered)))
  const at = { id: booking.id, version: booking.version }
  const may = (to: Booking['status']) => booking.nextStatuses.includes(to)
  const mayMove = ['on_hold', 'confirmed', 'requested'].includes(booking.status)
  const mustMove = isStranded(booking)
  const { restore, isPending: isRestoring } = useRestore()
  const refused = confirm.error ?? offer.error
  const close = () => setAsked(null)
  return (
    <div className="grid w-full gap-2">
      {refused && (
        <p role="alert" className="font-medium text-bad">
          {refusalText(refused)}
        </p>
      )}
      <div className="flex flex-wrap items-center justify-end gap-2">
        {may('cancelled') && (
          <Button variant="ghost" className="me-auto" onClick={() => setAsked('cancel')}>
            {m.bookings_cancel()}
          </Button>
        )}
        {may('rejected') && (
          <Button variant="ghost" className="me-auto" onClick={() => setAsked('reject')}>
            {m.bookings_reject()}
          </Button>
        )}
        {isRestorable && (
          <Button pending={isRestoring} onClick={() => restore(booking)}>
            {m.bookings_restore()}
          </Button>
        )}
        {mayMove && (
          <Button variant={mustMove ? 'primary' : 'secondary'} onClick={() => setAsked('move')}>
            {m.bookings_move()}
          </Button>
        )}
        {booking.status === 'on_hold' && <Button onClick={() => setAsked('extend')}>{m.bookings_extend()}</Button>}
        {may('on_hold') && (
          <Button variant="primary" pending={offer.isPending} onClick={() => offer.mutate(at)}>
            {booking.status === 'waitlisted'
              ? m.bookings_offer({ count: booking.pax })
              : m.bookings_hold_again({ count: booking.pax })}
          </Button>
        )}
        {may('confirmed') && !mustMove && (
          <Button variant="primary" pending={confirm.isPending} onClick={() => confirm.mutate(at)}>
            {m.bookings_confirm({ count: booking.pax })}
          </Button>
        )}
      </div>
      {asked === 'cancel' && <CancelDialog booking={booking} onClose={close} />}
      {asked === 'reject' && <RejectDialog booking={booking} onClose={close} />}
      {asked === 'extend' && <ExtendDialog booking={booking} onClose={close} />}
      {asked === 'move' && <MoveDialog parties={[booking]} onClose={close} />}
    </div>
  )
}

const heldText = ({ expiresAt, timeZone }: Booking): string =>
  m.bookings_held_toast({ time: expiresAt ? formatMoment(expiresAt, timeZone) : '' })

interface BookingDialogProps {
  booking: Booking
  onClose: () => void
}

function RejectDialog({ booking, onClose }: BookingDialogProps) {
  const [reason, setReason] = useState('')
  const undoOf = useRestoreStatus()
  const reject = useBookingWrite(rejectBooking, (rejected) => {
    toast(m.bookings_rejected_toast({ ref: rejected.bookingRef }), undoOf(rejected))
    onClose()
  })
  return (
    <ConfirmDialog
      open
      onClose={onClose}
      danger
      title={m.bookings_reject_title({ ref: booking.bookingRef })}
      confirmLabel={m.bookings_reject()}
      pending={reject.isPending}
      error={reject.error ? refusalText(reject.error) : undefined}
      onConfirm={() => reject.mutate({ id: booking.id, version: booking.version, reason: reason.trim() || null })}
    >
      <Field label={m.bookings_note()}>
        <TextArea value={reason} maxLength={300} onChange={(event) => setReason(event.target.value)} />
      </Field>
    </ConfirmDialog>
  )
}

const hourMs = 3_600_000

function ExtendDialog({ booking, onClose }: BookingDialogProps) {
  const zone = booking.timeZone
  const [until, setUntil] = useState(() => {
    const wanted = Math.min(
      Date.parse(booking.expiresAt ?? booking.startsAt) + 24 * hourMs,
      Date.parse(booking.startsAt),
    )
    return wallTimeOf(wanted, zone)
  })
  const undoOf = useRestoreStatus()
  const extend = useBookingWrite(extendHold, (extended) => {
    toast(heldText(extended), undoOf(extended))
    onClose()
  })
  const moment = momentOfWall(until, zone)
  return (
    <ConfirmDialog
      open
      onClose={onClose}
      title={m.bookings_extend_title({ count: booking.pax })}
      confirmLabel={m.bookings_extend()}
      pending={extend.isPending}
      disabledReason={moment === null ? m.bookings_choose_time() : undefined}
      error={extend.error ? refusalText(extend.error) : undefined}
      onConfirm={() => moment && extend.mutate({ id: booking.id, version: booking.version, until: moment })}
    >
      <Field
        label={m.bookings_hold_end({ zone: formatZone(zone) })}
        hint={booking.expiresAt ? m.bookings_now_until({ time: formatMoment(booking.expiresAt, zone) }) : undefined}
      >
        <DateTimeInput value={until} onChange={setUntil} />
      </Field>
    </ConfirmDialog>
  )
}
