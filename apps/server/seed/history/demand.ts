import { Temporal } from 'temporal-polyfill'
import type { SeededTour } from '../catalogue.ts'
import type { Random } from '../random.ts'

/** Share of a good month that comes, January first, by the zone of a base: northern summers, dry seasons, the months between monsoons. */
const seasons: Readonly<Record<string, readonly number[]>> = {
  'Atlantic/Reykjavik': [0.72, 0.78, 0.74, 0.68, 0.8, 0.95, 1, 1, 0.88, 0.78, 0.68, 0.8],
  'Europe/Lisbon': [0.5, 0.55, 0.7, 0.85, 0.9, 1, 1, 1, 0.95, 0.85, 0.6, 0.65],
  'Asia/Kathmandu': [0.5, 0.6, 0.9, 1, 0.8, 0.45, 0.4, 0.45, 0.75, 1, 0.95, 0.6],
  'Africa/Dar_es_Salaam': [0.9, 0.95, 0.65, 0.45, 0.45, 0.85, 1, 1, 0.9, 0.8, 0.65, 0.9],
}

/** Share of a Saturday that comes, Monday first. */
const weekdays = [0.8, 0.76, 0.8, 0.86, 0.96, 1, 0.98]

/** Share of the seats of a tour that are requested on a day, 0 to 1: its demand by season and weekday. */
export function demandOn(tour: Pick<SeededTour, 'timeZone' | 'demand'>, localDate: string): number {
  const { month, dayOfWeek } = Temporal.PlainDate.from(localDate)
  return tour.demand * (seasons[tour.timeZone]?.[month - 1] ?? 1) * (weekdays[dayOfWeek - 1] ?? 1)
}

/** Chance that the weather keeps a tour at home: clouds hide the lights, and storms close the south of Iceland in winter. */
export function weatherRisk({ code }: Pick<SeededTour, 'code'>, localDate: string): number {
  const { month } = Temporal.PlainDate.from(localDate)
  if (code === 'NLIGHT') return 0.2
  return code === 'SOUTH' && (month >= 11 || month <= 3) ? 0.04 : 0
}

/** Minutes after the plan at which departures leave, with their weights. */
export const lateStarts = [
  [0, 54],
  [2, 20],
  [4, 11],
  [7, 8],
  [12, 5],
  [25, 2],
] as const

/** Minutes that a stop takes longer than planned. */
export const lostAtStop = [
  [0, 62],
  [2, 18],
  [5, 12],
  [9, 6],
  [18, 2],
] as const

/** How long before the start a party books, in hours. */
export function leadHours(random: Random): number {
  const [from, to] = random.weighted([
    [[2, 24], 12],
    [[25, 71], 20],
    [[72, 190], 24],
    [[191, 740], 30],
    [[741, 2100], 12],
    [[2101, 2900], 2],
  ] as const)
  return random.between(from, to)
}
