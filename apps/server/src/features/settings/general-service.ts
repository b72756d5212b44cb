import type { Out } from '@tour-ops/contract/callable'
import { AppError } from '@tour-ops/contract/errors'
import { type GeneralSettings, getGeneralSettings, updateGeneralSettings } from '@tour-ops/contract/settings'
import { sql } from 'kysely'
import type { MemberCall } from '../../context.ts'
import { type Verb, verb } from '../../platform/verb.ts'
import { requireSettingsVersion } from './settings-version.ts'

interface GeneralRow {
  version: number
  updatedAt: Date
  name: string
  timeZone: string
  locale: GeneralSettings['locale']
  currency: string
  weekStart: number
  units: GeneralSettings['units']
  workingHours: GeneralSettings['workingHours']
  lat: number
  lng: number
  zoom: number
  positionsDays: number
  sensitiveDays: number
  general: { phone?: string | null }
}

async function selectGeneral(call: MemberCall): Promise<GeneralRow> {
  const { rows } = await sql<GeneralRow>`
    select s.version, s.updated_at as "updatedAt", o.name, s.time_zone as "timeZone", s.locale, s.currency,
      s.week_start as "weekStart", s.units, s.working_hours as "workingHours", s.map_center_lat as lat, s.map_center_lng as lng,
      s.map_zoom as zoom, s.positions_days as "positionsDays", s.sensitive_days as "sensitiveDays", s.general
    from org_settings s join organizations o on o.org_id = s.org_id where s.org_id = ${call.orgId}`.execute(call.tx)
  const row = rows[0]
  if (!row) throw new AppError('not-found', 'This organization has no settings.')
  return row
}

function answerOf(row: GeneralRow): Out<typeof getGeneralSettings> {
  const { version, updatedAt, lat, lng, zoom, positionsDays, sensitiveDays, general, ...settings } = row
  return {
    version,
    updatedAt: updatedAt.toISOString(),
    settings: {
      ...settings,
      phone: general.phone ?? null,
      map: { lat, lng, zoom },
      retention: { positionsDays, sensitiveDays },
    },
  }
}

const get = verb(getGeneralSettings, async (call) => answerOf(await selectGeneral(call)))

const update = verb(updateGeneralSettings, async (call, { version, settings }) => {
  await requireSettingsVersion(call, version)
  const { map, retention, phone, workingHours, name } = settings
  await sql`
    update org_settings set time_zone = ${settings.timeZone}, locale = ${settings.locale}, currency = ${settings.currency},
      week_start = ${settings.weekStart}, units = ${settings.units}, working_hours = ${JSON.stringify(workingHours)},
      map_center_lat = ${map.lat}, map_center_lng = ${map.lng}, map_zoom = ${map.zoom},
      positions_days = ${retention.positionsDays}, sensitive_days = ${retention.sensitiveDays},
      general = ${JSON.stringify({ phone })}
    where org_id = ${call.orgId}`.execute(call.tx)
  await call.identityAdmin.renameOrganization(call, name)
  return answerOf(await selectGeneral(call))
})

export const generalVerbs: Verb[] = [get, update]
