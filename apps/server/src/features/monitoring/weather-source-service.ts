import {
  getWeatherSource,
  issueWeatherSource,
  revokeWeatherSource,
  weatherPath,
  type WeatherSource,
} from '@tour-ops/contract/monitoring/weather-warnings'
import { sql } from 'kysely'
import { newId } from '../../platform/ids.ts'
import { iso } from '../../platform/list-query.ts'
import { hashOfToken, newToken } from '../../platform/operations/address-token.ts'
import { notFound, requireVersion } from '../../platform/optimistic-lock.ts'
import { type Verb, verb } from '../../platform/verb.ts'

const get = verb(getWeatherSource, async (call) => {
  const { rows } = await sql<Omit<WeatherSource, 'issuedAt'> & { issuedAt: Date }>`
    select w.id, w.version, w.issued_at as "issuedAt", m.name as "issuedByName", w.token_hint as hint
    from weather_sources w left join members m on m.org_id = w.org_id and m.user_id = w.issued_by
    where w.org_id = ${call.orgId}`.execute(call.tx)
  return { source: rows[0] ? { ...rows[0], issuedAt: iso(rows[0].issuedAt) } : null }
})

const issue = verb(issueWeatherSource, async (call) => {
  const token = newToken()
  const { rows } = await sql<{ id: string; version: number }>`
    insert into weather_sources as w (org_id, id, token_hash, token_hint, issued_by)
    values (${call.orgId}, ${newId()}, ${hashOfToken(token)}, ${token.slice(-4)}, ${call.caller.userId})
    on conflict on constraint weather_sources_of_org_unique do update
      set token_hash = excluded.token_hash, token_hint = excluded.token_hint, issued_at = app_now(), issued_by = excluded.issued_by
    returning w.id, w.version`.execute(call.tx)
  const [source] = rows
  if (!source) throw new Error('a weather source was written and not returned')
  return { ...source, url: new URL(weatherPath(token), call.config.publicUrl).href }
})

const revoke = verb(revokeWeatherSource, async (call, { id, version }) => {
  const { rows } = await sql<{ version: number }>`
    select version from weather_sources where org_id = ${call.orgId} and id = ${id} for update`.execute(call.tx)
  if (!rows[0]) throw notFound('record')
  requireVersion(rows[0], version, 'record')
  await sql`delete from weather_sources where org_id = ${call.orgId} and id = ${id}`.execute(call.tx)
  return { id }
})

export const weatherSourceVerbs: Verb[] = [get, issue, revoke]
