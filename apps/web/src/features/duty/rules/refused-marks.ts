import type { DutyEvent, DutyOutcome } from '@tour-ops/contract/duty/duty-phone'
import type { StoredEvent, ShownDay, ShownDeparture } from '../store/shown-day.ts'
import { guestWith } from './guest-list.ts'

/** A mark that the office did not take, with what it was about. */
export interface RefusedMark {
  readonly id: string
  readonly event: DutyEvent
  readonly outcome: DutyOutcome
  /** Guest or stop; null where the event names none, or none that this phone still has. */
  readonly about: string | null
  /** The departure; undefined where it is no longer on this phone. */
  readonly departure: ShownDeparture | undefined
}

/** The marks that were refused and not yet read, the oldest first. */
export const refusedMarks = (kept: readonly StoredEvent[], day: ShownDay): RefusedMark[] =>
  kept.flatMap(({ event, outcome }) => (outcome?.outcome === 'refused' ? [refusedMark(event, outcome, day)] : []))

function refusedMark(event: DutyEvent, outcome: DutyOutcome, day: ShownDay): RefusedMark {
  const departure = day.departures.find((one) =>
    event.kind === 'answer'
      ? one.assignment?.id === event.assignmentId
      : 'departureId' in event && one.id === event.departureId,
  )
  return { id: event.id, event, outcome, departure, about: (departure && aboutOf(event, departure)) ?? null }
}

function aboutOf(event: DutyEvent, shown: ShownDeparture): string | undefined {
  if ('entryId' in event) return guestWith(shown, event.entryId)?.entry.name
  if ('stopId' in event) return shown.departure.stops.find(({ id }) => id === event.stopId)?.placeName
  return undefined
}
