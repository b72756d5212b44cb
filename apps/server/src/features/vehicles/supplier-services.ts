import type { Out } from '@tour-ops/contract/callable'
import {
  createService,
  createSupplier,
  listServices,
  listSuppliers,
  setServiceStatus,
} from '@tour-ops/contract/vehicles/vehicles'
import { sql } from 'kysely'
import { newId } from '../../platform/ids.ts'
import { allOf, isOneOf, isOneOfIds, orderBy } from '../../platform/list-query.ts'
import { selectPage } from '../../platform/select-page.ts'
import { type Verb, verb } from '../../platform/verb.ts'
import { updateVersioned } from '../../platform/version-conflict.ts'

const supplierSort = { name: sql`name collate "und-x-icu"`, kind: sql`kind` }

const suppliers = verb(listSuppliers, (call, { q, filters = {}, ...page }) =>
  selectPage<Out<typeof listSuppliers>['rows'][number]>(call.tx, {
    columns: sql`id, version, name, kind, emergency_phone as "emergencyPhone", language`,
    from: sql`from suppliers where ${allOf([
      sql`org_id = ${call.orgId} and archived_at is null`,
      call.scope === 'own' &&
        sql`exists (select from departure_services x where x.org_id = suppliers.org_id and x.supplier_id = suppliers.id)`,
      isOneOf(sql`kind`, filters.kind),
      q ? sql`searchable(name) like '%' || searchable(${q}) || '%'` : undefined,
    ])}`,
    order: orderBy(page.sort, supplierSort, sql`${supplierSort.name}, id`),
    page,
  }),
)

const addSupplier = verb(createSupplier, async (call, supplier) => {
  const id = newId()
  await sql`
    insert into suppliers (org_id, id, name, kind, contacts, emergency_phone, notes, language)
    values (${call.orgId}, ${id}, ${supplier.name}, ${supplier.kind}, ${JSON.stringify(supplier.contacts)},
      ${supplier.emergencyPhone}, ${supplier.notes}, ${supplier.language})`.execute(call.tx)
  return { id, version: 1 }
})

type ServiceRow = Out<typeof listServices>['rows'][number]
const serviceSort = { startsAt: sql`d.starts_at`, status: sql`x.status`, supplier: sql`p.name collate "und-x-icu"` }

const services = verb(listServices, async (call, { q, filters = {}, ...page }) => {
  const found = await selectPage<Omit<ServiceRow, 'releaseAt'> & { releaseAt: Date | null }>(call.tx, {
    columns: sql`x.id, x.version, x.departure_id as "departureId", d.code as "departureCode", x.day_index as "dayIndex", x.kind,
      case when p.id is not null then jsonb_build_object('id', p.id, 'name', p.name) end as supplier, x.description,
      x.quantity, x.status, x.confirmation_ref as "confirmationRef", x.release_at as "releaseAt"`,
    from: sql`from departure_services x
      join departures d on d.org_id = x.org_id and d.id = x.departure_id
      left join suppliers p on p.org_id = x.org_id and p.id = x.supplier_id
      where ${allOf([
        sql`x.org_id = ${call.orgId}`,
        isOneOfIds(sql`x.departure_id`, filters.departureId),
        isOneOfIds(sql`x.supplier_id`, filters.supplierId),
        isOneOf(sql`x.status`, filters.status),
        q
          ? sql`searchable(x.description || ' ' || coalesce(p.name, '')) like '%' || searchable(${q}) || '%'`
          : undefined,
      ])}`,
    order: orderBy(page.sort, serviceSort, sql`d.starts_at, x.day_index, x.id`),
    page,
  })
  return { ...found, rows: found.rows.map((row) => ({ ...row, releaseAt: row.releaseAt?.toISOString() ?? null })) }
})

const addService = verb(createService, async (call, service) => {
  const id = newId()
  await sql`
    insert into departure_services (org_id, id, departure_id, supplier_id, day_index, kind, description, quantity,
      release_at, cost_minor, currency)
    values (${call.orgId}, ${id}, ${service.departureId}, ${service.supplierId}, ${service.dayIndex}, ${service.kind},
      ${service.description}, ${service.quantity}, ${service.releaseAt}, ${service.costMinor}, ${service.currency})`.execute(
    call.tx,
  )
  return { id, version: 1 }
})

const setStatus = verb(setServiceStatus, (call, { id, version, to, confirmationRef }) =>
  updateVersioned(
    call.tx,
    'departure_services',
    { orgId: call.orgId, id, version },
    sql`status = ${to}, confirmation_ref = coalesce(${confirmationRef}, confirmation_ref)`,
  ),
)

export const serviceVerbs: Verb[] = [suppliers, addSupplier, services, addService, setStatus]
