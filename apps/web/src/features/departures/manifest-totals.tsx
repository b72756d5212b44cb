import type { Manifest } from '@tour-ops/contract/bookings/manifest'
import { m } from '../../paraglide/messages.js'
import { travelerFlagLabel } from '../../records/traveler-flags.tsx'
import { totalsOf, type ManifestTotals } from './manifest-model.ts'

const countsOf = (counts: ManifestTotals['diet']): string =>
  counts.map(({ flag, count }) => `${travelerFlagLabel(flag)} ${count}`).join(', ')

/** `3 parties, 8 guests`, then diets and mobility with their numbers: on screen and in print. */
export function ManifestTotalsLine({ manifest }: { manifest: Manifest }) {
  const { parties, guests, diet, mobility } = totalsOf(manifest)
  return (
    <>
      <span>
        {m.departures_parties({ count: parties })}, {m.departures_guests({ count: guests })}
      </span>
      {diet.length > 0 && (
        <span>
          {m.departures_total_diet()}: {countsOf(diet)}
        </span>
      )}
      {mobility.length > 0 && (
        <span>
          {m.departures_total_mobility()}: {countsOf(mobility)}
        </span>
      )}
    </>
  )
}
