import type { SharedManifest } from '@tour-ops/contract/links/shared-manifest'
import type { SharedPage } from '@tour-ops/contract/links/shared-page'
import { whereaboutsOf } from '@tour-ops/contract/departures/stop-progress'
import { m } from '../../../paraglide/messages.js'
import { formatDuration, formatLocalLongDay, formatTime, localDateOf } from '../../../ui/format.ts'

export interface Headline {
  /** Over the time. */
  readonly lead: string | null
  /** ISO 8601; null where only the word counts. */
  readonly time: string | null
  readonly label: string
  readonly notes: readonly string[]
  readonly isLate: boolean
}

const minuteMs = 60_000
const maxMinutes = 180
const dayMs = 24 * 60 * minuteMs

const plain = (label: string): Headline => ({ lead: null, time: null, label, notes: [], isLate: false })

const minutesUntil = (time: string, now: number): number => Math.ceil((Date.parse(time) - now) / minuteMs)

/** `Tomorrow, Sunday 22 November`. */
export function dayText(localDate: string, zone: string, now: number): string {
  const day = formatLocalLongDay(localDate)
  if (localDate === localDateOf(now, zone)) return m.links_guest_today({ day })
  if (localDate === localDateOf(now + dayMs, zone)) return m.links_guest_tomorrow({ day })
  return day
}

/** How long until then, in the words of what it is. Hours ahead the clock says it better, with the day where it is another one. */
function inText(time: string, now: number, zone: string, words: (input: { duration: string }) => string): string[] {
  const minutes = minutesUntil(time, now)
  if (minutes <= 0) return [m.links_guest_now()]
  if (minutes <= maxMinutes) return [words({ duration: formatDuration(minutes) })]
  const date = localDateOf(time, zone)
  return date === localDateOf(now, zone) ? [] : [dayText(date, zone, now)]
}

/** The stops of a page's departure. */
export type SharedDay = Pick<SharedManifest, 'stops' | 'departure'>
type Stop = SharedDay['stops'][number]

/** Where they are and where they go next, among the stops that the page shows. */
export function placesOf({ stops, departure }: SharedDay): {
  here: Stop | undefined
  next: Stop | undefined
  isBehind: (stop: Stop) => boolean
} {
  const marked = stops.map(({ kind, status, arrivedAt }) => ({ kind, status, actualArriveAt: arrivedAt }))
  const { behind, here, next } = whereaboutsOf(marked, departure.startedAt)
  const isBehind = (stop: Stop): boolean => {
    const index = stops.indexOf(stop)
    return index <= behind && index !== here
  }
  return { here: stops[here], next: stops[next], isBehind }
}

/** What a guest has to know first: where to be when, when to be back, what comes next, or that it is over. */
export function headlineOf(page: SharedPage, now: number): Headline {
  if (page.state === 'cancelled')
    return plain(page.proposal ? m.links_guest_cancelled_choose() : m.links_guest_cancelled())
  if (page.state === 'not_booked') return plain(m.links_guest_not_booked())
  if (page.state === 'waiting') return plain(m.links_guest_waiting())
  if (page.state === 'after') return plain(m.links_guest_over())
  const {
    meeting,
    departure: { timeZone },
  } = page
  const { here, next } = placesOf(page)
  const isUnderWay = page.departure.startedAt !== null || page.stops.some((stop) => stop.status === 'departed')
  if (meeting && !meeting.isPast && !isUnderWay && !here) return meetingHeadline(page, meeting, now)
  if (here?.leavesAt && here.kind !== 'end') {
    return {
      lead: m.links_guest_be_back(),
      time: here.leavesAt,
      label: here.name,
      notes: inText(here.leavesAt, now, timeZone, m.links_guest_left),
      isLate: false,
    }
  }
  if (!next) return plain(here ? here.name : m.links_guest_on_the_way())
  const time = next.etaAt ?? next.plannedAt
  return {
    lead: m.links_guest_next(),
    time,
    label: next.name,
    notes: inText(time, now, timeZone, m.links_guest_in),
    isLate: false,
  }
}

function meetingHeadline(page: SharedPage, meeting: NonNullable<SharedPage['meeting']>, now: number): Headline {
  const delayMin = Math.round((Date.parse(meeting.expectedAt) - Date.parse(meeting.at)) / minuteMs)
  const isLate = delayMin > page.departure.onTimeToleranceMin
  const zone = page.departure.timeZone
  const left = page.state === 'during' ? inText(meeting.expectedAt, now, zone, m.links_guest_in) : []
  const before = page.state === 'during' && meeting.isPickup && meeting.stopsBefore > 0
  const stops = before ? [m.links_guest_stops_before({ count: meeting.stopsBefore })] : []
  return {
    lead: null,
    time: meeting.expectedAt,
    label: meeting.isPickup ? m.links_guest_pickup() : m.links_guest_tour_leaves(),
    notes: isLate
      ? [m.links_guest_late({ minutes: delayMin, time: formatTime(meeting.at, zone) }), ...stops]
      : left.length > 0
        ? [...left, ...stops]
        : [m.links_guest_be_early(), ...stops],
    isLate,
  }
}
