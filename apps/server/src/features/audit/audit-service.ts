import { exportAudit, listAudit } from '@tour-ops/contract/audit/audit'
import type { Given, Out } from '@tour-ops/contract/callable'
import { type RawBuilder, sql } from 'kysely'
import type { MemberCall } from '../../context.ts'
import { csvFile } from '../../platform/csv.ts'
import { type AuditRow, historyEntryOf } from '../../platform/history.ts'
import { allOf, isOneOf, orderBy } from '../../platform/list-query.ts'
import { dayBounds } from '../../platform/local-time.ts'
import { organizationZone } from '../../platform/organization-zone.ts'
import { selectLongPage } from '../../platform/select-page.ts'
import { type Verb, verb } from '../../platform/verb.ts'

type ListInput = Given<typeof listAudit>
type Entry = Out<typeof listAudit>['rows'][number]

type EntryRecord = AuditRow & { requestId: string | null }

const columns = sql<EntryRecord>`e.id, e.at, m.name as "actorName", e.actor_kind as "actorKind", e.action, e.op,
  e.entity_type as "entityType", e.entity_id as "entityId", e.diff, e.request_id as "requestId"`
const sortColumns = { at: sql`e.at`, action: sql`e.action`, entityType: sql`e.entity_type` }

const named = sql`from audit_entries e left join members m on m.org_id = e.org_id and m.user_id = e.actor_id`

async function conditionsOf(
  call: MemberCall,
  { q, filters = {} }: Pick<ListInput, 'q' | 'filters'>,
): Promise<RawBuilder<boolean>> {
  const zone = filters.from || filters.to ? await organizationZone(call) : 'UTC'
  return allOf(
    [
      sql`e.org_id = ${call.orgId}`,
      isOneOf(sql`e.entity_type`, filters.entityType),
      isOneOf(sql`e.entity_id`, filters.entityId),
      isOneOf(sql`e.actor_id`, filters.actorId),
      isOneOf(sql`e.action`, filters.action),
      filters.from && sql`e.at >= ${dayBounds(filters.from, zone).from}`,
      filters.to && sql`e.at < ${dayBounds(filters.to, zone).to}`,
      q !== '' &&
        sql`searchable(e.action || ' ' || e.entity_type || ' ' || coalesce(m.name, '')) like '%' || searchable(${q}) || '%'`,
    ].map((condition) => condition || undefined),
  )
}

const order = (sort: ListInput['sort']): RawBuilder<unknown> => orderBy(sort, sortColumns, sql`e.at desc, e.id desc`)

const entryOf = (row: EntryRecord): Entry => ({
  ...historyEntryOf(row),
  requestId: row.requestId,
})

const list = verb(listAudit, async (call, input) => {
  const found = await selectLongPage(call.tx, {
    row: sql`e`,
    columns,
    from: input.q === '' ? sql`from audit_entries e` : named,
    where: await conditionsOf(call, input),
    shown: named,
    order: order(input.sort),
    page: input,
  })
  return { total: found.total, rows: found.rows.map(entryOf) }
})

const exportAll = verb(exportAudit, async (call, input) => {
  const { rows } = await sql<EntryRecord>`
    select ${columns} ${named} where ${await conditionsOf(call, input)} order by ${order(input.sort)}`.execute(call.tx)
  return csvFile<Entry>(
    'audit-log',
    {
      at: (entry) => entry.at,
      actor: (entry) => entry.actorName,
      action: (entry) => entry.action,
      entity: (entry) => entry.entityType,
      id: (entry) => entry.entityId,
      changes: (entry) =>
        entry.changes.map((change) => `${change.field}: ${change.before ?? ''} → ${change.after ?? ''}`).join('; '),
      request: (entry) => entry.requestId,
    },
    rows.map(entryOf),
    input.columns,
  )
})

export const auditVerbs: Verb[] = [list, exportAll]
