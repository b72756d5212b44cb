import { hasAccess } from '@tour-ops/contract/identity/access'
import { incidentFileManagers } from '@tour-ops/contract/monitoring/incident-files'
import type { IncidentRef } from '@tour-ops/contract/monitoring/incident-merge'
import { type Incident, type IncidentRow, maxIncidentEntries } from '@tour-ops/contract/monitoring/incidents'
import { refuse } from '@tour-ops/contract/refusals'
import { type RawBuilder, sql } from 'kysely'
import type { MemberCall } from '../../context.ts'
import { newId } from '../../platform/ids.ts'
import { iso } from '../../platform/list-query.ts'
import { notFound } from '../../platform/optimistic-lock.ts'

type Entry = Incident['timeline'][number]

type EntryRow = Omit<Entry, 'at' | 'incident' | 'file'> & {
  at: Date
  authorId: string | null
  incidentId: string
  number: string
  isMerged: boolean
  fileId: string | null
  fileSize: number | null
  contentType: string | null
}

/** An incident and everything that was merged into it, directly or before: `id`, `number`, `is_merged`. */
export const wholeIncident = (orgId: string, id: string): RawBuilder<unknown> => sql`(
  with recursive whole as (
    select i.id, i.number, i.status = 'merged' as is_merged from incidents i where i.org_id = ${orgId} and i.id = ${id}
    union
    select i.id, i.number, true from incidents i join whole on i.org_id = ${orgId} and i.merged_into_id = whole.id
  )
  select id, number, is_merged from whole)`

/** The log of an incident and of everything that was merged into it, directly or before, newest first. */
export async function selectEntries(call: MemberCall, id: string): Promise<Entry[]> {
  const { rows } = await sql<EntryRow>`
    select e.id, e.at, m.name as "authorName", e.kind, e.text, e.author_id as "authorId", whole.id as "incidentId", whole.number, whole.is_merged as "isMerged",
      f.id as "fileId", f.size_bytes as "fileSize", f.content_type as "contentType"
    from ${wholeIncident(call.orgId, id)} whole join incident_entries e on e.org_id = ${call.orgId} and e.incident_id = whole.id
    left join members m on m.org_id = e.org_id and m.user_id = e.author_id
    left join files f on f.org_id = e.org_id and f.id = e.file_id
    order by e.at desc, e.id desc limit ${maxIncidentEntries}`.execute(call.tx)
  return rows.map(({ incidentId, number, isMerged, authorId, fileId, fileSize, contentType, ...entry }) => {
    // what is merged stays as it is
    const mayRemove = !isMerged && mayRemoveFile(call, authorId)
    return {
      ...entry,
      at: iso(entry.at),
      incident: incidentId === id ? null : { id: incidentId, number },
      file: fileId && contentType ? { id: fileId, size: fileSize ?? 0, contentType, mayRemove } : null,
    }
  })
}

/** What was merged into an incident, the latest first. */
export async function selectMerged(call: MemberCall, id: string): Promise<IncidentRef[]> {
  const { rows } = await sql<IncidentRef>`select id, number from incidents
    where org_id = ${call.orgId} and merged_into_id = ${id} order by closed_at desc, id`.execute(call.tx)
  return rows
}

/** Writes a line of the log as the caller; its id. */
export async function addEntry(
  call: MemberCall,
  incidentId: string,
  kind: Entry['kind'],
  text: string,
  fileId: string | null = null,
): Promise<string> {
  const id = newId()
  await sql`insert into incident_entries (org_id, id, incident_id, author_id, kind, text, file_id)
    values (${call.orgId}, ${id}, ${incidentId}, ${call.caller.userId}, ${kind}, ${text}, ${fileId})`.execute(call.tx)
  return id
}

/** Who added a file may remove it, and who manages the office. */
export const mayRemoveFile = (call: MemberCall, authorId: string | null): boolean =>
  hasAccess(call, { permission: 'incidents:manage' }) &&
  (authorId === call.caller.userId || incidentFileManagers.includes(call.role))

interface Locked {
  version: number
  status: IncidentRow['status']
}

/**
 * Everything that changes an incident or what belongs to it waits here for its turn.
 *
 * @throws AppError `not-found`, or `aborted` for one that was merged.
 */
export async function lockIncident(call: MemberCall, id: string): Promise<Locked> {
  const { rows } = await sql<Locked>`
    select version, status from incidents where org_id = ${call.orgId} and id = ${id} for update`.execute(call.tx)
  if (!rows[0]) throw notFound('incident')
  if (rows[0].status === 'merged') throw refuse('incident_merged')
  return rows[0]
}
