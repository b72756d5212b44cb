import type { ManifestEntry, ManifestParty } from '@tour-ops/contract/bookings/manifest'
import type { DepartureStop } from '@tour-ops/contract/departures/run-sheet'
import type { DutyDay, DutyDeparture, DutyEvent, DutyOutcome } from '@tour-ops/contract/duty/duty-phone'
import { aboardStatuses, hasStatus, presentStatuses } from '@tour-ops/contract/state-machines'

/** An event on this phone: waiting to be sent, or answered and stored until the office's next day includes it. */
export interface StoredEvent {
  /** Order of doing. */
  readonly seq: number
  readonly event: DutyEvent
  /** Null while the office does not have it. */
  readonly outcome: DutyOutcome | null
}

/** Where a mark is: nowhere, on this phone alone (one tick), or at the office (two ticks). */
export type MarkPlace = 'none' | 'phone' | 'office'

export interface ShownEntry extends ManifestEntry {
  /** Where the guest's present status is stored. */
  readonly mark: MarkPlace
  readonly isAboard: boolean
}
export interface ShownParty extends Omit<ManifestParty, 'entries'> {
  readonly entries: readonly ShownEntry[]
}
export interface ShownGroup {
  readonly stopId: string | null
  readonly placeName: string
  readonly at: string
  readonly parties: readonly ShownParty[]
}
export interface ShownStop extends DepartureStop {
  readonly mark: MarkPlace
}

/** A departure as the phone shows it: the office's last answer, with the events of this phone on top. */
export interface ShownDeparture {
  readonly id: string
  readonly departure: Omit<DutyDeparture['departure'], 'stops'> & { readonly stops: readonly ShownStop[] }
  readonly assignment: DutyDeparture['assignment']
  readonly can: DutyDeparture['can']
  /** Null while the assignment is only offered. */
  readonly groups: readonly ShownGroup[] | null
  readonly counts: {
    readonly total: number
    readonly aboard: number
    readonly noShow: number
    /** Aboard by marks that only this phone has. */
    readonly aboardOnPhone: number
  }
  /** Notes written here that the office does not have yet. */
  readonly waitingNotes: readonly WaitingNote[]
}

/** A note that is still on the phone; two may have the same words. */
export interface WaitingNote {
  readonly eventId: string
  readonly text: string
}

export interface ShownDay extends Omit<DutyDay, 'departures'> {
  readonly departures: readonly ShownDeparture[]
}

/** The office's day with the phone's events applied in their order. Pure: the same in every tab. */
export function shownDay(day: DutyDay, kept: readonly StoredEvent[]): ShownDay {
  const taken = kept.filter(({ outcome }) => outcome?.outcome !== 'refused')
  return {
    ...day,
    duty: shownDuty(day.duty, taken),
    departures: day.departures.map((each) => shownDeparture(each, taken)),
  }
}

function shownDuty(duty: DutyDay['duty'], kept: readonly StoredEvent[]): DutyDay['duty'] {
  if (!duty) return null
  let { session, consent } = duty
  for (const { event } of kept) {
    if (event.kind === 'consent') {
      consent = event.agrees ? { version: duty.consentVersion, at: event.at } : null
      session = session && { ...session, consentVersion: event.agrees ? duty.consentVersion : null }
    }
    if (event.kind !== 'duty') continue
    if (event.to === 'begin') session ??= newSession(event, consent?.version ?? null)
    else if (event.to === 'end') session = null
    else session = session && { ...session, breakStartedAt: event.to === 'break' ? event.at : null }
  }
  return { ...duty, session, consent }
}

type Session = NonNullable<NonNullable<DutyDay['duty']>['session']>

const newSession = (event: DutyEvent & { kind: 'duty' }, consentVersion: string | null): Session => ({
  id: event.id,
  version: 1,
  staff: null,
  vehicle: null,
  departure: null,
  status: 'open',
  startedAt: event.at,
  endedAt: null,
  source: 'app',
  endedBy: null,
  consentVersion,
  breakStartedAt: null,
  askedAt: null,
  breakSeconds: 0,
  dutySeconds: 0,
})

type OfDeparture = Extract<DutyEvent, { departureId: string; id: string }>

function shownDeparture(each: DutyDeparture, kept: readonly StoredEvent[]): ShownDeparture {
  const { departure, manifest } = each
  const own = kept.filter(
    ({ event }) => event.kind !== 'duty' && 'departureId' in event && event.departureId === departure.id,
  )
  const groups = manifest && shownGroups(manifest.groups, own)
  const entries = groups?.flatMap((group) => group.parties.flatMap((party) => party.entries)) ?? []
  return {
    id: departure.id,
    departure: {
      ...departure,
      ...shownCourse(departure, own),
      stops: departure.stops.map((stop) => shownStop(stop, own)),
    },
    assignment: shownAssignment(each, kept),
    can: each.can,
    groups,
    counts: {
      total: entries.filter(({ status }) => status !== 'cancelled').length,
      aboard: entries.filter(({ status }) => hasStatus(aboardStatuses, status)).length,
      noShow: entries.filter(({ status }) => status === 'no_show').length,
      aboardOnPhone: entries.filter(({ isAboard, mark }) => isAboard && mark === 'phone').length,
    },
    waitingNotes: own.flatMap(({ event, outcome }) =>
      event.kind === 'note' && outcome === null ? [{ eventId: event.id, text: event.text }] : [],
    ),
  }
}

type Course = Pick<DutyDeparture['departure'], 'status' | 'actualStartAt' | 'actualEndAt'>

/** Status, start and end with what was done here: the tour is under way from the tap on, whatever the office knows. */
function shownCourse({ status, actualStartAt, actualEndAt }: Course, kept: readonly StoredEvent[]): Course {
  let course: Course = { status, actualStartAt, actualEndAt }
  for (const { event } of kept) {
    if (event.kind !== 'status') continue
    if (event.to === 'in_progress')
      course = { ...course, actualStartAt: course.actualStartAt ?? event.at, actualEndAt: null }
    if (event.to === 'completed') course = { ...course, actualEndAt: event.at }
    course = { ...course, status: event.to }
  }
  return course
}

function shownAssignment(
  { assignment, departure }: DutyDeparture,
  kept: readonly StoredEvent[],
): DutyDeparture['assignment'] {
  if (!assignment) return null
  let shown = assignment
  for (const { event } of kept) {
    if (event.kind === 'answer' && event.assignmentId === assignment.id) {
      shown = { ...shown, status: event.accept ? 'accepted' : 'declined' }
    }
    if (event.kind === 'seen' && event.departureId === departure.id) {
      shown = { ...shown, seenVersion: event.revisionNumber ?? departure.revisionNumber }
    }
  }
  return shown
}

type Groups = NonNullable<DutyDeparture['manifest']>['groups']

const shownGroups = (groups: Groups, kept: readonly StoredEvent[]): ShownGroup[] =>
  groups.map(({ stopId, placeName, at, parties }) => ({
    stopId,
    placeName,
    at,
    parties: parties.map((party) => ({ ...party, entries: party.entries.map((entry) => shownEntry(entry, kept)) })),
  }))

function shownEntry(entry: ManifestEntry, kept: readonly StoredEvent[]): ShownEntry {
  let { status, checkInAt } = entry
  let mark: MarkPlace = status === 'expected' ? 'none' : 'office'
  for (const { event, outcome } of kept) {
    if (!('entryId' in event) || event.entryId !== entry.id) continue
    const to = statusAfter(event)
    status = to
    checkInAt = to === 'checked_in' ? event.at : to === 'expected' ? null : checkInAt
    mark = outcome ? (to === 'expected' ? 'none' : 'office') : 'phone'
  }
  return { ...entry, status, checkInAt, mark, isAboard: status === 'finished' || hasStatus(presentStatuses, status) }
}

type GuestEvent = Extract<OfDeparture, { entryId: string }>

function statusAfter(event: GuestEvent): ManifestEntry['status'] {
  if (event.kind === 'check_in') return 'checked_in'
  if (event.kind === 'undo_check_in') return 'expected'
  return event.kind === 'no_show' ? 'no_show' : event.to
}

function shownStop(stop: DepartureStop, kept: readonly StoredEvent[]): ShownStop {
  let shown: ShownStop = { ...stop, mark: stop.status === 'planned' ? 'none' : 'office' }
  for (const { event, outcome } of kept) {
    if (event.kind === 'headcount' && event.stopId === stop.id) {
      shown = { ...shown, headcountActual: event.counted }
    }
    if (event.kind !== 'stop' || event.stopId !== stop.id) continue
    shown = { ...shown, ...afterMark(event), mark: outcome ? 'office' : 'phone' }
  }
  return shown
}

function afterMark({ to, at, reason }: DutyEvent & { kind: 'stop' }): Partial<DepartureStop> {
  if (to === 'arrived') return { status: to, actualArriveAt: at, etaAt: null, source: 'guide' }
  if (to === 'departed') return { status: to, actualDepartAt: at, etaAt: null, leavesAt: null }
  if (to === 'skipped') return { status: to, skipReason: reason ?? null, etaAt: null }
  return { status: 'planned', actualArriveAt: null }
}
