import { hasAccess } from '@tour-ops/contract/identity/access'
import type { IncidentRow } from '@tour-ops/contract/monitoring/incidents'
import { sql } from 'kysely'
import type { MemberCall } from '../../context.ts'
import { newId } from '../../platform/ids.ts'
import { localDateOf } from '../../platform/local-time.ts'
import { organizationZone } from '../../platform/organization-zone.ts'
import { addEntry } from './incident-log.ts'

interface NewIncident extends Pick<IncidentRow, 'title' | 'category' | 'severity'> {
  readonly departureId: string | null
  readonly placeId: string | null
}

/** Writes a new incident and the first line of its log; who manages incidents owns it. */
export async function openIncident(
  call: MemberCall,
  { title, category, severity, departureId, placeId }: NewIncident,
): Promise<{ id: string; number: string }> {
  const id = newId()
  const number = await nextIncidentNumber(call)
  const owner = hasAccess(call, { permission: 'incidents:manage' }) ? call.caller.userId : null
  await sql`
    insert into incidents (org_id, id, number, title, category, severity, departure_id, place_id, reported_by, owner_user_id)
    values (${call.orgId}, ${id}, ${number}, ${title}, ${category}, ${severity}, ${departureId},
      ${placeId}, ${call.caller.userId}, ${owner})`.execute(call.tx)
  await addEntry(call, id, 'status', 'reported')
  return { id, number }
}

/** `INC-2026-0001`, counted per organization and year. */
async function nextIncidentNumber(call: MemberCall): Promise<string> {
  const year = localDateOf(call.clock.now(), await organizationZone(call)).slice(0, 4)
  const { rows } = await sql<{ next: number }>`select next_number(${`incident-${year}`}) as next`.execute(call.tx)
  return `INC-${year}-${String(rows[0]?.next ?? 1).padStart(4, '0')}`
}
