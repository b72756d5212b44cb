import { AppError } from '@tour-ops/contract/errors'
import { refuse } from '@tour-ops/contract/refusals'
import {
  type DepartureCall,
  insertDepartures,
  type NewDeparture,
  planDepartures,
  publishedTourOf,
} from '../../platform/operations/new-departures.ts'
import { markMade, type ProposedDeparture, selectLinesOn, selectProposed } from './new-departures-store.ts'
import type { BatchKey } from './plan-types.ts'

/**
 * Makes the departures that the check has shown, before the bookings that are on them.
 *
 * @throws AppError `aborted` where they would be others by now: made by somebody else, or of a tour that was published again.
 */
export async function createDepartures(call: DepartureCall, key: BatchKey): Promise<void> {
  const proposed = await selectProposed(call.tx, key, false)
  for (const [tourId, ofTour] of Map.groupBy(proposed, (each) => each.tourId)) {
    try {
      await createOfTour(call, tourId, ofTour)
    } catch (error) {
      if (!(error instanceof AppError) || error.code === 'internal') throw error
      const lines = await selectLinesOn(
        call.tx,
        key,
        ofTour.map(({ id }) => id),
      )
      throw refuse('changed_since_check', { count: lines.length, lines })
    }
  }
  if (proposed.length > 0) await markMade(call.tx, key)
}

async function createOfTour(
  call: DepartureCall,
  tourId: string,
  proposed: readonly ProposedDeparture[],
): Promise<void> {
  const tour = await publishedTourOf(call, tourId)
  const planned = await planDepartures(call, tour, proposed, false)
  const changed = planned.find((each, at) => each.clash !== null || !isAsShown(tour, each, proposed[at]))
  if (changed) throw refuse('departure_exists', { code: changed.code })
  const made = planned.map((each, at) => ({
    departure: withIdsOf(each, proposed[at]),
    optionId: optionOf(proposed[at]),
  }))
  // in one order for everybody: who makes the same at the same moment waits
  const ofOptions = [...Map.groupBy(made, ({ optionId }) => optionId)].toSorted(([a], [b]) =>
    (a ?? '').localeCompare(b ?? ''),
  )
  for (const [optionId, some] of ofOptions) {
    const departures = some.map(({ departure }) => departure)
    await insertDepartures(call, tour, departures, { optionId, language: null, status: 'scheduled' })
  }
}

const optionOf = (shown: ProposedDeparture | undefined): string | null => shown?.optionId ?? null

const isAsShown = (
  tour: { revisionId: string; defaultCapacity: number },
  { code, plan }: NewDeparture,
  shown: ProposedDeparture | undefined,
): boolean =>
  shown !== undefined &&
  shown.code === code &&
  shown.revisionId === tour.revisionId &&
  shown.capacity === tour.defaultCapacity &&
  shown.stops.length === plan.stops.length

function withIdsOf(departure: NewDeparture, shown: ProposedDeparture | undefined): NewDeparture {
  const stops = departure.plan.stops.map((stop, at) => ({ ...stop, id: shown?.stops[at] ?? '' }))
  return { ...departure, id: shown?.id ?? '', plan: { ...departure.plan, stops } }
}
