import { useQuery } from '@tanstack/react-query'
import { listBookings } from '@tour-ops/contract/bookings/bookings'
import { listProposals } from '@tour-ops/contract/bookings/proposals'
import type { Departure } from '@tour-ops/contract/departures/departures'
import { useState } from 'react'
import { callQuery } from '../../backend/queries.ts'
import { useAccess } from '../../identity/access.ts'
import { m } from '../../paraglide/messages.js'
import { Banner } from '../../ui/banner.tsx'
import { Button } from '../../ui/button.tsx'
import { onIntent } from '../../ui/load-later.tsx'
import { MoveDialog } from '../bookings/index.ts'
import { MessageGuests } from '../notifications/index.ts'
import { ProposalsDialog } from './proposals-later.ts'
import { proposalsProgress } from './proposals-progress.ts'

/** On a cancelled departure: who is still booked, what they were offered, and the way to move them; nothing once everybody is and nobody was asked. */
export function MoveGuests({ departure }: { departure: Departure }) {
  const { can } = useAccess()
  const [isMoving, setMoving] = useState(false)
  const [isOffering, setOffering] = useState(false)
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
  const proposals = useQuery({
    ...callQuery(listProposals, { departureId: departure.id }),
    enabled: isCancelled && can('bookings:manage'),
  })
  const progress = proposals.data && proposalsProgress(proposals.data.parties)
  const parties = data?.rows ?? []
  if (!isCancelled || (parties.length === 0 && !isMoving && !isOffering && !progress)) return null
  return (
    <div className="border-b border-line px-4 py-3 lg:px-6">
      <Banner
        tone={parties.length > 0 ? 'warn' : 'neutral'}
        role="status"
        title={
          parties.length > 0
            ? m.departures_cancelled_guests({ count: parties.reduce((sum, party) => sum + party.pax, 0) })
            : m.departures_cancelled_nobody()
        }
        actions={
          <>
            {can('bookings:manage') && (
              <Button size="sm" variant="primary" {...onIntent(ProposalsDialog)} onClick={() => setOffering(true)}>
                {progress ? m.departures_propose_answers() : m.departures_propose_open()}
              </Button>
            )}
            {parties.length > 0 && (
              <MessageGuests
                size="sm"
                guests={{ departureIds: [departure.id], bookingIds: [] }}
                template="departure_cancelled"
              />
            )}
            {can('bookings:manage') && parties.length > 0 && (
              <Button size="sm" onClick={() => setMoving(true)}>
                {m.departures_move_guests()}
              </Button>
            )}
          </>
        }
      >
        {progress ?? m.departures_cancelled_guests_text()}
      </Banner>
      {isOffering && <ProposalsDialog departure={departure} onClose={() => setOffering(false)} />}
      {isMoving && <MoveDialog parties={parties} onClose={() => setMoving(false)} />}
    </div>
  )
}
