import * as z from 'zod/mini'
import { Id, optionalText, orNull, someOf, text, whole } from '../fields.ts'
import { TourUnit } from '../units.ts'
import { TourRoute } from './tour-route.ts'
import { tourStopKinds, travelModes } from './tour-terms.ts'

/** A day of a tour, as the itinerary has it. */
export const TourDay = z.object({
  dayIndex: whole(1, 60),
  title: text(120, 'day_unnamed'),
  summary: optionalText(2000),
  overnightPlaceId: orNull(Id),
  meals: z._default(someOf(['breakfast', 'lunch', 'dinner']), []),
  distanceM: orNull(whole(0, 5_000_000)),
  ascentM: orNull(whole(0, 20_000)),
  descentM: orNull(whole(0, 20_000)),
})

/** A planned stop; times are minutes after the start of its day, so that they hold in every time zone. */
export const TourStop = z.object({
  dayIndex: whole(1, 60),
  order: whole(1, 200),
  placeId: Id,
  kind: z.enum(tourStopKinds),
  offsetMin: whole(-720, 2880),
  dwellMin: z._default(whole(0, 1440), 0),
  /** Minutes that a delay may use up here before it is carried on. */
  slackMin: z._default(whole(0, 600), 0),
  optional: z._default(z.boolean(), false),
  headcountRequired: z._default(z.boolean(), false),
  /** There is a ticket for a fixed time here: arriving late means missing it. */
  timedEntry: z._default(z.boolean(), false),
  /** How guests come here from the stop before; null as the tour goes, on foot on a walking tour and by road otherwise. */
  travelMode: orNull(z.enum(travelModes)),
  /** No signal is expected on the way here: silence alarms nobody. */
  signalGap: z._default(z.boolean(), false),
  note: optionalText(1000),
  guestVisible: z._default(z.boolean(), true),
})
export type TourStop = z.output<typeof TourStop>

/** What a revision freezes. See docs/domain.md, "Entities". */
export const TourContent = z.object({
  days: z._default(z.array(TourDay).check(z.maxLength(60)), []),
  stops: z._default(z.array(TourStop).check(z.maxLength(400)), []),
  routes: z._default(z.array(TourRoute).check(z.maxLength(60)), []),
  units: z._default(z.array(TourUnit).check(z.maxLength(9)), []),
  texts: z.prefault(
    z.object({ description: optionalText(8000), meetingNote: optionalText(1000), whatToBring: optionalText(2000) }),
    {},
  ),
})
export type TourContent = z.output<typeof TourContent>
