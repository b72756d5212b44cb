import { type Booking, restoreBooking, takeBackMinutes } from '@tour-ops/contract/bookings/bookings'
import { bringSomeBack } from '@tour-ops/contract/bookings/move-some'
import { restoreNames, restoreParty } from '@tour-ops/contract/bookings/party'
import { restoreStatus } from '@tour-ops/contract/bookings/restore-status'
import { restoreRevision } from '@tour-ops/contract/bookings/revise'
import { joinParties, restoreJoin } from '@tour-ops/contract/bookings/split'
import { refusalText } from '../../errors/refusal-text.ts'
import { m } from '../../paraglide/messages.js'
import { useNow } from '../../ui/clock.ts'
import { toast } from '../../ui/toast.tsx'
import { useBookingWrite } from './use-booking-write.ts'

/** How often it is looked whether a cancellation can still be undone. */
const clockMs = 30_000

/** Whether the booking was cancelled so lately that it can be undone; not by itself, with its departure. */
export function useIsRestorable({ status, cancelledAt, cancelReason }: Booking): boolean {
  const isCancelled = status === 'cancelled' && cancelReason !== 'departure_cancelled'
  const now = useNow(isCancelled ? clockMs : null)
  return isCancelled && cancelledAt !== null && now < Date.parse(cancelledAt) + takeBackMinutes * 60_000
}

/** Undoes the cancellation of a booking, and says so or why not. */
export function useRestore(): {
  restore: (booking: Restored) => void
  isPending: boolean
} {
  const write = useBookingWrite(restoreBooking)
  return { restore: (booking) => bringBack(booking, write.mutateAsync), isPending: write.isPending }
}

/** Makes a party again what it was before it changed, and says so or why not. */
export function useRestoreParty(): (booking: Restored) => void {
  const write = useBookingWrite(restoreParty)
  return (booking) => bringBack(booking, write.mutateAsync)
}

/** Takes back everything that was changed of a booking with one press, and says so or why not. */
export function useRestoreRevision(): (booking: Restored) => void {
  const write = useBookingWrite(restoreRevision)
  return (booking) => bringBack(booking, write.mutateAsync)
}

/** Undoes that a booking was confirmed, rejected, offered seats or held longer, and says so or why not; as the button of a message about it. */
export function useRestoreStatus(): (booking: Restored) => { label: string; onPress: () => void } {
  const write = useBookingWrite(restoreStatus)
  return (booking) => ({ label: m.ui_undo(), onPress: () => bringBack(booking, write.mutateAsync) })
}

/** Undoes who was named on a booking, and says so or why not. */
export function useRestoreNames(): (booking: Restored) => void {
  const write = useBookingWrite(restoreNames)
  return (booking) => bringBack(booking, write.mutateAsync)
}

/** Makes one party again of two that were split, and says so or why not. */
export function useJoinAgain(): (booking: Restored, other: Restored) => void {
  const write = useBookingWrite(joinParties)
  return (booking, { id, version }) =>
    bringBack(booking, (first) => write.mutateAsync({ ...first, other: { id, version } }))
}

/** Brings guests of a party back who were moved, and says so or why not. */
export function useBringBack(): (booking: Restored, other: Restored) => void {
  const write = useBookingWrite(bringSomeBack)
  return (booking, { id, version }) =>
    bringBack(booking, (first) => write.mutateAsync({ ...first, other: { id, version } }))
}

/** Makes two parties again of the one that they became, and says so or why not. */
export function useTakeApart(): (booking: Restored, other: Restored) => void {
  const write = useBookingWrite(restoreJoin)
  return (booking, { bookingRef: other }) =>
    bringBack(booking, write.mutateAsync, m.bookings_join_undone({ ref: booking.bookingRef, other }))
}

type Restored = Pick<Booking, 'id' | 'version' | 'bookingRef'>

/** The dialog that offers it is gone by then, and with it what a mutation calls back; its promise is not. */
function bringBack(
  { id, version, bookingRef: ref }: Restored,
  write: (input: { id: string; version: number }) => Promise<unknown>,
  says = m.bookings_restored_toast({ ref }),
): void {
  void write({ id, version })
    .then(() => toast(says))
    .catch((refused: unknown) => toast(refusalText(refused)))
}
