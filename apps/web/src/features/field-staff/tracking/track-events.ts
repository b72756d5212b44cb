import type { DepartureStop } from '@tour-ops/contract/departures/run-sheet'
import type { Track, TrackGap } from '@tour-ops/contract/tracking/tracks'

/** Something of a day that is on the time axis and in the list of events. Times are epoch milliseconds. */
export type TrackEvent = {
  readonly key: string
  readonly at: number
  readonly to: number
} & (
  | { readonly kind: 'stay'; readonly track: number; readonly place: string | null }
  | { readonly kind: 'gap'; readonly track: number; readonly reason: TrackGap['reason'] }
  /** A departure of one of them came to a stop. */
  | { readonly kind: 'arrival'; readonly code: string; readonly place: string; readonly plannedAt: number }
)

type Stop = Pick<DepartureStop, 'id' | 'placeName' | 'plannedArriveAt' | 'actualArriveAt' | 'actualDepartAt'> & {
  readonly departureId: string
}

const arrivalsOf = (tracks: readonly Track[], stops: readonly Stop[]): TrackEvent[] => {
  const codes = new Map(tracks.flatMap(({ departures }) => departures.map(({ id, code }) => [id, code] as const)))
  return stops.flatMap(({ id, departureId, placeName, plannedArriveAt, actualArriveAt, actualDepartAt }) => {
    if (actualArriveAt === null) return []
    const at = Date.parse(actualArriveAt)
    return [
      {
        key: `stop-${id}`,
        kind: 'arrival' as const,
        at,
        to: actualDepartAt === null ? at : Date.parse(actualDepartAt),
        code: codes.get(departureId) ?? '',
        place: placeName,
        plannedAt: Date.parse(plannedArriveAt),
      },
    ]
  })
}

/** The course of a day by time: where they stayed, what nobody knows, and arrivals of their departures within it. */
export function eventsOf(
  tracks: readonly Track[],
  stops: readonly Stop[],
  { from, to }: { from: number; to: number },
): TrackEvent[] {
  const own = tracks.flatMap(({ stays, gaps }, track): TrackEvent[] => [
    ...stays.map((stay) => ({
      key: `stay-${track}-${stay.from}`,
      kind: 'stay' as const,
      track,
      at: stay.from,
      to: stay.to,
      place: stay.place,
    })),
    ...gaps.map((gap) => ({
      key: `gap-${track}-${gap.from}`,
      kind: 'gap' as const,
      track,
      at: gap.from,
      to: gap.to,
      reason: gap.reason,
    })),
  ])
  const arrivals = arrivalsOf(tracks, stops).filter(({ at }) => at >= from && at <= to)
  return [...own, ...arrivals].toSorted((a, b) => a.at - b.at)
}

/** The one that the moment is in, else the last one before it. */
export const eventAt = (events: readonly TrackEvent[], at: number): TrackEvent | undefined =>
  events.findLast((event) => event.at <= at && at <= event.to) ?? events.findLast((event) => event.at <= at)
