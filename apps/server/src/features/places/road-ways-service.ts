import type { Out } from '@tour-ops/contract/callable'
import { roadWays } from '@tour-ops/contract/places/places'
import type { Point } from '@tour-ops/contract/tracking/arrivals/travel'
import { sql } from 'kysely'
import type { MemberCall } from '../../context.ts'
import { askWays } from '../../platform/routing/ask-ways.ts'
import { isWayOf, roomForWays, selectRouter, writeRoadWays } from '../../platform/routing/road-ways.ts'
import { knowsMode, type RouterQuestion } from '../../platform/routing/router.ts'
import { slowVerb } from '../../platform/verb.ts'
import { WorkSlots } from '../../platform/work-slots.ts'

/** A person looks at the estimate meanwhile. */
const patienceMs = 8000
/** Screens that ask a router at once: it is somebody's, and may hang. */
const askingSlots = new WorkSlots({ perOrganization: 2, inAll: 20, waiting: 100 })

type Asked = Parameters<typeof selectWays>[1]
type Ways = Out<typeof roadWays>['ways']

interface WayRow {
  readonly from: string
  readonly to: string
  readonly origin: Point
  readonly target: Point
  readonly isKnown: boolean
  readonly seconds: number | null
  readonly meters: number | null
}

/** Pairs whose places are there, with what is stored of their way. */
async function selectWays(
  { tx, orgId }: Pick<MemberCall, 'tx' | 'orgId'>,
  { mode, pairs }: { mode: 'drive' | 'walk'; pairs: readonly { from: string; to: string }[] },
): Promise<readonly WayRow[]> {
  const { rows } = await sql<WayRow>`
    select a.id as "from", b.id as "to", jsonb_build_object('lat', a.lat, 'lng', a.lng) as origin,
      jsonb_build_object('lat', b.lat, 'lng', b.lng) as target, w.org_id is not null as "isKnown", w.seconds, w.meters
    from (select distinct "from", "to" from jsonb_to_recordset(${JSON.stringify(pairs)}::jsonb) as e ("from" uuid, "to" uuid)) pair
      join places a on a.org_id = ${orgId} and a.id = pair."from" join places b on b.org_id = ${orgId} and b.id = pair."to"
      left join road_ways w on w.org_id = ${orgId} and w.mode = ${mode} and ${isWayOf('a', 'b')}
    where (a.lat, a.lng) <> (b.lat, b.lng)
    order by a.id, b.id`.execute(tx)
  return rows
}

const knownOf = (rows: readonly WayRow[]): Ways =>
  rows.flatMap(({ from, to, isKnown, seconds, meters }) =>
    isKnown ? [{ from, to, way: seconds === null || meters === null ? null : { seconds, meters } }] : [],
  )

const questionsOf = (rows: readonly WayRow[], { mode }: Asked): RouterQuestion[] => {
  // places at one address share their way
  const unknown = new Map(
    rows.flatMap(({ isKnown, origin: from, target: to }) =>
      isKnown ? [] : [[JSON.stringify([from, to]), { from, to, mode }] as const],
    ),
  )
  return [...unknown.values()]
}

/**
 * Ways by the router of the organization; those that are not stored yet are asked for between two transactions. People with scope `own` see
 * the tours that they lead and plan none: their screen stays with the estimate.
 */
export const ways = slowVerb(roadWays, {
  look: async (call, asked) => {
    const router = call.scope === 'own' ? null : await selectRouter(call.tx, call.orgId)
    if (!router || !knowsMode(router, asked.mode)) return null
    const questions = questionsOf(await selectWays(call, asked), asked).slice(0, await roomForWays(call.tx, call.orgId))
    return { orgId: call.orgId, router, questions, trustedHosts: call.config.routerHosts }
  },
  work: async (found, signal) => {
    if (!found || found.questions.length === 0) return found && { router: found.router, answers: [], failure: null }
    const { orgId, router, questions, trustedHosts } = found
    const ask = () => askWays(router, questions, { trustedHosts, signal, deadline: AbortSignal.timeout(patienceMs) })
    return { router, ...(await askingSlots.run(orgId, signal, ask)) }
  },
  run: async (call, asked, made): Promise<Out<typeof roadWays>> => {
    if (!made) return { router: 'none', ways: [] }
    const { router, answers, failure } = made
    if (failure !== null) call.log.warn({ orgId: call.orgId, err: failure }, 'a router did not answer')
    await writeRoadWays(call.tx, call.orgId, router, answers)
    return {
      router: failure !== null && answers.length === 0 ? 'silent' : 'answers',
      ways: knownOf(await selectWays(call, asked)),
    }
  },
})
