import { isMisinformed } from '@tour-ops/contract/links/supplier-messages'
import { type RawBuilder, sql } from 'kysely'
import type { OrganizationSweep } from '../../platform/jobs/housekeeping.ts'
import { announceChanges } from '../../platform/live/announce.ts'
import { isNearForSuppliers } from '../../platform/operations/departure-phase.ts'
import { dueOf, type OnDeparture, selectSupplierFacts, selectTold, supplierMessage, toldKey } from './supplier-facts.ts'

/** Notes which suppliers of the next days do not know of a change, for the checklist of readiness; screens that show it hear of a difference. */
export const untoldSuppliers: OrganizationSweep = {
  action: 'suppliers-untold',
  run: async (tx, orgId) => {
    const changed = await noteUntold({ tx, orgId }, sql`true`)
    await announceChanges(tx, 'departures', changed)
  },
}

/** The same for one departure, at once: whoever has written to a supplier sees that it knows. The message itself is what screens hear of. */
export const noteUntoldOf = (call: OnDeparture, departureId: string): Promise<readonly string[]> =>
  noteUntold(call, sql`d.id = ${departureId}`)

/**
 * @param which Departures `d` that are looked at.
 * @returns those of which something is different now.
 */
async function noteUntold(call: OnDeparture, which: RawBuilder<unknown>): Promise<readonly string[]> {
  const { tx, orgId } = call
  const untold = await untoldOf(call, await selectNear(call, which))
  const { rows } = await sql<{ departureId: string }>`
    with now as (select split_part(pair, ' ', 1)::uuid as departure_id, split_part(pair, ' ', 2)::uuid as supplier_id from unnest(${untold}::text[]) pair),
    gone as (
      delete from untold_suppliers u using departures d where u.org_id = ${orgId} and d.org_id = u.org_id and d.id = u.departure_id and ${which}
        and not exists (select from now where now.departure_id = u.departure_id and now.supplier_id = u.supplier_id)
      returning u.departure_id
    ),
    added as (
      insert into untold_suppliers (org_id, departure_id, supplier_id) select ${orgId}, departure_id, supplier_id from now
      on conflict (org_id, departure_id, supplier_id) do nothing returning departure_id
    )
    select departure_id as "departureId" from gone union select departure_id from added`.execute(tx)
  return rows.map(({ departureId }) => departureId)
}

/** Departures of the next days about which a supplier was written to. */
async function selectNear({ tx, orgId }: OnDeparture, which: RawBuilder<unknown>): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select d.id from departures d
    where d.org_id = ${orgId} and ${isNearForSuppliers} and ${which}
      and exists (select from messages m where m.org_id = d.org_id and m.departure_id = d.id and m.kind = ${supplierMessage})
    order by d.id`.execute(tx)
  return rows.map(({ id }) => id)
}

/** @returns `toldKey` of each supplier who goes by what is not so any more. */
async function untoldOf(call: OnDeparture, departureIds: readonly string[]): Promise<string[]> {
  const told = await selectTold(call, departureIds)
  return (await selectSupplierFacts(call, departureIds)).flatMap((facts) => {
    const known = told.get(toldKey(facts)) ?? null
    const isUntold = isMisinformed({ due: dueOf(facts, known), told: known?.last ?? null })
    return isUntold ? [toldKey(facts)] : []
  })
}
