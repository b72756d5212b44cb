import { useQuery } from '@tanstack/react-query'
import { listBookings } from '@tour-ops/contract/bookings/bookings'
import type { Departure } from '@tour-ops/contract/departures/departures'
import { useState } from 'react'
import { callQuery } from '../../backend/queries.ts'
import { useAccess } from '../../identity/access.ts'
import { m } from '../../paraglide/messages.js'
import { Banner } from '../../ui/banner.tsx'
import { Button } from '../../ui/button.tsx'
import { MoveDialog } from '../bookings/index.ts'
import { MessageGuests } from '../notifications/index.ts'

/** On a cancelled departure: who is still booked, and the way to move them; nothing once everybody is. */
export function MoveGuests({ departure }: { departure: Departure }) {
  const { can } = useAccess()
  const [isMoving, setMoving] = useState(false)
  const isCancelled = departure.status === 'cancelled'
  const { data } = useQuery({
    ...callQuery(listBookings, {
      filters: { departureId: [departure.id], status: ['confirmed', 'requested'] },
      sort: [{ by: 'contact' }],
      // as many as one move takes
      size: 100,
    }),
    enabled: isCancelled && can('bookings:read'),
  })
  const parties = data?.rows ?? []
  if (!isCancelled || (parties.length === 0 && !isMoving)) return null
  return (
    <div className="border-b border-line px-4 py-3 lg:px-6">
      <Banner
        tone="warn"
        role="status"
        title={m.departures_cancelled_guests({ count: parties.reduce((sum, party) => sum + party.pax, 0) })}
        actions={
          <>
            <MessageGuests
              size="sm"
              guests={{ departureIds: [departure.id], bookingIds: [] }}
              template="departure_cancelled"
            />
            {can('bookings:manage') && (
              <Button size="sm" variant="primary" onClick={() => setMoving(true)}>
                {m.departures_move_guests()}
              </Button>
            )}
          </>
        }
      >
        {m.departures_cancelled_guests_text()}
      </Banner>
      {isMoving && <MoveDialog parties={parties} onClose={() => setMoving(false)} />}
    </div>
  )
}
