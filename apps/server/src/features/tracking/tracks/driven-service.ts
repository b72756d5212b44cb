import { drivenWays, maxDrivenPoints } from '@tour-ops/contract/tracking/driven'
import { notFound } from '../../../platform/optimistic-lock.ts'
import { type Verb, verb } from '../../../platform/verb.ts'
import { simplified } from './track-line.ts'
import { selectDrivenSessions } from './tracks-store.ts'
import { knownWays, requireSubjects } from './tracks-service.ts'

/** Positions that the ways of one departure are made of. */
const maxFixes = 20_000

/**
 * What is driven now is operations and not history: a reader who watches the map has seen each of these positions. See decision 0073.
 */
const driven = verb(drivenWays, async (call, { departureId }) => {
  const { tx, orgId } = call
  const sessions = await selectDrivenSessions(tx, orgId, departureId)
  if (sessions === null) throw notFound('departure')
  if (sessions.length === 0) return { ways: [] }
  const asked = {
    staffId: sessions.flatMap(({ staffId }) => staffId ?? []),
    vehicleId: sessions.flatMap(({ vehicleId }) => vehicleId ?? []),
    from: new Date(Math.min(...sessions.map(({ startedAt }) => startedAt.getTime()))),
    to: call.clock.now(),
  }
  const duty = new Set(sessions.map(({ id }) => id))
  const { ways } = await knownWays(call, await requireSubjects(call, asked), asked, { maxFixes, duty })
  return {
    ways: ways.map(({ subject, points, gaps }) => ({
      subject,
      points: simplified(points, gaps, maxDrivenPoints).map(({ at, lat, lng }) => ({ at, lat, lng })),
      gaps,
    })),
  }
})

export const drivenVerbs: Verb[] = [driven]
