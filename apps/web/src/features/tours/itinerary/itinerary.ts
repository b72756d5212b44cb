import type { TourContent, TourStop } from '@tour-ops/contract/tours/tour-content'

/** A stop while it is edited; the key lives only as long as the editor. */
export interface EditStop extends TourStop {
  readonly key: string
}

export type EditDay = TourContent['days'][number]

/** Days and stops of a tour while they are edited. Stops of a day are in order. */
export interface Itinerary {
  readonly days: readonly EditDay[]
  readonly stops: readonly EditStop[]
}

/** Minutes at a place that was just added. */
const usualDwellMin = 30

const blankDay = (dayIndex: number, title: string): EditDay => ({
  dayIndex,
  title,
  summary: null,
  overnightPlaceId: null,
  meals: [],
  distanceM: null,
  ascentM: null,
  descentM: null,
})

/** What an unsaved tour that an older build left in this browser lacks. */
const notYetKept = { travelMode: null, signalGap: false }

let lastKey = 0
const newKey = (): string => `s${++lastKey}`

/** Opens content for editing; every day of the tour gets an entry, whether it has a name or not. */
export function openItinerary(content: Pick<TourContent, 'days' | 'stops'>, durationDays: number): Itinerary {
  const count = Math.max(
    durationDays,
    1,
    ...content.days.map((day) => day.dayIndex),
    ...content.stops.map((stop) => stop.dayIndex),
  )
  return {
    days: Array.from(
      { length: count },
      (_, at) => content.days.find((day) => day.dayIndex === at + 1) ?? blankDay(at + 1, ''),
    ),
    stops: content.stops
      .toSorted((a, b) => a.dayIndex - b.dayIndex || a.order - b.order)
      .map((stop) => ({ ...notYetKept, ...stop, key: newKey() })),
  }
}

/** What is saved: stops numbered through per day, and the days that say something. */
export function closeItinerary({ days, stops }: Itinerary): Pick<TourContent, 'days' | 'stops'> {
  const places = new Map<number, number>()
  return {
    days: days.filter((day) => day.title.trim() !== ''),
    stops: stops
      .toSorted((a, b) => a.dayIndex - b.dayIndex)
      .map(({ key: _key, ...stop }) => {
        const order = (places.get(stop.dayIndex) ?? 0) + 1
        places.set(stop.dayIndex, order)
        return { ...stop, order }
      }),
  }
}

export const stopsOn = (itinerary: Itinerary, dayIndex: number): EditStop[] =>
  itinerary.stops.filter((stop) => stop.dayIndex === dayIndex)

/** Replaces the stops of one day; the order of the others stays. */
const withDay = (itinerary: Itinerary, dayIndex: number, stops: readonly EditStop[]): Itinerary => ({
  ...itinerary,
  stops: [...itinerary.stops.filter((stop) => stop.dayIndex !== dayIndex), ...stops],
})

const endOf = (stop: TourStop): number => stop.offsetMin + stop.dwellMin

/** Adds a place at the end of a day, `travelMin` after the stop before. */
export function addStop(itinerary: Itinerary, dayIndex: number, placeId: string, travelMin: number): Itinerary {
  const before = stopsOn(itinerary, dayIndex)
  const last = before.at(-1)
  const stop: EditStop = {
    key: newKey(),
    dayIndex,
    order: before.length + 1,
    placeId,
    kind: last ? 'visit' : dayIndex === 1 ? 'start' : 'visit',
    offsetMin: last ? endOf(last) + travelMin : 0,
    dwellMin: last ? usualDwellMin : 0,
    slackMin: 0,
    optional: false,
    headcountRequired: false,
    timedEntry: false,
    travelMode: null,
    signalGap: false,
    note: null,
    guestVisible: true,
  }
  return withDay(itinerary, dayIndex, [...before, stop])
}

export const removeStop = (itinerary: Itinerary, key: string): Itinerary => ({
  ...itinerary,
  stops: itinerary.stops.filter((stop) => stop.key !== key),
})

/** Changes a stop; when its end moves, the later stops of the day move along, so that the ways between them keep their time. */
export function changeStop(itinerary: Itinerary, key: string, change: Partial<TourStop>): Itinerary {
  const old = itinerary.stops.find((stop) => stop.key === key)
  if (!old) return itinerary
  const changed = { ...old, ...change, key }
  const shift = endOf(changed) - endOf(old)
  const day = stopsOn(itinerary, old.dayIndex)
  const at = day.indexOf(old)
  return withDay(
    itinerary,
    old.dayIndex,
    day.map((stop, index) =>
      index === at ? changed : index > at ? { ...stop, offsetMin: stop.offsetMin + shift } : stop,
    ),
  )
}

/** Puts a stop at another place of its day. The ways between the places in the order keep their minutes, the stays travel along. */
export function moveStop(itinerary: Itinerary, key: string, to: number): Itinerary {
  const moved = itinerary.stops.find((stop) => stop.key === key)
  if (!moved) return itinerary
  const day = stopsOn(itinerary, moved.dayIndex)
  const from = day.indexOf(moved)
  const target = Math.max(0, Math.min(day.length - 1, to))
  if (target === from) return itinerary
  const ordered = day.toSpliced(from, 1).toSpliced(target, 0, moved)
  return withDay(itinerary, moved.dayIndex, retimed(ordered, gapsOf(day), day[0]?.offsetMin ?? 0))
}

/** Minutes between the end of each stop and the next, never negative. */
const gapsOf = (day: readonly EditStop[]): number[] =>
  day.slice(1).map((stop, at) => Math.max(0, stop.offsetMin - endOf(day[at] as EditStop)))

function retimed(day: readonly EditStop[], gaps: readonly number[], start: number): EditStop[] {
  let clock = start
  return day.map((stop, at) => {
    const offsetMin = clock
    clock = offsetMin + stop.dwellMin + (gaps[at] ?? 0)
    return { ...stop, offsetMin }
  })
}

/** Takes a stop to the end of another day. */
export function moveToDay(itinerary: Itinerary, key: string, dayIndex: number, travelMin: number): Itinerary {
  const moved = itinerary.stops.find((stop) => stop.key === key)
  if (!moved || moved.dayIndex === dayIndex) return itinerary
  const target = stopsOn(itinerary, dayIndex)
  const last = target.at(-1)
  const offsetMin = last ? endOf(last) + travelMin : 0
  return withDay(removeStop(itinerary, key), dayIndex, [...target, { ...moved, dayIndex, offsetMin }])
}

/** Doubles a stop right after itself. */
export function copyStop(itinerary: Itinerary, key: string): Itinerary {
  const source = itinerary.stops.find((stop) => stop.key === key)
  if (!source) return itinerary
  const day = stopsOn(itinerary, source.dayIndex)
  const at = day.indexOf(source)
  const copy = { ...source, key: newKey(), offsetMin: endOf(source) }
  const later = day.slice(at + 1).map((stop) => ({ ...stop, offsetMin: stop.offsetMin + source.dwellMin }))
  return withDay(itinerary, source.dayIndex, [...day.slice(0, at + 1), copy, ...later])
}

export const addDay = (itinerary: Itinerary, title: string): Itinerary => ({
  ...itinerary,
  days: [...itinerary.days, blankDay(itinerary.days.length + 1, title)],
})

export const changeDay = (itinerary: Itinerary, dayIndex: number, change: Partial<EditDay>): Itinerary => ({
  ...itinerary,
  days: itinerary.days.map((day) => (day.dayIndex === dayIndex ? { ...day, ...change } : day)),
})

/** Takes a day out with its stops; later days move up. The only day stays. */
export function removeDay({ days, stops }: Itinerary, dayIndex: number): Itinerary {
  if (days.length === 1) return { days, stops }
  const earlier = <Item extends { dayIndex: number }>(item: Item): Item =>
    item.dayIndex > dayIndex ? { ...item, dayIndex: item.dayIndex - 1 } : item
  return {
    days: days.filter((day) => day.dayIndex !== dayIndex).map(earlier),
    stops: stops.filter((stop) => stop.dayIndex !== dayIndex).map(earlier),
  }
}

/** Doubles a day as the last one. */
export function copyDay(itinerary: Itinerary, dayIndex: number, title: string): Itinerary {
  const last = itinerary.days.length + 1
  const source = itinerary.days.find((day) => day.dayIndex === dayIndex)
  if (!source) return itinerary
  return {
    days: [...itinerary.days, { ...source, dayIndex: last, title }],
    stops: [
      ...itinerary.stops,
      ...stopsOn(itinerary, dayIndex).map((stop) => ({ ...stop, key: newKey(), dayIndex: last })),
    ],
  }
}

/** Minutes of a day tour from start to its end; of several days, of the last day. At least a quarter of an hour, as the contract asks. */
export function durationMinOf(itinerary: Itinerary): number {
  const last = stopsOn(itinerary, itinerary.days.length).at(-1)
  return Math.max(15, last ? endOf(last) : 0)
}
