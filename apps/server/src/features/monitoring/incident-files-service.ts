import { addIncidentFile, maxIncidentFiles, removeIncidentFile } from '@tour-ops/contract/monitoring/incident-files'
import { refuse } from '@tour-ops/contract/refusals'
import { sql } from 'kysely'
import type { MemberCall } from '../../context.ts'
import { deleteUnused } from '../../platform/files/files-store.ts'
import type { OrganizationSweep } from '../../platform/jobs/housekeeping.ts'
import { notFound } from '../../platform/optimistic-lock.ts'
import { type Verb, verb } from '../../platform/verb.ts'
import { addEntry, lockIncident, mayRemoveFile } from './incident-log.ts'
import { tellOfIncident } from './incident-notice.ts'

async function countFiles(call: MemberCall, incidentId: string): Promise<number> {
  const { rows } = await sql<{
    count: number
  }>`select count(*)::int as count from incident_entries
    where org_id = ${call.orgId} and incident_id = ${incidentId} and file_id is not null`.execute(call.tx)
  return rows[0]?.count ?? 0
}

/** The line that a file has already. */
async function selectLineOf(call: MemberCall, fileId: string): Promise<{ id: string; incidentId: string } | undefined> {
  const { rows } = await sql<{
    id: string
    incidentId: string
  }>`select id, incident_id as "incidentId" from incident_entries
    where org_id = ${call.orgId} and file_id = ${fileId}`.execute(call.tx)
  return rows[0]
}

const add = verb(addIncidentFile, async (call, { incidentId, fileId }) => {
  await lockIncident(call, incidentId)
  const file = await call.files.get(call.tx, call.orgId, fileId)
  // what somebody else has uploaded, or for something else, is none of this incident
  if (file.use !== 'incident_file' || file.createdBy !== call.caller.userId) throw notFound('file')
  const line = await selectLineOf(call, fileId)
  if (line && line.incidentId !== incidentId) throw notFound('file')
  if (line) return { id: line.id }
  if ((await countFiles(call, incidentId)) >= maxIncidentFiles)
    throw refuse('incident_files_full', { max: maxIncidentFiles })
  const id = await addEntry(call, incidentId, 'file', file.name, fileId)
  await tellOfIncident(call, incidentId, { kind: 'file' })
  return { id }
})

interface FileLine {
  incidentId: string
  authorId: string | null
  name: string
  fileId: string | null
}

async function selectLine(call: MemberCall, id: string): Promise<FileLine> {
  const { rows } = await sql<FileLine>`
    select incident_id as "incidentId", author_id as "authorId", text as name, file_id as "fileId" from incident_entries
    where org_id = ${call.orgId} and id = ${id} and kind = 'file'`.execute(call.tx)
  if (!rows[0]) throw notFound('file')
  return rows[0]
}

const remove = verb(removeIncidentFile, async (call, { id }) => {
  const { incidentId } = await selectLine(call, id)
  await lockIncident(call, incidentId)
  // read again: who waited for the incident may be the second to remove it
  const { authorId, name, fileId } = await selectLine(call, id)
  if (!fileId) throw notFound('file')
  if (!mayRemoveFile(call, authorId)) throw refuse('incident_file_of_other')
  await sql`update incident_entries set file_id = null where org_id = ${call.orgId} and id = ${id}`.execute(call.tx)
  await call.files.remove(call.tx, call.orgId, fileId)
  await addEntry(call, incidentId, 'file_removed', name)
  await tellOfIncident(call, incidentId, { kind: 'file_removed' })
  return { id }
})

/** Clears what was uploaded and came into no log. */
export const unusedIncidentFiles: OrganizationSweep = {
  action: 'incident-files-purge',
  run: (tx, orgId) => deleteUnused(tx, orgId, 'incident_file', 'incident_entries'),
}

export const incidentFileVerbs: Verb[] = [add, remove]
