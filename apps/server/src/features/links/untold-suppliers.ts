import { isMisinformed } from '@tour-ops/contract/links/supplier-messages'
import { sql } from 'kysely'
import type { Tx } from '../../platform/db/database.ts'
import type { OrganizationSweep } from '../../platform/jobs/housekeeping.ts'
import { statuses } from '../../platform/operations/status-sets.ts'
import { dueOf, type OnDeparture, selectSupplierFacts, selectTold, supplierMessage } from './supplier-facts.ts'

/** Departures of so many days are looked at: what is further away changes often, and nobody cooks for it yet. */
const nearDays = 7

/** Notes which suppliers of the next days do not know of a change, for the checklist of readiness. */
export const untoldSuppliers: OrganizationSweep = {
  action: 'suppliers-untold',
  run: async (tx, orgId) => {
    const untold: string[] = []
    for (const departureId of await selectNear(tx, orgId)) {
      for (const supplierId of await untoldOf({ tx, orgId }, departureId)) untold.push(`${departureId} ${supplierId}`)
    }
    await sql`
      with now as (select split_part(pair, ' ', 1)::uuid as departure_id, split_part(pair, ' ', 2)::uuid as supplier_id from unnest(${untold}::text[]) pair),
      gone as (
        delete from untold_suppliers u where u.org_id = ${orgId}
          and not exists (select from now where now.departure_id = u.departure_id and now.supplier_id = u.supplier_id)
      )
      insert into untold_suppliers (org_id, departure_id, supplier_id) select ${orgId}, departure_id, supplier_id from now
      on conflict (org_id, departure_id, supplier_id) do nothing`.execute(tx)
  },
}

/** Departures of the next days about which a supplier was written to. */
async function selectNear(tx: Tx, orgId: string): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select d.id from departures d
    where d.org_id = ${orgId} and d.starts_at > app_now() and d.starts_at < app_now() + make_interval(days => ${nearDays}) and d.status in ${statuses.active}
      and exists (select from messages m where m.org_id = d.org_id and m.departure_id = d.id and m.kind = ${supplierMessage})
    order by d.id`.execute(tx)
  return rows.map(({ id }) => id)
}

async function untoldOf(call: OnDeparture, departureId: string): Promise<string[]> {
  const told = await selectTold(call, departureId)
  return (await selectSupplierFacts(call, departureId)).flatMap((facts) => {
    const known = told.get(facts.supplierId) ?? null
    const isUntold = isMisinformed({ due: dueOf(facts, known), told: known?.last ?? null })
    return isUntold ? [facts.supplierId] : []
  })
}
