import type { Given } from '@tour-ops/contract/callable'
import { fieldError } from '@tour-ops/contract/field-rules'
import { metersBetween } from '@tour-ops/contract/tracking/arrivals/travel'
import { longestSilenceMs, usualIntervalS } from '@tour-ops/contract/tracking/link-state'
import { piecesOf } from '@tour-ops/contract/tracking/track-pieces'
import type { TrackedRef } from '@tour-ops/contract/tracking/tracked-ref'
import {
  exportTracks,
  getTracks,
  maxExportPoints,
  maxTrackHours,
  maxTracksAtOnce,
  type Track,
  type TrackStay,
} from '@tour-ops/contract/tracking/tracks'
import { sql } from 'kysely'
import type { MemberCall } from '../../../context.ts'
import { localDateOf } from '../../../platform/local-time.ts'
import { notFound } from '../../../platform/optimistic-lock.ts'
import { organizationZone } from '../../../platform/organization-zone.ts'
import { recordLook } from '../../../platform/private-fields.ts'
import { type Verb, verb } from '../../../platform/verb.ts'
import { trackFiles } from './track-files.ts'
import { gapsOf, heldUntil, metersOf, simplified, staysOf, type TrackFix } from './track-line.ts'
import {
  type AskedTracks,
  countFixes,
  selectIntervals,
  selectPlacesWithin,
  selectSubjects,
  selectTrackFixes,
  selectTrackSessions,
  type TrackSession,
} from './tracks-store.ts'

type Asked = Pick<Given<typeof getTracks>, 'staffId' | 'vehicleId' | 'from' | 'to'>

const entityOf = { staff: 'field_staff', vehicle: 'vehicles' } as const

/** @throws AppError for nobody, too many, and more than two days. */
function within({ staffId, vehicleId, from, to }: Asked): AskedTracks {
  const asked = { staffId: [...new Set(staffId)], vehicleId: [...new Set(vehicleId)] }
  const count = asked.staffId.length + asked.vehicleId.length
  if (count === 0) throw fieldError('staffId', 'one_of_two')
  if (count > maxTracksAtOnce) throw fieldError('staffId', 'too_many', { max: maxTracksAtOnce })
  const span = { from: new Date(from), to: new Date(to) }
  const hours = (span.to.getTime() - span.from.getTime()) / 3_600_000
  if (hours <= 0) throw fieldError('to', 'end_before_start')
  if (hours > maxTrackHours) throw fieldError('to', 'two_days_at_once')
  return { ...asked, ...span }
}

/** Those of them whom the caller may look at: a guide nobody else. */
export async function subjectsWithinReach(call: MemberCall, asked: AskedTracks): Promise<TrackedRef[]> {
  const found = await selectSubjects(call.tx, call.orgId, asked)
  return call.scope === 'all' ? found : found.filter(({ id }) => id === call.staffId)
}

/**
 * Those who were asked for. A guide knows the names of colleagues, and their ways are none of the guide's.
 *
 * @throws AppError `not-found` where one of them is not there, or not within reach.
 */
export async function requireSubjects(call: MemberCall, asked: AskedTracks): Promise<TrackedRef[]> {
  const mine = await subjectsWithinReach(call, asked)
  if (asked.staffId.some((id) => !mine.some((subject) => subject.id === id))) throw notFound('field_staff')
  if (asked.vehicleId.some((id) => !mine.some((subject) => subject.id === id))) throw notFound('vehicle')
  return mine
}

/** Where one of them went. */
export interface KnownWay extends Pick<Track, 'subject' | 'departures' | 'gaps'> {
  readonly points: readonly TrackFix[]
  readonly sessions: readonly TrackSession[]
}

interface WaysAsked {
  /** Positions that the answer is made of, all ways together. */
  readonly maxFixes: number
  /** Of these duties only. */
  readonly duty?: ReadonlySet<string>
  /** Each duty ends with where they were last known. */
  readonly isHeld?: boolean
}

/** Seconds of duty within the time, everybody's together. */
const dutySeconds = (sessions: readonly TrackSession[], { from, to }: AskedTracks): number =>
  sessions.reduce((sum, { startedAt, endedAt }) => {
    const [begin, end] = [
      Math.max(startedAt.getTime(), from.getTime()),
      Math.min(endedAt?.getTime() ?? Infinity, to.getTime()),
    ]
    return sum + Math.max(0, end - begin) / 1000
  }, 0)

/** When a duty has said its last: with its end, with a break that lasts, or now. */
const lastWordOf = ({ endedAt, breaks }: TrackSession, { to }: AskedTracks): number =>
  Math.min(
    to.getTime(),
    endedAt?.getTime() ?? Infinity,
    ...breaks.flatMap((each) => (each.to === Infinity ? each.from : [])),
  )

/** Ways of these, and how many seconds of each position there is one: as many as keep an answer within what it may be made of. */
export async function knownWays(
  { tx, orgId }: MemberCall,
  subjects: readonly TrackedRef[],
  asked: AskedTracks,
  { maxFixes, duty, isHeld = false }: WaysAsked,
): Promise<{ readonly ways: readonly KnownWay[]; readonly everyS: number }> {
  const all = await selectTrackSessions(tx, orgId, asked)
  const sessions = duty ? all.filter(({ id }) => duty.has(id)) : all
  const ids = sessions.map(({ id }) => id)
  const everyS = Math.max(1, Math.ceil(dutySeconds(sessions, asked) / maxFixes))
  const fixes = Map.groupBy(await selectTrackFixes(tx, orgId, ids, asked, everyS), ({ sessionId }) => sessionId)
  const intervals = await selectIntervals(tx, orgId, asked)
  const bySubject = Map.groupBy(sessions, ({ subjectId }) => subjectId)
  const ways = subjects.map((subject): KnownWay => {
    const own = bySubject.get(subject.id) ?? []
    const fixesOf = (session: TrackSession) => {
      const taken = fixes.get(session.id) ?? []
      return isHeld ? heldUntil(taken, lastWordOf(session, asked)) : taken
    }
    const points = own.flatMap(fixesOf).toSorted((a, b) => a.at - b.at)
    const silenceMs = longestSilenceMs(Math.max(intervals.get(subject.id) ?? usualIntervalS, everyS))
    const departures = own.flatMap(({ departure }) => departure ?? [])
    return {
      subject,
      departures: [...new Map(departures.map((departure) => [departure.id, departure])).values()],
      points,
      gaps: gapsOf(
        points,
        silenceMs,
        own.flatMap(({ breaks }) => breaks),
      ),
      sessions: own,
    }
  })
  return { ways, everyS }
}

/** Everything that is known of one of them. */
interface Known extends Omit<Track, 'points' | 'stays' | 'meters'> {
  readonly points: readonly TrackFix[]
}

/** Tracks of those who were asked for, with how many positions they have. */
async function knownTracks(call: MemberCall, asked: AskedTracks, limit: Pick<WaysAsked, 'maxFixes'>): Promise<Known[]> {
  const { ways } = await knownWays(call, await requireSubjects(call, asked), asked, limit)
  const ids = ways.flatMap(({ sessions }) => sessions.map(({ id }) => id))
  const counts = await countFixes(call.tx, call.orgId, ids, asked)
  return ways.map(({ sessions, ...way }) => {
    const sum = (what: 'fixes' | 'implausible') =>
      sessions.reduce((total, { id }) => total + (counts.get(id)?.[what] ?? 0), 0)
    return { ...way, fixes: sum('fixes'), implausible: sum('implausible') }
  })
}

/** Names of the places at which they stayed. */
async function placed(call: MemberCall, stays: readonly Omit<TrackStay, 'place'>[]): Promise<TrackStay[]> {
  if (stays.length === 0) return []
  const [lats, lngs] = [stays.map(({ lat }) => lat), stays.map(({ lng }) => lng)]
  // about a kilometer around, more than any fence has
  const places = await selectPlacesWithin(call.tx, call.orgId, {
    south: Math.min(...lats) - 0.01,
    north: Math.max(...lats) + 0.01,
    west: Math.min(...lngs) - 0.03,
    east: Math.max(...lngs) + 0.03,
  })
  return stays.map((stay) => {
    const near = places
      .map((place) => ({ place, meters: metersBetween(place, stay) }))
      .filter(({ place, meters }) => meters <= place.exitM)
      .toSorted((a, b) => a.meters - b.meters)
    return { ...stay, place: near[0]?.place.name ?? null }
  })
}

/** That the caller looked where they were in a time; at one's own is none. */
export async function recordLooks(
  call: MemberCall,
  subjects: readonly TrackedRef[],
  { from, to }: Pick<AskedTracks, 'from' | 'to'>,
): Promise<void> {
  const others = subjects.filter(({ id }) => id !== call.staffId)
  const about = { from: from.toISOString(), to: to.toISOString() }
  for (const [kind, told] of Map.groupBy(others, (subject) => subject.kind))
    await recordLook(call, 'whereabouts', { entity: entityOf[kind], ids: told.map(({ id }) => id), about })
}

/** Positions that an answer for a screen is made of, all tracks together. */
const maxScreenFixes = 100_000

const get = verb(getTracks, async (call, { points: limit, ...input }) => {
  const asked = within(input)
  const known = await knownTracks(call, asked, { maxFixes: maxScreenFixes })
  await recordLooks(
    call,
    known.map(({ subject }) => subject),
    asked,
  )
  const tracks: Track[] = []
  for (const { points, ...track } of known) {
    // what they did on a break or off duty is private, also where both ends of it are known
    const pieces = piecesOf(
      points,
      track.gaps.filter(({ reason }) => reason !== 'no_signal'),
    )
    const stays = pieces.flatMap(staysOf)
    tracks.push({
      ...track,
      points: simplified(points, track.gaps, limit).map(({ sessionId: _sessionId, ...point }) => point),
      stays: await placed(call, stays),
      meters: pieces.reduce((sum, piece) => sum + metersOf(piece, stays), 0),
    })
  }
  return { tracks }
})

const exportAll = verb(exportTracks, async (call, { format, ...input }) => {
  const asked = within(input)
  const tracks = await knownTracks(call, asked, { maxFixes: maxExportPoints })
  const points = tracks.reduce((sum, track) => sum + track.points.length, 0)
  const about = JSON.stringify({ from: asked.from.toISOString(), to: asked.to.toISOString(), format })
  for (const { subject } of tracks)
    await sql`select record_event(${exportTracks.name}, ${entityOf[subject.kind]}, ${subject.id}, ${about}::jsonb)`.execute(
      call.tx,
    )
  const { mediaType, write } = trackFiles[format]
  const name = `tracks-${localDateOf(asked.from, await organizationZone(call))}`
  return {
    fileName: `${name}.${format}`,
    mediaType,
    content: write({ name, madeAt: call.clock.now(), tracks }),
    points,
  }
})

export const trackVerbs: Verb[] = [get, exportAll]
