import { fieldError } from '@tour-ops/contract/field-rules'
import { mergeIncident } from '@tour-ops/contract/monitoring/incident-merge'
import { refuse } from '@tour-ops/contract/refusals'
import { sql } from 'kysely'
import type { MemberCall } from '../../context.ts'
import { statuses } from '../../platform/operations/status-sets.ts'
import { notFound, requireVersion } from '../../platform/optimistic-lock.ts'
import { type Verb, verb } from '../../platform/verb.ts'
import { addEntry } from './incident-log.ts'
import { tellOfIncident } from './incident-notice.ts'

interface Side {
  id: string
  version: number
  number: string
  isOpen: boolean
}

/** Both, locked in the order of their ids, so that two merges of the same two wait for each other instead of locking up. */
async function lockBoth(call: MemberCall, ids: readonly string[]): Promise<ReadonlyMap<string, Side>> {
  const { rows } = await sql<Side>`
    select id, version, number, status not in ${statuses.overIncident} as "isOpen" from incidents
    where org_id = ${call.orgId} and id = any (${ids}::uuid[]) order by id for update`.execute(call.tx)
  return new Map(rows.map((row) => [row.id, row]))
}

const merge = verb(mergeIncident, async (call, { id, version, intoId }) => {
  const sides = await lockBoth(call, [id, intoId])
  const source = sides.get(id)
  const target = sides.get(intoId)
  if (!source || !target) throw notFound('incident')
  if (id === intoId) throw fieldError('intoId', 'incident_itself')
  // who was slower in the other direction has an outdated version as well; that it is over says more
  if (!source.isOpen) throw refuse('incident_over')
  requireVersion(source, version, 'incident')
  if (!target.isOpen) throw fieldError('intoId', 'incident_not_open')
  await addEntry(call, id, 'merged', target.number)
  // who takes part in both is told of the one that goes on
  const informed = await tellOfIncident(call, intoId, { kind: 'merged' })
  await tellOfIncident(call, id, { kind: 'merged' }, informed)
  await moveOver(call, id, intoId)
  const { rows } = await sql<{ version: number }>`
    update incidents set status = 'merged', merged_into_id = ${intoId}, closed_at = app_now()
    where org_id = ${call.orgId} and id = ${id} returning version`.execute(call.tx)
  return { id, version: rows[0]?.version ?? version }
})

/**
 * What belongs to the one belongs to the other from now on. The log stays where it was written and is read from there, since nobody rewrites
 * it; a roll call goes over where the other has none and asks about the same departure.
 */
async function moveOver({ tx, orgId }: MemberCall, id: string, intoId: string): Promise<void> {
  await sql`
    insert into incident_travelers (org_id, incident_id, traveler_id, note)
    select org_id, ${intoId}, traveler_id, note from incident_travelers where org_id = ${orgId} and incident_id = ${id}
    on conflict on constraint incident_travelers_pkey do nothing`.execute(tx)
  await sql`delete from incident_travelers where org_id = ${orgId} and incident_id = ${id}`.execute(tx)
  for (const table of ['incident_tasks', 'alerts', 'messages']) {
    await sql`update ${sql.table(table)} set incident_id = ${intoId} where org_id = ${orgId} and incident_id = ${id}`.execute(
      tx,
    )
  }
  await sql`
    update roll_calls c set incident_id = ${intoId} from incidents s, incidents t
    where c.org_id = ${orgId} and c.incident_id = ${id} and s.org_id = c.org_id and s.id = ${id} and t.org_id = c.org_id and t.id = ${intoId}
      and s.departure_id = t.departure_id
      and not exists (select from roll_calls o where o.org_id = c.org_id and o.incident_id = ${intoId})`.execute(tx)
}

export const incidentMergeVerbs: Verb[] = [merge]
