import { useQuery } from '@tanstack/react-query'
import { getGuestAges, hasAgeLimit } from '@tour-ops/contract/bookings/guest-ages'
import type { TourUnit } from '@tour-ops/contract/units'
import { callQuery } from '../../backend/queries.ts'
import { useAccess } from '../../identity/access.ts'
import type { Companion, Person } from './booking-choice.ts'
import type { KnownAges } from './party-ages.ts'

interface Wanted {
  readonly departureId: string | undefined
  /** Of a booking that is changed. */
  readonly bookingId?: string
  readonly caller: Person | null
  readonly companions: readonly Companion[]
  readonly prices: readonly TourUnit[]
}

/** What is known of the ages of guests on the day of a departure; asked only where prices depend on it. */
export function useKnownAges({ departureId, bookingId, caller, companions, prices }: Wanted): KnownAges {
  const { can } = useAccess()
  const travelerIds = [caller?.id, ...companions.map((guest) => guest.travelerId)]
    .filter((id) => id !== null && id !== undefined)
    .toSorted()
  const isAsked = prices.some(hasAgeLimit) && travelerIds.length > 0 && can('travelers:read')
  const { data } = useQuery({
    ...callQuery(getGuestAges, { departureId: departureId ?? '', travelerIds, ...(bookingId && { bookingId }) }),
    enabled: departureId !== undefined && isAsked,
    // while a guest is added, the others keep their seats; on another day they are of another age
    placeholderData: (before, query) => (query?.queryKey[1].departureId === departureId ? before : undefined),
  })
  return new Map(data?.guests.map((guest) => [guest.travelerId, guest]))
}
