import { maxScheduleRows } from '@tour-ops/contract/departures/departure-schedule'
import { daysBetween, localDateOf, localTimeOf } from '../../platform/local-time.ts'
import {
  cutoffOf,
  type DepartureCall,
  type NewDeparture,
  planDepartures,
  type TourOfDepartures,
  tourOfDepartures,
} from '../../platform/operations/new-departures.ts'
import { newId } from '../../platform/ids.ts'
import type { Problem } from './import-problems.ts'
import {
  insertProposed,
  type NamedDay,
  type OptionThen,
  selectNamedDays,
  selectOptionsByTime,
  selectPlaceNames,
  selectStarts,
  selectUsualTimes,
} from './new-departures-store.ts'
import { type DepartureFacts, selectCurrency, selectTours } from './plan-store.ts'
import type { BatchKey } from './plan-types.ts'
import { TourMatcher } from './tour-match.ts'

/** What becomes of a departure that lines name and that is not there: made, or why it cannot be. */
export type Proposal = { readonly departure: DepartureFacts } | Omit<Problem, 'column'>

/** Departures that do not exist, by tour, day and time as lines name them. */
export type Proposals = ReadonlyMap<string, Proposal>

/** @param time Null where the line has none. */
export const proposalKey = (tour: string, date: string, time: string | null): string => `${tour} ${date} ${time ?? ''}`

/** A day of one tour without the departure that lines name. */
interface Wanted {
  readonly tourId: string
  readonly date: string
  readonly time: string
  lines: number
}

/**
 * Plans the departures that the read lines of a file name and that are not there, as the screen for new departures would make them, and stores
 * them with the batch. Whether they are made is the choice of the person who imports.
 */
export async function proposeDepartures(
  call: DepartureCall,
  key: BatchKey,
  words: Readonly<Record<string, string>>,
): Promise<Proposals> {
  const named = await selectNamedDays(call.tx, key)
  if (named.length === 0) return new Map()
  const matcher = new TourMatcher(await selectTours(call.tx, key.orgId), words)
  const days = named.flatMap((day) => {
    const [tour, another] = matcher.find(day.tour)
    return tour && !another ? [{ ...day, tourId: tour.id }] : []
  })
  const { wanted, proposals } = await wantedOf(call, days)
  for (const [tourId, ofTour] of Map.groupBy(wanted.values(), (each) => each.tourId)) {
    const tour = await tourOfDepartures(call, tourId)
    for (const [found, proposal] of await proposeFor(call, key, tour, ofTour)) proposals.set(found, proposal)
  }
  for (const { tourId, date, time } of days) {
    const usual = wanted.get(proposalKey(tourId, date, null))
    const proposal = usual && proposals.get(proposalKey(tourId, date, usual.time))
    if (time === null && proposal) proposals.set(proposalKey(tourId, date, null), proposal)
  }
  return proposals
}

type TourDay = NamedDay & { readonly tourId: string }

/**
 * Which departures are wanted, by the key of their lines. A line without a time means the only departure of its day, and where there is none the
 * usual time of its tour.
 */
async function wantedOf(
  call: DepartureCall,
  days: readonly TourDay[],
): Promise<{ wanted: Map<string, Wanted>; proposals: Map<string, Proposal> }> {
  const starts = await selectStarts(call.tx, call.orgId, days)
  const wanted = new Map<string, Wanted>()
  const proposals = new Map<string, Proposal>()
  const want = (key: string, { tourId, date, lines }: TourDay, time: string): void => {
    const known = [...wanted.values()].find(
      (each) => each.tourId === tourId && each.date === date && each.time === time,
    )
    if (known) known.lines += lines
    wanted.set(key, known ?? { tourId, date, time, lines })
  }
  for (const day of days) {
    const { tourId, date, time } = day
    if (time !== null && !starts.has(proposalKey(tourId, date, time))) want(proposalKey(tourId, date, time), day, time)
  }
  const usual = await selectUsualTimes(call.tx, call.orgId, [...new Set(days.map(({ tourId }) => tourId))])
  for (const day of days) {
    const { tourId, date, time } = day
    const isOfDay = (each: { tourId: string; date: string }): boolean => each.tourId === tourId && each.date === date
    if (time !== null || starts.has(proposalKey(tourId, date, null)) || [...wanted.values()].some(isOfDay)) continue
    const [only, another] = usual.get(tourId) ?? []
    const key = proposalKey(tourId, date, null)
    if (only && !another) want(key, day, only)
    else proposals.set(key, { code: 'departure_time_needed', params: { value: `${day.tour} ${date}` } })
  }
  return { wanted, proposals }
}

async function proposeFor(
  call: DepartureCall,
  key: BatchKey,
  tour: TourOfDepartures,
  ofTour: readonly Wanted[],
): Promise<[string, Proposal][]> {
  const distinct = [...new Set(ofTour)]
  const keyOf = ({ tourId, date, time }: Wanted): string => proposalKey(tourId, date, time)
  const { revisionId } = tour
  if (tour.status !== 'published' || revisionId === null) {
    return distinct.map((each) => [keyOf(each), { code: 'tour_not_published', params: { value: tour.code } }])
  }
  const planned = await planDepartures(
    call,
    tour,
    distinct.map(({ date, time }) => ({ localDate: date, startTimeLocal: time })),
    false,
  )
  const seen = new Set<string>()
  const made: [Wanted, NewDeparture][] = []
  const found: [string, Proposal][] = []
  for (const [index, each] of distinct.entries()) {
    const departure = planned[index]
    if (!departure) continue
    const problem = whyNot(departure, seen, made.length)
    if (problem) found.push([keyOf(each), problem])
    else made.push([each, withIds(departure)])
    seen.add(departure.code)
  }
  const options = await selectOptionsByTime(call.tx, call.orgId, tour.id)
  const facts = await factsOf(call, tour, made, options)
  await insertProposed(
    call.tx,
    key,
    made.map(([{ lines }, { id = '', code, localDate, startTimeLocal, plan }]) => ({
      departure_id: id,
      tour_id: tour.id,
      revision_id: revisionId,
      code,
      local_date: localDate,
      local_start_time: startTimeLocal,
      capacity: tour.defaultCapacity,
      lines,
      stops: plan.stops.map((stop) => stop.id ?? ''),
      option_id: options.get(startTimeLocal)?.id ?? null,
    })),
  )
  return [...found, ...made.map(([each], at): [string, Proposal] => [keyOf(each), facts[at] ?? missing])]
}

const missing: Proposal = { code: 'departure_missing', params: {} }

function whyNot({ clash, code, localDate, startTimeLocal }: NewDeparture, seen: ReadonlySet<string>, made: number) {
  const value = `${localDate} ${startTimeLocal}`
  if (clash === 'past') return { code: 'departure_past' as const, params: { value } }
  if (clash === 'no_such_time') return { code: 'departure_no_such_time' as const, params: { value } }
  if (clash === 'exists' || seen.has(code)) return { code: 'departure_code_taken' as const, params: { code } }
  return made >= maxScheduleRows
    ? { code: 'departures_too_many' as const, params: { max: String(maxScheduleRows) } }
    : undefined
}

/** Bookings of the plan refer to the departure and its stops before they are there. */
const withIds = (departure: NewDeparture): NewDeparture => ({
  ...departure,
  id: newId(),
  plan: { ...departure.plan, stops: departure.plan.stops.map((stop) => ({ ...stop, id: newId() })) },
})

/** What bookings need to know of a departure, of one that is not there yet. */
async function factsOf(
  call: DepartureCall,
  tour: TourOfDepartures,
  made: readonly (readonly [Wanted, NewDeparture])[],
  options: ReadonlyMap<string, OptionThen>,
): Promise<Proposal[]> {
  const places = await selectPlaceNames(
    call.tx,
    call.orgId,
    tour.content.stops.map(({ placeId }) => placeId),
  )
  const { units } = tour.content
  const currency = units[0]?.currency ?? (await selectCurrency(call.tx, call.orgId))
  return made.map(([, { id = '', code, localDate, startTimeLocal, plan }]) => {
    const pickups = plan.stops
      .filter(({ kind }) => kind === 'pickup' || kind === 'start')
      .toSorted((a, b) => a.plannedArriveAt.getTime() - b.plannedArriveAt.getTime() || a.order - b.order)
      .map(({ id: stopId = '', placeId, plannedArriveAt }) => ({
        stopId,
        placeId,
        name: places.get(placeId) ?? '',
        at: plannedArriveAt.toISOString(),
        time: localTimeOf(plannedArriveAt, tour.timeZone),
      }))
    return {
      departure: {
        id,
        code,
        tourId: tour.id,
        localDate,
        startTime: startTimeLocal,
        status: 'scheduled',
        salesStatus: 'open',
        cutoffAt: cutoffOf(tour, plan),
        nights: daysBetween(localDate, localDateOf(plan.endsAt, tour.timeZone)),
        currency,
        prices: units,
        pickups,
        seatsFree: tour.defaultCapacity + tour.overbookLimit,
        isPrivate: tour.isPrivate || (options.get(startTimeLocal)?.isPrivate ?? false),
        isTaken: false,
      },
    }
  })
}
