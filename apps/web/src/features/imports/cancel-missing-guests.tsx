import { useQuery } from '@tanstack/react-query'
import { getBooking } from '@tour-ops/contract/bookings/bookings'
import type { MissingParty } from '@tour-ops/contract/imports/import-missing'
import { callQuery } from '../../backend/queries.ts'
import { refusalText } from '../../errors/refusal-text.ts'
import { m } from '../../paraglide/messages.js'
import { Dialog } from '../../ui/dialog.tsx'
import { ErrorPanel } from '../../ui/error-panel.tsx'
import { SkeletonRows } from '../../ui/skeleton.tsx'
import { PartyDialog } from '../bookings/index.ts'

/** The dialog of the booking's page for a smaller party, with those who are not in the file proposed to leave. */
export function CancelMissingGuests({ party, onClose }: { party: MissingParty; onClose: () => void }) {
  const { data: booking, error, refetch } = useQuery(callQuery(getBooking, { id: party.bookingId }))
  if (booking) return <PartyDialog booking={booking} leaving={party.travelerIds} onClose={onClose} />
  return (
    <Dialog open wide onClose={onClose} title={m.bookings_party_title({ ref: party.bookingRef })}>
      {error ? (
        <ErrorPanel message={refusalText(error)} requestId={error.details.requestId} onRetry={() => void refetch()} />
      ) : (
        <SkeletonRows rows={4} />
      )}
    </Dialog>
  )
}
