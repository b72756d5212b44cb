import { isRunning, bindingStatuses, hasStatus } from '@tour-ops/contract/state-machines'
import { localDateOf } from '../../../ui/format.ts'
import type { ShownDay, ShownDeparture } from '../store/shown-day.ts'

/** The departures of My day, each in one place. */
export interface SortedDay {
  /** The one that is the message of the page: under way, else the next of today. */
  readonly lead: ShownDeparture | undefined
  /** Changed since this person last saw them. */
  readonly changed: readonly ShownDeparture[]
  /** Offered: they ask for an answer. */
  readonly offers: readonly ShownDeparture[]
  /** Today's others. */
  readonly today: readonly ShownDeparture[]
  /** Of a later day. */
  readonly later: readonly ShownDeparture[]
}

export const isOffered = ({ assignment }: ShownDeparture): boolean => assignment?.status === 'offered'
const isOwn = ({ assignment }: ShownDeparture): boolean =>
  assignment === null || hasStatus(bindingStatuses, assignment.status)
const isOver = ({ departure }: ShownDeparture): boolean =>
  departure.status === 'completed' || departure.status === 'cancelled' || departure.status === 'aborted'

/** Whether the itinerary is another one than this person has seen. A link has seen nothing and is asked nothing. */
const hasChanged = ({ assignment, departure }: ShownDeparture): boolean =>
  assignment !== null &&
  departure.revisionNumber !== null &&
  assignment.seenVersion !== null &&
  assignment.seenVersion < departure.revisionNumber

/** Whether the office does not know yet that this person has seen a plan: changes are announced only after that. A completed part takes no receipt. */
export const isFirstLook = ({ assignment, departure }: ShownDeparture): boolean =>
  (assignment?.status === 'accepted' || assignment?.status === 'on_duty') &&
  departure.revisionNumber !== null &&
  assignment.seenVersion === null

/** @param now The day is that of each tour's own zone. */
export function sortedDay(day: ShownDay, now: number): SortedDay {
  const isLater = ({ departure }: ShownDeparture): boolean =>
    departure.localDate > localDateOf(now, departure.timeZone) && !isRunning(departure)
  const own = day.departures.filter(isOwn)
  const ofToday = own.filter((one) => !isLater(one))
  const lead = ofToday.find(({ departure }) => isRunning(departure)) ?? ofToday.find((one) => !isOver(one))
  return {
    lead,
    changed: own.filter((one) => hasChanged(one) && !isOver(one)),
    offers: day.departures.filter((one) => isOffered(one) && !isOver(one)),
    today: ofToday.filter((one) => one !== lead),
    later: own.filter(isLater),
  }
}

/** The departure that run sheet and guests in the navigation lead to; undefined where there is none. */
export function currentDeparture(day: ShownDay, now: number): ShownDeparture | undefined {
  const { lead, today, later } = sortedDay(day, now)
  return lead ?? later[0] ?? today.at(-1)
}
