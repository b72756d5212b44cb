import type { Incident, IncidentRow } from '@tour-ops/contract/monitoring/monitoring'
import { sql } from 'kysely'
import type { MemberCall } from '../../context.ts'
import { newId } from '../../platform/ids.ts'
import { iso } from '../../platform/list-query.ts'
import { notFound } from '../../platform/optimistic-lock.ts'

type Entry = Incident['timeline'][number]

/** The log of an incident, newest first. */
export async function selectEntries(call: MemberCall, id: string): Promise<Entry[]> {
  const { rows } = await sql<Omit<Entry, 'at'> & { at: Date }>`
    select e.id, e.at, m.name as "authorName", e.kind, e.text
    from incident_entries e left join members m on m.org_id = e.org_id and m.user_id = e.author_id
    where e.org_id = ${call.orgId} and e.incident_id = ${id} order by e.at desc, e.id desc limit 500`.execute(call.tx)
  return rows.map((entry) => ({ ...entry, at: iso(entry.at) }))
}

/** Writes a line of the log as the caller; its id. */
export async function addEntry(
  call: MemberCall,
  incidentId: string,
  kind: Entry['kind'],
  text: string,
): Promise<string> {
  const id = newId()
  await sql`insert into incident_entries (org_id, id, incident_id, author_id, kind, text)
    values (${call.orgId}, ${id}, ${incidentId}, ${call.caller.userId}, ${kind}, ${text})`.execute(call.tx)
  return id
}

interface Locked {
  version: number
  status: IncidentRow['status']
}

/**
 * Everything that changes an incident or what belongs to it waits here for its turn.
 *
 * @throws AppError `not-found`.
 */
export async function lockIncident(call: MemberCall, id: string): Promise<Locked> {
  const { rows } = await sql<Locked>`
    select version, status from incidents where org_id = ${call.orgId} and id = ${id} for update`.execute(call.tx)
  if (!rows[0]) throw notFound('incident')
  return rows[0]
}
