import type { Locale } from '@tour-ops/contract/locales'
import type { Services } from '../../context.ts'
import type { Tx } from '../../platform/db/database.ts'
import { insideOrganization, organizationIds } from '../../platform/jobs/housekeeping.ts'
import { type NoticeText, sendNotice } from '../../platform/notices.ts'
import { askWays } from '../../platform/routing/ask-ways.ts'
import { selectRouter } from '../../platform/routing/road-ways.ts'
import { knowsMode, type Router } from '../../platform/routing/router.ts'
import {
  type RoutedRow,
  selectSettingsPeople,
  selectWaysAhead,
  type WayAhead,
  writeRouted,
  writeRouterState,
} from './router-store.ts'

/**
 * Asks the routers of organizations that have one how far departures under way have to their next stop. Once a minute; the answers wait in the
 * database for `arrivalsFromPositions`, whichever process runs it. No transaction is open while a router thinks. See decision 0086.
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
  const asked = await inside(async (tx) => {
    const router = await selectRouter(tx, orgId)
    return router && { router, ways: (await selectWaysAhead(tx, orgId)).filter(({ mode }) => knowsMode(router, mode)) }
  })
  if (!asked || asked.ways.length === 0) return
  const { router, ways } = asked
  const { answers, failure } = await askWays(router, ways, { trustedHosts: services.config.routerHosts, signal })
  const hasAnswered = answers.length > 0
  const rows = answers.flatMap(({ question, way }) => (way ? [routedRow(question, way.seconds)] : []))
  if (failure !== null) services.log.warn({ orgId, err: failure }, 'a router did not answer')
  const isNews = await inside(async (tx) => {
    await writeRouted(tx, orgId, rows)
    return writeRouterState(tx, orgId, { router, isSilent: !hasAnswered })
  })
  if (isNews && !hasAnswered) await inside((tx) => notifyOfSilence(services, tx, orgId, router))
}

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
  for (const userId of await selectSettingsPeople(tx, orgId)) {
    await sendNotice({ ...services, tx, orgId }, userId, {
      event: 'router_silent',
      link: '/settings/general#routing',
      text: (locale) => silence[locale](host),
    })
  }
}
