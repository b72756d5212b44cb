import type { Out } from '@tour-ops/contract/callable'
import { refuse } from '@tour-ops/contract/refusals'
import {
  type GeneralSettings,
  getGeneralSettings,
  type RouterKind,
  setUpOrganization,
  updateGeneralSettings,
} from '@tour-ops/contract/settings/settings'
import type { MapTiles } from '@tour-ops/contract/settings/map-tiles'
import { sql } from 'kysely'
import type { MemberCall } from '../../context.ts'
import { newId } from '../../platform/ids.ts'
import { identitySlots } from '../../platform/identity/identity-admin.ts'
import { isoOrNull } from '../../platform/list-query.ts'
import { tryTiles } from '../../platform/map-tiles/try-tiles.ts'
import type { Router } from '../../platform/routing/router.ts'
import { tryRouter } from '../../platform/routing/try-router.ts'
import { limitedVerb, slowVerb, type Verb, verb } from '../../platform/verb.ts'
import { requireSettingsVersion } from './settings-version.ts'
import { notFound } from '../../platform/optimistic-lock.ts'

/** How near the map looks at the base. */
const baseZoom = 8

interface GeneralRow {
  version: number
  updatedAt: Date
  name: string
  timeZone: string
  locale: GeneralSettings['locale']
  currency: string
  weekStart: number
  timeFormat: GeneralSettings['timeFormat']
  units: GeneralSettings['units']
  workingHours: GeneralSettings['workingHours']
  lat: number
  lng: number
  zoom: number
  positionsDays: number
  sensitiveDays: number
  general: { phone?: string | null; emergencyNumber?: string | null; payAtStart?: string | null } & Partial<
    GeneralSettings['billing']
  >
  routerKind: RouterKind | null
  routerAddress: string | null
  routerSilentSince: Date | null
  tilesSource: MapTiles['source'] | null
  tilesAddress: string | null
}

async function selectGeneral(call: MemberCall): Promise<GeneralRow> {
  const { rows } = await sql<GeneralRow>`
    select s.version, s.updated_at as "updatedAt", o.name, s.time_zone as "timeZone", s.locale, s.currency,
      s.week_start as "weekStart", s.time_format as "timeFormat", s.units, s.working_hours as "workingHours", s.map_center_lat as lat, s.map_center_lng as lng,
      s.map_zoom as zoom, s.positions_days as "positionsDays", s.sensitive_days as "sensitiveDays", s.general,
      s.router_kind as "routerKind", s.router_address as "routerAddress", s.router_silent_since as "routerSilentSince",
      s.tiles_source as "tilesSource", s.tiles_address as "tilesAddress"
    from org_settings s join organizations o on o.org_id = s.org_id where s.org_id = ${call.orgId}`.execute(call.tx)
  const row = rows[0]
  if (!row) throw notFound('settings')
  return row
}

function answerOf(row: GeneralRow): Out<typeof getGeneralSettings> {
  const { version, updatedAt, lat, lng, zoom, positionsDays, sensitiveDays, general, ...rest } = row
  const { routerKind, routerAddress, routerSilentSince, tilesSource, tilesAddress, ...settings } = rest
  return {
    version,
    updatedAt: updatedAt.toISOString(),
    state: { routerSilentSince: isoOrNull(routerSilentSince) },
    settings: {
      ...settings,
      phone: general.phone ?? null,
      emergencyNumber: general.emergencyNumber ?? null,
      payAtStart: general.payAtStart ?? null,
      billing: {
        legalName: general.legalName ?? null,
        address: general.address ?? null,
        taxNumber: general.taxNumber ?? null,
        invoiceNote: general.invoiceNote ?? null,
        taxScheme: general.taxScheme ?? 'none',
        taxName: general.taxName ?? null,
        taxPercent: general.taxPercent ?? 0,
        feeTax: general.feeTax ?? 'taxed',
      },
      map: { lat, lng, zoom },
      tiles: { source: tilesSource ?? 'offline', address: tilesAddress },
      routing: { router: routerKind ?? 'none', address: routerAddress },
      retention: { positionsDays, sensitiveDays },
    },
  }
}

const get = verb(getGeneralSettings, async (call) => answerOf(await selectGeneral(call)))

/** What is saved of a router: one that is not used has no address. */
const routerOf = ({ router, address }: GeneralSettings['routing']): Router | null =>
  router === 'none' || address === null ? null : { kind: router, address }

const isSame = (one: Router | null, other: Router | null): boolean =>
  one?.kind === other?.kind && one?.address === other?.address

/** What is saved of a map: one of our own has no address. */
const tilesOf = ({ source, address }: GeneralSettings['tiles']): MapTiles | null =>
  source === 'offline' || address === null ? null : { source, address }

/** A new router and a new map are tried between two transactions: an address that is not answered at is refused at its field, and nothing is saved. */
const update = slowVerb(updateGeneralSettings, {
  look: async (call, { settings: { routing, tiles: givenTiles } }) => {
    const [router, tiles] = [routerOf(routing), tilesOf(givenTiles)]
    const row = await selectGeneral(call)
    const { config } = call
    const saved = answerOf(row).settings
    const near = { lat: row.lat, lng: row.lng }
    const isNewMap = tiles?.source !== saved.tiles.source || tiles.address !== saved.tiles.address
    return {
      router:
        router && !isSame(router, routerOf(saved.routing)) ? { router, near, trustedHosts: config.routerHosts } : null,
      tiles: tiles && isNewMap ? { tiles, hosts: config.map.styleHosts, origin: config.publicUrl } : null,
    }
  },
  work: async (trial, signal) => {
    if (trial.router) await tryRouter(trial.router, signal)
    if (trial.tiles) await tryTiles(trial.tiles, signal)
  },
  run: async (call, { version, settings }) => {
    await requireSettingsVersion(call, version)
    const { map, retention, phone, emergencyNumber, payAtStart, billing, workingHours, name } = settings
    const router = routerOf(settings.routing)
    const tiles = tilesOf(settings.tiles)
    await sql`
      update org_settings set time_zone = ${settings.timeZone}, locale = ${settings.locale}, currency = ${settings.currency},
        week_start = ${settings.weekStart}, time_format = ${settings.timeFormat}, units = ${settings.units}, working_hours = ${JSON.stringify(workingHours)},
        map_center_lat = ${map.lat}, map_center_lng = ${map.lng}, map_zoom = ${map.zoom},
        router_silent_since = case when (router_kind, router_address) is not distinct from (${router?.kind ?? null}, ${router?.address ?? null})
          then router_silent_since end,
        router_kind = ${router?.kind ?? null}, router_address = ${router?.address ?? null},
        tiles_source = ${tiles?.source ?? null}, tiles_address = ${tiles?.address ?? null},
        positions_days = ${retention.positionsDays}, sensitive_days = ${retention.sensitiveDays},
        general = ${JSON.stringify({ phone, emergencyNumber, payAtStart, ...billing })}, set_up_at = coalesce(set_up_at, app_now())
      where org_id = ${call.orgId}`.execute(call.tx)
    await call.identityAdmin.renameOrganization(call, name)
    return answerOf(await selectGeneral(call))
  },
})

/** The base is where the map opens and a place for people and tours. Answered once: afterwards it is a matter of the settings. */
const setUp = verb(setUpOrganization, async (call, { timeZone, currency, base }) => {
  const { rows } = await sql<{ orgId: string }>`
    update org_settings set time_zone = ${timeZone}, currency = ${currency}, set_up_at = app_now(),
      map_center_lat = coalesce(${base?.lat ?? null}, map_center_lat), map_center_lng = coalesce(${base?.lng ?? null}, map_center_lng),
      map_zoom = case when ${base !== null} then ${baseZoom} else map_zoom end
    where org_id = ${call.orgId} and set_up_at is null returning org_id as "orgId"`.execute(call.tx)
  if (!rows[0]) {
    throw refuse('already_set_up')
  }
  if (!base) return { basePlaceId: null }
  const id = newId()
  await sql`
    insert into places (org_id, id, name, kind, lat, lng, time_zone)
    values (${call.orgId}, ${id}, ${base.name}, 'meeting_point', ${base.lat}, ${base.lng}, ${timeZone})`.execute(
    call.tx,
  )
  return { basePlaceId: id }
})

export const generalVerbs: Verb[] = [get, limitedVerb(identitySlots, update), setUp]
