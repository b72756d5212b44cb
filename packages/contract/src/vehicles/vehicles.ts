import * as z from 'zod/mini'
import { callable } from '../callable.ts'
import {
  Count,
  Currency,
  Email,
  Id,
  Instant,
  LocalDate,
  MoneyMinor,
  Named,
  optionalText,
  orNull,
  Phone,
  Saved,
  text,
  Version,
  whole,
  write,
} from '../fields.ts'
import { anyOf, listInput, listOutput } from '../paging.ts'
import { statusesOf } from '../state-machines.ts'
import { vehicleClasses } from '../tours/tours.ts'

export const vehicleStatuses = ['active', 'maintenance', 'retired'] as const
export const supplierKinds = ['hotel', 'restaurant', 'transport', 'attraction', 'dmc', 'guide_agency', 'other'] as const
export const serviceKinds = ['hotel', 'meal', 'ticket', 'permit', 'transport', 'activity'] as const

const vehicle = {
  label: text(60, 'vehicle_unnamed'),
  plate: text(20, 'plate_missing'),
  class: z.enum(vehicleClasses),
  seats: whole(1, 200),
  wheelchairPlaces: z._default(whole(0, 50), 0),
  inspectionValidUntil: orNull(LocalDate),
}

export const VehicleRow = z.object({
  id: Id,
  version: Version,
  label: z.string(),
  plate: z.string(),
  class: z.enum(vehicleClasses),
  seats: Count,
  wheelchairPlaces: Count,
  status: z.enum(vehicleStatuses),
  inspectionValidUntil: z.nullable(LocalDate),
  inspection: z.enum(['ok', 'expiring', 'expired', 'unknown']),
  next: z.nullable(z.object({ departureId: Id, code: z.string(), startsAt: Instant, timeZone: z.string() })),
})
export type VehicleRow = z.output<typeof VehicleRow>

export const listVehicles = callable({
  name: 'vehicles-list',
  kind: 'read',
  permission: 'staff:read',
  summary: 'Vehicles with their next departure.',
  input: listInput(
    {
      status: anyOf(z.enum(vehicleStatuses)),
      class: anyOf(z.enum(vehicleClasses)),
      freeForDepartureId: z.optional(Id),
    },
    ['label', 'class', 'seats', 'status', 'inspection'],
  ),
  output: listOutput(VehicleRow),
  topics: ['departures', 'vehicle_assignments', 'vehicle_calendar_entries', 'vehicles'],
})

export const createVehicle = callable({
  name: 'vehicles-create',
  kind: 'write',
  permission: 'staff:manage',
  summary: 'Adds a vehicle.',
  input: write(vehicle),
  output: Saved,
  writes: ['vehicles'],
})

export const updateVehicle = callable({
  name: 'vehicles-update',
  kind: 'write',
  permission: 'staff:manage',
  summary: 'Changes a vehicle.',
  input: write({ id: Id, version: Version, ...vehicle, status: z.enum(vehicleStatuses) }),
  output: Saved,
  writes: ['vehicles'],
})

export const assignVehicle = callable({
  name: 'vehicles-assign',
  kind: 'write',
  permission: 'departures:dispatch',
  summary:
    'Puts a vehicle on a departure. An overlap answers `aborted`, reason `vehicle_busy`, with the other departure; a driver whose bus licence has ended by then, `licence_expired`.',
  input: write({ departureId: Id, vehicleId: Id, driverStaffId: orNull(Id) }),
  output: z.object({ id: Id, warnings: z.array(z.string()) }),
  writes: ['vehicle_assignments', 'vehicle_calendar_entries'],
})

export const releaseVehicle = callable({
  name: 'vehicles-release',
  kind: 'write',
  permission: 'departures:dispatch',
  summary: 'Takes a vehicle off a departure.',
  input: write({ assignmentId: Id }),
  output: z.object({ id: Id }),
  writes: ['vehicle_assignments', 'vehicle_calendar_entries'],
})

const supplier = {
  name: text(120, 'supplier_unnamed'),
  kind: z.enum(supplierKinds),
  contacts: z._default(
    z.array(z.object({ name: text(120), phone: orNull(Phone), email: orNull(Email) })).check(z.maxLength(10)),
    [],
  ),
  emergencyPhone: orNull(Phone),
  notes: optionalText(2000),
}

export const listSuppliers = callable({
  name: 'suppliers-list',
  kind: 'read',
  permission: 'departures:read',
  summary: 'Suppliers.',
  input: listInput({ kind: anyOf(z.enum(supplierKinds)) }, ['name', 'kind']),
  output: listOutput(
    z.object({
      id: Id,
      version: Version,
      name: z.string(),
      kind: z.enum(supplierKinds),
      emergencyPhone: z.nullable(z.string()),
    }),
  ),
  topics: ['suppliers'],
})

export const createSupplier = callable({
  name: 'suppliers-create',
  kind: 'write',
  permission: 'departures:manage',
  summary: 'Adds a supplier.',
  input: write(supplier),
  output: Saved,
  writes: ['suppliers'],
})

export const ServiceRow = z.object({
  id: Id,
  version: Version,
  departureId: Id,
  departureCode: z.string(),
  dayIndex: Count,
  kind: z.enum(serviceKinds),
  supplier: z.nullable(Named),
  description: z.string(),
  quantity: Count,
  status: z.enum(statusesOf('departure_services')),
  confirmationRef: z.nullable(z.string()),
  releaseAt: z.nullable(Instant),
})

export const listServices = callable({
  name: 'services-list',
  kind: 'read',
  permission: 'departures:read',
  summary: 'Services booked for departures.',
  input: listInput(
    { departureId: anyOf(Id), supplierId: anyOf(Id), status: anyOf(z.enum(statusesOf('departure_services'))) },
    ['startsAt', 'status', 'supplier'],
  ),
  output: listOutput(ServiceRow),
  topics: ['departure_services', 'departures', 'suppliers'],
})

export const createService = callable({
  name: 'services-create',
  kind: 'write',
  permission: 'departures:dispatch',
  summary: 'Adds a service to a departure.',
  input: write({
    departureId: Id,
    dayIndex: z._default(whole(1, 60), 1),
    kind: z.enum(serviceKinds),
    supplierId: orNull(Id),
    description: text(200, 'description_missing'),
    quantity: z._default(whole(1, 10_000), 1),
    releaseAt: orNull(Instant),
    costMinor: orNull(MoneyMinor),
    currency: orNull(Currency),
  }),
  output: Saved,
  writes: ['departure_services'],
})

export const setServiceStatus = callable({
  name: 'services-set-status',
  kind: 'write',
  permission: 'departures:dispatch',
  summary: 'Requests, confirms, declines or cancels a service.',
  input: write({
    id: Id,
    version: Version,
    to: z.enum(statusesOf('departure_services')),
    confirmationRef: optionalText(80),
  }),
  output: Saved,
  writes: ['departure_services'],
})
