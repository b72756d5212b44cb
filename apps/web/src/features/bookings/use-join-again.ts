import type { Booking } from '@tour-ops/contract/bookings/bookings'
import { joinParties } from '@tour-ops/contract/bookings/split'
import { refusalText } from '../../errors/refusal-text.ts'
import { m } from '../../paraglide/messages.js'
import { toast } from '../../ui/toast.tsx'
import { useBookingWrite } from './use-booking-write.ts'

type Versioned = Pick<Booking, 'id' | 'version' | 'bookingRef'>

/** Makes one party again of two that were split, and says so or why not. The dialog is gone by then; the promise of the write is not. */
export function useJoinAgain(): (first: Versioned, other: Versioned) => void {
  const { mutateAsync } = useBookingWrite(joinParties)
  return (first, other) => {
    void mutateAsync({ id: first.id, version: first.version, other: { id: other.id, version: other.version } })
      .then(() => toast(m.bookings_restored_toast({ ref: first.bookingRef })))
      .catch((refused: unknown) => toast(refusalText(refused)))
  }
}
