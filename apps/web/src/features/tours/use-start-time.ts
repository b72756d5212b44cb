import { useQuery } from '@tanstack/react-query'
import { listDepartures } from '@tour-ops/contract/departures/departures'
import type { Tour } from '@tour-ops/contract/tours/tours'
import { callQuery } from '../../backend/queries.ts'

/** A tour that nobody scheduled is drawn from this hour on. */
const usualStart = '09:00'

/** Clock time that a tour begins at, for drawing its day: of its first option, its planned schedule, or its latest departure. */
export function useStartTime(tour: Pick<Tour, 'id' | 'options' | 'wizard'>): string {
  const own = tour.options[0]?.startTimesLocal[0] ?? tour.wizard.schedule?.startTimesLocal[0]
  const { data } = useQuery({
    ...callQuery(listDepartures, {
      filters: { tourId: [tour.id] },
      sort: [{ by: 'startsAt', descending: true }],
      size: 1,
    }),
    enabled: own === undefined,
  })
  return own ?? data?.rows[0]?.startTimeLocal ?? usualStart
}
