import * as z from 'zod/mini'
import { callable } from '../callable.ts'
import { Id, Instant, LocalDate, optionalText, Saved, Version, whole, write } from '../fields.ts'

/** What a person enters into a vehicle's calendar. Nothing else takes a vehicle in maintenance or on hire; cleaning blocks nothing. */
export const vehicleBlockKinds = ['maintenance', 'hire', 'cleaning'] as const
export type VehicleBlockKind = (typeof vehicleBlockKinds)[number]
/** All kinds of entries; those of departures come and go with the departure. */
export const vehicleCalendarKinds = ['departure', 'pickup', 'drop_off', ...vehicleBlockKinds] as const

/** What a vehicle is reserved for. An entry that departures share is there once for each of them. */
export const VehicleEntry = z.object({
  id: Id,
  version: Version,
  kind: z.enum(vehicleCalendarKinds),
  startsAt: Instant,
  endsAt: Instant,
  note: z.nullable(z.string()),
  departure: z.nullable(
    z.object({ id: Id, code: z.string(), tourCode: z.string(), tourName: z.string(), timeZone: z.string() }),
  ),
})
export type VehicleEntry = z.output<typeof VehicleEntry>

export const vehicleCalendar = callable({
  name: 'vehicles-calendar',
  kind: 'read',
  permission: 'staff:read',
  summary: 'What reserves one vehicle, by days: departures, maintenance, hire, cleaning.',
  input: z.object({ vehicleId: Id, from: LocalDate, days: z._default(whole(1, 42), 7) }),
  output: z.object({
    /** Zone of the days asked for, and of what is no departure: the organization's. */
    timeZone: z.string(),
    entries: z.array(VehicleEntry),
  }),
  topics: ['departures', 'org_settings', 'tours', 'vehicle_assignments', 'vehicle_calendar_entries'],
  rowTopics: ['vehicles'],
})

const block = {
  kind: z.enum(vehicleBlockKinds),
  startsAt: Instant,
  endsAt: Instant,
  note: optionalText(300),
}

export const addVehicleBlock = callable({
  name: 'vehicles-add-block',
  kind: 'write',
  permission: 'staff:manage',
  summary:
    'Enters maintenance, hire or cleaning. A vehicle that is busy then answers `aborted`, reason `vehicle_busy`, with the conflicting entry.',
  input: write({ vehicleId: Id, ...block }),
  output: Saved,
  writes: ['vehicle_calendar_entries'],
})

export const changeVehicleBlock = callable({
  name: 'vehicles-change-block',
  kind: 'write',
  permission: 'staff:manage',
  summary: 'Changes maintenance, hire or cleaning; refused like a new one.',
  input: write({ id: Id, version: Version, ...block }),
  output: Saved,
  writes: ['vehicle_calendar_entries'],
})

export const removeVehicleBlock = callable({
  name: 'vehicles-remove-block',
  kind: 'write',
  permission: 'staff:manage',
  summary: 'Removes maintenance, hire or cleaning from the calendar.',
  input: write({ id: Id }),
  output: z.object({ id: Id }),
  writes: ['vehicle_calendar_entries'],
})
