import * as z from 'zod/mini'
import { callable } from '../callable.ts'
import {
  Count,
  Currency,
  Email,
  Id,
  Instant,
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
import { locales } from '../locales.ts'
import { choice, choiceWithUsual, line, optionalDate, wholeNumber, wholeNumberOr } from '../record-fields.ts'
import { record } from '../record.ts'
import { anyOf, listInput, listOutput } from '../paging.ts'
import { statusesOf } from '../state-machines.ts'
import { vehicleClasses } from '../tours/tour-terms.ts'

export const vehicleStatuses = ['active', 'maintenance', 'retired'] as const
export const supplierKinds = ['hotel', 'restaurant', 'transport', 'attraction', 'dmc', 'guide_agency', 'other'] as const
export const serviceKinds = ['hotel', 'meal', 'ticket', 'permit', 'transport', 'activity'] as const

export const vehicleRecord = record({
  table: 'vehicles',
  nouns: ['a vehicle', 'vehicles'],
  read: 'staff:read',
  manage: 'staff:manage',
  reach: 'own-departures',
  fields: {
    label: line(60, 'vehicle_unnamed'),
    plate: line(20, 'plate_missing'),
    class: choice(vehicleClasses),
    seats: wholeNumber(1, 200),
    wheelchairPlaces: wholeNumberOr(0, 50, 0),
    childSeats: wholeNumberOr(0, 50, 0),
    status: choiceWithUsual(vehicleStatuses),
    inspectionValidUntil: optionalDate(),
  },
  title: 'label',
  sort: ['label', 'plate', 'class', 'seats', 'status', 'inspectionValidUntil'],
  filters: ['status', 'class'],
  search: ['label', 'plate'],
  derived: {
    inspection: z.enum(['ok', 'expiring', 'expired', 'unknown']),
    next: z.nullable(z.object({ departureId: Id, code: z.string(), startsAt: Instant, timeZone: z.string() })),
  },
  moreFilters: { freeForDepartureId: z.optional(Id) },
  topics: ['departures', 'vehicle_assignments', 'vehicle_calendar_entries'],
})

export const assignVehicle = callable({
  name: 'vehicles-assign',
  kind: 'write',
  permission: 'departures:dispatch',
  summary:
    'Puts a vehicle on a departure. An overlap answers `aborted`, reason `vehicle_busy`, with the other departure; a driver whose bus licence has ended by then, `licence_expired`, one who is busy then, `staff_busy`.',
  input: write({ departureId: Id, vehicleId: Id, driverStaffId: orNull(Id) }),
  output: z.object({ id: Id, warnings: z.array(z.string()) }),
  writes: ['vehicle_assignments', 'vehicle_calendar_entries'],
})

export const releaseVehicle = callable({
  name: 'vehicles-release',
  kind: 'write',
  permission: 'departures:dispatch',
  summary: 'Releases a vehicle from a departure.',
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
  /** Messages to it are written in it; null: in that of the office. */
  language: orNull(z.enum(locales)),
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
      language: z.nullable(z.enum(locales)),
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
