import type { CancellationStep } from '@tour-ops/contract/tours/cancellation-steps'
import type { placeKinds } from '@tour-ops/contract/places/places'
import type { StatusOf } from '@tour-ops/contract/state-machines'
import type {
  staffRoles,
  tourDifficulties,
  tourKinds,
  tourStopKinds,
  TravelMode,
} from '@tour-ops/contract/tours/tour-terms'
import type { publishProblems, TourRow, TourStep } from '@tour-ops/contract/tours/tours'
import { m } from '../../paraglide/messages.js'

type Labels<Key extends string> = Record<Key, () => string>

export const kindLabels: Labels<(typeof tourKinds)[number]> = {
  day: m.tours_kind_day,
  multi_day: m.tours_kind_multi_day,
  walking: m.tours_kind_walking,
  transfer: m.tours_kind_transfer,
  private: m.tours_kind_private,
}

export const tourStatusLabels: Labels<TourRow['status']> = {
  draft: m.tours_status_draft,
  published: m.tours_status_published,
  archived: m.tours_status_archived,
}

export const salesLabels: Labels<StatusOf<'departure_sales'>> = {
  open: m.tours_sales_open,
  paused: m.tours_sales_paused,
  closed: m.tours_sales_closed,
}

export const difficultyLabels: Labels<(typeof tourDifficulties)[number]> = {
  easy: m.tours_difficulty_easy,
  moderate: m.tours_difficulty_moderate,
  demanding: m.tours_difficulty_demanding,
  expert: m.tours_difficulty_expert,
}

export const stopKindLabels: Labels<(typeof tourStopKinds)[number]> = {
  start: m.tours_stop_start,
  pickup: m.tours_stop_pickup,
  visit: m.tours_stop_visit,
  meal: m.tours_stop_meal,
  photo: m.tours_stop_photo,
  rest: m.tours_stop_rest,
  transfer: m.tours_stop_transfer,
  overnight: m.tours_stop_overnight,
  end: m.tours_stop_end,
}

/** As choices; inside of a sentence they are those of `records/travel-modes.ts`. */
export const travelModeChoices: Labels<TravelMode> = {
  walk: m.tours_by_walk,
  drive: m.tours_by_drive,
  boat: m.tours_by_boat,
  rail: m.tours_by_rail,
  air: m.tours_by_air,
}

export const placeKindLabels: Labels<(typeof placeKinds)[number]> = {
  meeting_point: m.tours_place_meeting_point,
  sight: m.tours_place_sight,
  hotel: m.tours_place_hotel,
  restaurant: m.tours_place_restaurant,
  airport: m.tours_place_airport,
  viewpoint: m.tours_place_viewpoint,
  depot: m.tours_place_depot,
  hospital: m.tours_place_hospital,
  camp: m.tours_place_camp,
  other: m.tours_place_other,
}

export const roleLabels: Labels<(typeof staffRoles)[number]> = {
  lead_guide: m.tours_role_lead_guide,
  guide: m.tours_role_guide,
  driver: m.tours_role_driver,
  backup: m.tours_role_backup,
  tour_leader: m.tours_role_tour_leader,
  porter: m.tours_role_porter,
}

export const stepLabels: Labels<TourStep> = {
  basics: m.tours_step_basics,
  itinerary: m.tours_step_itinerary,
  capacity: m.tours_step_capacity,
  prices: m.tours_step_prices,
  crew: m.tours_step_crew,
  schedule: m.tours_step_schedule,
  messages: m.tours_step_messages,
}

/** What the server finds missing before a publication. */
const problemTexts: Labels<(typeof publishProblems)[number]> = {
  no_stops: m.tours_problem_no_stops,
  stop_after_last_day: m.tours_problem_stop_after_last_day,
  times_go_back: m.tours_problem_times_go_back,
  no_prices: m.tours_problem_no_prices,
  mixed_currencies: m.tours_problem_mixed_currencies,
}

export const problemText = ({ reason }: { reason: (typeof publishProblems)[number] }): string => problemTexts[reason]()

/** Options of a picker out of a table of labels, in its order. */
export const optionsOf = <Key extends string>(labels: Labels<Key>): { value: Key; label: string }[] =>
  (Object.keys(labels) as Key[]).map((value) => ({ value, label: labels[value]() }))

/** `14 days: 100 %, 7 days: 50 %`. */
export const stepsText = (steps: readonly CancellationStep[]): string =>
  steps
    .map(({ daysBefore, refundPercent }) => m.tours_step_text({ count: daysBefore, percent: refundPercent }))
    .join(', ')
