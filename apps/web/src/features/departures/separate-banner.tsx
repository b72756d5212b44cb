import { takeBackMinutes } from '@tour-ops/contract/bookings/bookings'
import type { Departure } from '@tour-ops/contract/departures/departures'
import { useAccess } from '../../identity/access.ts'
import { m } from '../../paraglide/messages.js'
import { Banner } from '../../ui/banner.tsx'
import { Button } from '../../ui/button.tsx'
import { useNow } from '../../ui/clock.ts'
import { formatTime, viewerZone } from '../../ui/format.ts'
import { useSeparate } from './use-separate.ts'

/** How often it is looked whether it can still be undone. */
const clockMs = 30_000

/** On a departure that was combined with another one: until when that can be undone. */
export function SeparateBanner({ departure }: { departure: Departure }) {
  const { can } = useAccess()
  const now = useNow(clockMs)
  const separate = useSeparate()
  const until = Date.parse(departure.statusSince) + takeBackMinutes * 60_000
  if (now >= until || !can('departures:dispatch') || !can('bookings:manage')) return null
  return (
    <div className="border-b border-line px-4 py-3 lg:px-6">
      <Banner
        tone="neutral"
        role="status"
        title={m.departures_separate_title()}
        actions={
          <Button size="sm" onClick={() => separate(departure)}>
            {m.departures_separate()}
          </Button>
        }
      >
        {m.departures_separate_until({ time: formatTime(new Date(until).toISOString(), viewerZone()) })}
      </Banner>
    </div>
  )
}
