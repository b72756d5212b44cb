import { type RawBuilder, sql } from 'kysely'

/** SELECT of `departure_id`. @param records SELECT of the ids of rows. */
export type DeparturesOf = (orgId: string, records: RawBuilder<unknown>) => RawBuilder<unknown>

/** By table, the departures that show something of its rows, or are judged by it. */
export const departuresOf = {
  tours: (orgId, records) => sql`
    select d.id as departure_id from departures d where d.org_id = ${orgId} and d.tour_id = any (array(${records}))`,
  tour_options: (orgId, records) => sql`
    select d.id as departure_id from departures d where d.org_id = ${orgId} and d.option_id = any (array(${records}))`,
  places: (orgId, records) => sql`
    select s.departure_id from departure_stops s where s.org_id = ${orgId} and s.place_id = any (array(${records}))`,
  suppliers: (orgId, records) => sql`
    select s.departure_id from departure_services s where s.org_id = ${orgId} and s.supplier_id = any (array(${records}))`,
  field_staff: (orgId, records) => sql`
    select a.departure_id from assignments a where a.org_id = ${orgId} and a.staff_id = any (array(${records}))`,
  vehicles: (orgId, records) => sql`
    select va.departure_id from vehicle_calendar_entries e
      join vehicle_assignments va on va.org_id = e.org_id and va.calendar_entry_id = e.id
    where e.org_id = ${orgId} and e.vehicle_id = any (array(${records}))`,
  vehicle_calendar_entries: (orgId, records) => sql`
    select va.departure_id from vehicle_assignments va where va.org_id = ${orgId} and va.calendar_entry_id = any (array(${records}))`,
  travelers: (orgId, records) => sql`
    select m.departure_id from manifest_entries m where m.org_id = ${orgId} and m.traveler_id = any (array(${records}))`,
} satisfies Readonly<Record<string, DeparturesOf>>
