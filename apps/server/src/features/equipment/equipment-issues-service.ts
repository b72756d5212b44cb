import type { Out } from '@tour-ops/contract/callable'
import { issueEquipment, listAvailableEquipment } from '@tour-ops/contract/equipment/equipment-issues'
import type { AppError } from '@tour-ops/contract/errors'
import { refuse } from '@tour-ops/contract/refusals'
import { sql } from 'kysely'
import type { MemberCall } from '../../context.ts'
import { notFound } from '../../platform/optimistic-lock.ts'
import { tryAgainst } from '../../platform/savepoint.ts'
import { type Verb, verb } from '../../platform/verb.ts'

type Available = Out<typeof listAvailableEquipment>['rows'][number]

/** What is left for a departure while it is under way; pieces that it has already count as left. */
const freeFor = sql<number>`greatest(0, e.quantity - equipment_out(e.org_id, e.id, tstzrange(d.starts_at, d.ends_at), d.id))`

const available = verb(listAvailableEquipment, async (call, { departureId }) => {
  const { rows: departures } = await sql<{ id: string }>`
    select id from departures where org_id = ${call.orgId} and id = ${departureId}`.execute(call.tx)
  if (!departures[0]) throw notFound('departure')
  const { rows } = await sql<Available>`
    select e.id, e.name, e.sizes, e.quantity, ${freeFor} as free
    from departures d join equipment e on e.org_id = d.org_id and e.archived_at is null
    where d.org_id = ${call.orgId} and d.id = ${departureId} order by e.name collate "und-x-icu", e.id`.execute(call.tx)
  return { rows }
})

interface Item {
  readonly equipmentId: string
  readonly quantity: number
}

const issue = verb(issueEquipment, async (call, { departureId, items }) => {
  await requireOpen(call, departureId, items)
  const lastOfEach = [...new Map(items.map((item) => [item.equipmentId, item])).values()]
  // in the order of their ids: two departures that take the same kinds wait for each other, and not both for both
  for (const item of lastOfEach.toSorted((one, other) => (one.equipmentId < other.equipmentId ? -1 : 1)))
    await putIssue(call, departureId, item)
  return { departureId }
})

async function putIssue(call: MemberCall, departureId: string, { equipmentId, quantity }: Item): Promise<void> {
  if (quantity === 0) {
    await sql`delete from equipment_issues
      where org_id = ${call.orgId} and departure_id = ${departureId} and equipment_id = ${equipmentId}`.execute(call.tx)
    return
  }
  await tryAgainst(
    call.tx,
    'equipment_issues_within_quantity',
    () =>
      sql`insert into equipment_issues (org_id, departure_id, equipment_id, quantity)
        values (${call.orgId}, ${departureId}, ${equipmentId}, ${quantity})
        on conflict (org_id, departure_id, equipment_id) do update set quantity = excluded.quantity`.execute(call.tx),
    () => equipmentShort(call, departureId, equipmentId),
  )
}

/**
 * @throws AppError `not-found` for a departure or equipment that is not there; `aborted` for a departure that is over. Issues of an archived kind
 *   can still be returned.
 */
async function requireOpen(call: MemberCall, departureId: string, items: readonly Item[]): Promise<void> {
  const { rows } = await sql<{ code: string; status: string; missing: number }>`
    select d.code, d.status, (select count(*)::int from jsonb_to_recordset(${JSON.stringify(items)}::jsonb) as item ("equipmentId" uuid, quantity int)
      where not exists (select from equipment e where e.org_id = d.org_id and e.id = item."equipmentId"
        and (e.archived_at is null or item.quantity = 0))) as missing
    from departures d where d.org_id = ${call.orgId} and d.id = ${departureId}`.execute(call.tx)
  const departure = rows[0]
  if (!departure) throw notFound('departure')
  const { code, status, missing } = departure
  if (missing > 0) throw notFound('record')
  if (isOver(status)) throw refuse('equipment_closed', { code, status })
}

const isOver = (status: string): boolean => ['cancelled', 'completed', 'aborted'].includes(status)

async function equipmentShort(call: MemberCall, departureId: string, equipmentId: string): Promise<AppError> {
  const { rows } = await sql<{ name: string; free: number }>`
    select e.name, ${freeFor} as free from departures d join equipment e on e.org_id = d.org_id and e.id = ${equipmentId}
    where d.org_id = ${call.orgId} and d.id = ${departureId}`.execute(call.tx)
  return refuse('equipment_short', rows[0] ?? {})
}

export const equipmentVerbs: Verb[] = [available, issue]
