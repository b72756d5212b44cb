import type {
  WeatherCancellation,
  weatherOutcomes,
  WeatherReport,
} from '@tour-ops/contract/monitoring/weather-warnings'
import { sql } from 'kysely'
import type { Tx } from '../../platform/db/database.ts'
import { newId } from '../../platform/ids.ts'
import { checkTimes } from './weather-warnings-service.ts'
import { columnsOf, listedColumns } from './weather-warnings-store.ts'

type Outcome = (typeof weatherOutcomes)[number]

/**
 * Writes what a weather service reports. Its id names the warning: the same again changes nothing, another content replaces it, and twice at
 * once is one warning. What a person has ended stays ended until the service says something else.
 *
 * @throws AppError `invalid-argument`, with the field.
 */
export function writeReport(tx: Tx, orgId: string, report: WeatherReport | WeatherCancellation): Promise<Outcome> {
  return report.cancelled ? cancel(tx, orgId, report.id) : save(tx, orgId, report)
}

async function cancel(tx: Tx, orgId: string, externalId: string): Promise<Outcome> {
  const { rows } = await sql<{ isEnded: boolean }>`
    select ended_at is not null as "isEnded" from weather_warnings where org_id = ${orgId} and external_id = ${externalId} for update`.execute(
    tx,
  )
  if (!rows[0]) return 'unknown'
  if (rows[0].isEnded) return 'unchanged'
  await sql`update weather_warnings set ended_at = app_now(), ended_by = null where org_id = ${orgId} and external_id = ${externalId}`.execute(
    tx,
  )
  return 'ended'
}

async function save(tx: Tx, orgId: string, { id: externalId, ...content }: WeatherReport): Promise<Outcome> {
  checkTimes(content)
  const columns = columnsOf(content)
  const { names, values } = listedColumns(columns)
  const own = sql.join(Object.keys(columns).map((column) => sql.ref(`w.${column}`)))
  const given = sql.join(Object.keys(columns).map((column) => sql.ref(`excluded.${column}`)))
  const set = sql.join(Object.keys(columns).map((column) => sql`${sql.id(column)} = ${sql.ref(`excluded.${column}`)}`))
  const { rows } = await sql<{ isNew: boolean }>`
    insert into weather_warnings as w (org_id, id, external_id, ${names}) values (${orgId}, ${newId()}, ${externalId}, ${values})
    on conflict (org_id, external_id) where external_id is not null do update set ${set}, ended_at = null, ended_by = null
      where (${own}) is distinct from (${given}) or w.ended_at is not null and w.ended_by is null
    returning w.version = 1 as "isNew"`.execute(tx)
  if (!rows[0]) return 'unchanged'
  return rows[0].isNew ? 'stated' : 'changed'
}
