import type { Locale } from '@tour-ops/contract/locales'
import type { Services } from '../../context.ts'
import type { Tx } from '../../platform/db/database.ts'
import { insideOrganization, organizationIds } from '../../platform/jobs/housekeeping.ts'
import { type NoticeText, sendNotice } from '../../platform/notices.ts'
import { selectPeopleWith } from '../../platform/people-with.ts'
import { askWays, type WayAnswers } from '../../platform/routing/ask-ways.ts'
import { selectCrewWays } from '../../platform/routing/crew-ways.ts'
import { selectRouter, writeRoadWays } from '../../platform/routing/road-ways.ts'
import { knowsMode, type Router, type RouterQuestion } from '../../platform/routing/router.ts'
import { type RoutedRow, selectWaysAhead, type WayAhead, writeRouted, writeRouterState } from './router-store.ts'

/**
 * Asks the routers of organizations that have one how far departures under way have to their next stop, and a few of the ways that crew will
 * have. Once a minute; the answers wait in the database for `arrivalsFromPositions`, whichever process runs it, and for those who plan crew. No
 * transaction is open while a router thinks. See decision 0086.
 *
 * @throws AggregateError with what went wrong in organizations, after all of them.
 */
export async function askRouters(services: Services, signal: AbortSignal): Promise<void> {
  const failures: unknown[] = []
  for (const orgId of await organizationIds(services)) {
    try {
      await askFor(services, orgId, signal)
    } catch (error) {
      signal.throwIfAborted()
      failures.push(error)
    }
  }
  if (failures.length > 0) throw new AggregateError(failures, 'routers were not asked everywhere')
}

async function askFor(services: Services, orgId: string, signal: AbortSignal): Promise<void> {
  const inside = <T>(run: (tx: Tx) => Promise<T>) => insideOrganization(services, orgId, 'router-ask', run)
  const due = await inside(async (tx) => {
    const router = await selectRouter(tx, orgId)
    if (!router) return null
    const ahead = (await selectWaysAhead(tx, orgId)).filter(({ mode }) => knowsMode(router, mode))
    return { router, ahead, crew: await selectCrewWays(tx, orgId) }
  })
  if (!due || due.ahead.length + due.crew.length === 0) return
  const { router } = due
  const asking = { trustedHosts: services.config.routerHosts, signal }
  const ahead = await askWays(router, due.ahead, asking)
  // what is late now comes first, and a router that fails is left alone until the next minute
  const crew = ahead.failure === null ? await askWays(router, due.crew, asking) : nothing
  const hasAnswered = ahead.answers.length + crew.answers.length > 0
  const failure = ahead.failure ?? crew.failure
  if (failure !== null) services.log.warn({ orgId, err: failure }, 'a router did not answer')
  const isNews = await inside(async (tx) => {
    await writeRouted(
      tx,
      orgId,
      ahead.answers.flatMap(({ question, way }) => (way ? [routedRow(question, way.seconds)] : [])),
    )
    await writeRoadWays(tx, orgId, router, crew.answers)
    return writeRouterState(tx, orgId, { router, isSilent: !hasAnswered })
  })
  if (isNews && !hasAnswered) await inside((tx) => notifyOfSilence(services, tx, orgId, router))
}

const nothing: WayAnswers<RouterQuestion> = { answers: [], failure: null }

const routedRow = ({ departureId, stopId, seenAt }: WayAhead, seconds: number): RoutedRow => ({
  departure_id: departureId,
  stop_id: stopId,
  routed_at: new Date(seenAt.getTime() + seconds * 1000),
  routed_seen_at: seenAt,
})

const silence: Readonly<Record<Locale, (host: string) => NoticeText>> = {
  en: (host) => ({
    title: 'The router does not answer',
    body: `${host} gives no travel times. Arrival times are estimated from the straight line until it answers again.`,
  }),
  de: (host) => ({
    title: 'Der Routing-Dienst antwortet nicht',
    body: `${host} liefert keine Fahrzeiten. Ankunftszeiten werden über die Luftlinie geschätzt, bis er wieder antwortet.`,
  }),
  es: (host) => ({
    title: 'El servicio de rutas no responde',
    body: `${host} no da tiempos de viaje. Las horas de llegada se estiman en línea recta hasta que vuelva a responder.`,
  }),
}

/** Once for each silence: `router_silent_since` says that it has been reported. */
async function notifyOfSilence(services: Services, tx: Tx, orgId: string, { address }: Router): Promise<void> {
  const { host } = new URL(address)
  for (const userId of await selectPeopleWith(tx, orgId, 'settings:manage')) {
    await sendNotice({ ...services, tx, orgId }, userId, {
      event: 'router_silent',
      link: '/settings/general#routing',
      text: (locale) => silence[locale](host),
    })
  }
}
