import * as z from 'zod/mini'
import { callable } from '../callable.ts'
import { employments, staffKinds } from './staff-terms.ts'
import { Count, Id, Instant, LocalDate, Named, optionalText, Version, whole, write } from '../fields.ts'
import { anyOf } from '../paging.ts'
import { statusesOf } from '../state-machines.ts'
import { staffRoles, vehicleClasses } from '../tours/tour-terms.ts'
import { vehicleCalendarKinds } from '../vehicles/vehicle-calendar.ts'

/** `alert`: an entry that blocks is exactly what the exclusion constraint sees. */
export const staffCalendarKinds = ['assignment', 'open_shift', 'time_off', 'rest', 'training', 'external_busy'] as const

/** One block of the planner. */
export const CalendarBlock = z.object({
  id: Id,
  staffId: Id,
  kind: z.enum(staffCalendarKinds),
  startsAt: Instant,
  endsAt: Instant,
  blocking: z.boolean(),
  assignment: z.nullable(
    z.object({
      id: Id,
      version: Version,
      departureId: Id,
      departureCode: z.string(),
      tourCode: z.string(),
      tourName: z.string(),
      role: z.enum(staffRoles),
      status: z.enum(statusesOf('assignments')),
      respondBy: z.nullable(Instant),
      timeZone: z.string(),
    }),
  ),
  /** Null without `staff_private:read`. */
  note: z.nullable(z.string()),
})
export type CalendarBlock = z.output<typeof CalendarBlock>

export const OpenRole = z.object({
  departureId: Id,
  departureCode: z.string(),
  tourName: z.string(),
  role: z.enum(staffRoles),
  startsAt: Instant,
  endsAt: Instant,
  timeZone: z.string(),
  pax: Count,
  languages: z.array(z.string()),
  offers: z.array(z.object({ assignmentId: Id, staffName: z.string(), respondBy: z.nullable(Instant) })),
})
export type OpenRole = z.output<typeof OpenRole>

/** A departure, maintenance or hire in a vehicle's row. */
export const VehicleBlock = z.object({
  id: Id,
  vehicleId: Id,
  kind: z.enum(vehicleCalendarKinds),
  startsAt: Instant,
  endsAt: Instant,
  departure: z.nullable(
    z.object({ id: Id, code: z.string(), tourCode: z.string(), tourName: z.string(), timeZone: z.string() }),
  ),
})
export type VehicleBlock = z.output<typeof VehicleBlock>

/** A departure whose tour needs a vehicle and that has none. */
export const OpenVehicle = z.object({
  departureId: Id,
  departureCode: z.string(),
  tourName: z.string(),
  vehicleClass: z.enum(vehicleClasses),
  startsAt: Instant,
  endsAt: Instant,
  timeZone: z.string(),
  pax: Count,
})
export type OpenVehicle = z.output<typeof OpenVehicle>

export const staffPlanner = callable({
  name: 'field-staff-calendar',
  kind: 'read',
  permission: 'staff:read',
  summary: 'The planner: people and vehicles by days, with what is still unassigned.',
  input: z.object({
    from: LocalDate,
    days: z._default(whole(1, 42), 7),
    kind: anyOf(z.enum(staffKinds)),
    homeBasePlaceId: anyOf(Id),
    staffId: anyOf(Id),
  }),
  output: z.object({
    /** Zone of the days asked for: the organization's. */
    timeZone: z.string(),
    people: z.array(
      z.object({
        id: Id,
        name: z.string(),
        kinds: z.array(z.enum(staffKinds)),
        employment: z.enum(employments),
        languages: z.array(z.string()),
        homeBase: z.nullable(Named),
        hours: z.number(),
        limitHours: z.nullable(z.number()),
      }),
    ),
    blocks: z.array(CalendarBlock),
    open: z.array(OpenRole),
    /** The office's: empty with scope `own`, and where people are asked for by name, kind or base. */
    vehicles: z.array(
      z.object({ id: Id, label: z.string(), plate: z.string(), class: z.enum(vehicleClasses), seats: Count }),
    ),
    vehicleBlocks: z.array(VehicleBlock),
    openVehicles: z.array(OpenVehicle),
  }),
  topics: [
    'assignments',
    'departures',
    'field_staff',
    'org_settings',
    'places',
    'staff_calendar_entries',
    'tours',
    'vehicle_assignments',
    'vehicle_calendar_entries',
    'vehicles',
  ],
})

export const addLeave = callable({
  name: 'field-staff-add-time-off',
  kind: 'write',
  permission: 'staff:manage',
  summary: 'Enters leave or training; refused with the list of conflicting assignments, which it never deletes.',
  input: write({
    staffId: Id,
    kind: z.enum(['time_off', 'training', 'external_busy']),
    startsAt: Instant,
    endsAt: Instant,
    note: optionalText(300),
  }),
  output: z.object({ id: Id }),
  writes: ['staff_calendar_entries'],
})

export const removeLeave = callable({
  name: 'field-staff-remove-time-off',
  kind: 'write',
  permission: 'staff:manage',
  summary: 'Removes leave or training from the calendar.',
  input: write({ id: Id }),
  output: z.object({ id: Id }),
  writes: ['staff_calendar_entries'],
})
