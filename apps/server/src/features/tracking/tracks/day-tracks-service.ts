import { maxDayPoints, maxDayTracks, maxPointsOfDay, tracksOfDay } from '@tour-ops/contract/tracking/day-tracks'
import { dayBounds, localDateOf } from '../../../platform/local-time.ts'
import { organizationZone } from '../../../platform/organization-zone.ts'
import { type Verb, verb } from '../../../platform/verb.ts'
import { simplified } from './track-line.ts'
import { knownWays, recordLooks, subjectsWithinReach } from './tracks-service.ts'
import { selectSubjectsOnDuty } from './tracks-store.ts'

/** Positions that one answer is made of: of two hundred devices on duty for ten hours, one in half a minute. */
const maxFixes = 240_000
/** With fewer points of each track, or fewer positions, the answer says that it is rough. */
const enough = { points: 100, everyS: 60 } as const

/** The day of everybody at once, in a bounded form. Looks are recorded of those who have positions only: of the others nothing was seen. */
const day = verb(tracksOfDay, async (call) => {
  const { tx, orgId } = call
  const now = call.clock.now()
  const zone = await organizationZone(call)
  const today = dayBounds(localDateOf(now, zone), zone)
  const span = { from: today.from, to: now }
  const found = await subjectsWithinReach(call, { ...(await selectSubjectsOnDuty(tx, orgId, span)), ...span })
  const subjects = found.slice(0, maxDayTracks)
  const idsOf = (kind: 'staff' | 'vehicle') => subjects.flatMap((subject) => (subject.kind === kind ? subject.id : []))
  const asked = { staffId: idsOf('staff'), vehicleId: idsOf('vehicle'), ...span }
  const { ways, everyS } = await knownWays(call, subjects, asked, { maxFixes, isHeld: true })
  const seen = ways.filter(({ points }) => points.length > 0)
  await recordLooks(
    call,
    seen.map(({ subject }) => subject),
    today,
  )
  const limit = Math.min(maxPointsOfDay, Math.floor(maxDayPoints / Math.max(1, seen.length)))
  return {
    from: span.from.getTime(),
    to: span.to.getTime(),
    tracks: seen.map(({ subject, departures, points, gaps }) => ({
      subject,
      departureIds: departures.map(({ id }) => id),
      points: simplified(points, gaps, limit).map(({ at, lat, lng }) => ({ at, lat, lng })),
      gaps,
    })),
    leftOut: found.length - subjects.length,
    isRough: limit < enough.points || everyS > enough.everyS,
  }
})

export const dayTrackVerbs: Verb[] = [day]
