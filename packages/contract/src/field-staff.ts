import * as z from 'zod/mini'
import { callable } from './callable.ts'
import {
  ById,
  Count,
  CsvFile,
  Currency,
  Email,
  Id,
  Instant,
  Language,
  LocalDate,
  MoneyMinor,
  Named,
  OpaqueId,
  optionalText,
  orNull,
  Phone,
  Saved,
  someOf,
  text,
  Version,
  whole,
  write,
} from './fields.ts'
import { anyOf, exportInput, listInput, listOutput } from './paging.ts'
import { statusesOf } from './state-machines.ts'
import { staffRoles, vehicleClasses } from './tours.ts'

export const staffKinds = ['guide', 'driver', 'driver_guide', 'tour_leader', 'rep', 'porter', 'skipper'] as const
export const employments = ['employee', 'freelance', 'supplier'] as const
export const staffStatuses = ['active', 'inactive', 'suspended'] as const
export const languageLevels = ['A1', 'A2', 'B1', 'B2', 'C1', 'C2'] as const
export const certificateKinds = [
  'first_aid',
  'wilderness_first_aid',
  'national_guide_licence',
  'driving_D1',
  'driving_D',
  'mountain_guide',
  'lifeguard',
  'other',
] as const
/** `alert`: an entry that blocks is exactly what the exclusion constraint sees. Source: product description, section 4.1. */
export const staffCalendarKinds = ['assignment', 'open_shift', 'time_off', 'rest', 'training', 'external_busy'] as const
export const vehicleCalendarKinds = ['departure', 'pickup', 'drop_off', 'cleaning', 'maintenance'] as const
export const dutyStates = ['live', 'stale', 'offline', 'no_device', 'no_fix_yet', 'off_duty'] as const

const fields = {
  code: orNull(
    z.string().check(z.trim(), z.toUpperCase(), z.regex(/^[A-Z0-9-]{2,12}$/, 'Two to twelve letters and digits.')),
  ),
  firstName: text(80, 'Give a first name.'),
  lastName: text(80, 'Give a last name.'),
  kinds: someOf(staffKinds).check(z.minLength(1, 'Choose at least one kind.')),
  employment: z.enum(employments),
  supplierId: orNull(Id),
  phone: orNull(Phone),
  email: orNull(Email),
  emergencyContact: orNull(z.object({ name: text(120), relation: optionalText(60), phone: Phone })),
  homeBasePlaceId: orNull(Id),
  languages: z._default(z.array(z.object({ tag: Language, level: z.enum(languageLevels) })).check(z.maxLength(20)), []),
  skills: z._default(z.array(text(60)).check(z.maxLength(40)), []),
  /** Defaults: 10 hours a day, 11 hours of rest. Source: product description, section 4.1. */
  maxHoursPerDay: z._default(whole(1, 24), 10),
  minRestHours: z._default(whole(0, 24), 11),
  contractedHoursPerWeek: orNull(whole(0, 80)),
  costPerDayMinor: orNull(MoneyMinor),
  costCurrency: orNull(Currency),
  memberUserId: orNull(OpaqueId),
  notes: optionalText(4000),
}

const certificate = {
  kind: z.enum(certificateKinds),
  number: optionalText(60),
  issuedOn: orNull(LocalDate),
  validUntil: orNull(LocalDate),
}
export const StaffCertificate = z.object({
  id: Id,
  version: Version,
  ...certificate,
  state: z.enum(['ok', 'expiring', 'expired']),
})

const person = {
  id: Id,
  version: Version,
  code: z.nullable(z.string()),
  firstName: z.string(),
  lastName: z.string(),
  name: z.string(),
  kinds: z.array(z.enum(staffKinds)),
  employment: z.enum(employments),
  status: z.enum(staffStatuses),
  languages: z.array(z.object({ tag: z.string(), level: z.string() })),
  skills: z.array(z.string()),
  homeBase: z.nullable(Named),
  /** Null without `staff_private:read`. */
  phone: z.nullable(z.string()),
  rating: z.nullable(z.object({ average: z.number(), count: Count })),
}

export const FieldStaffRow = z.object({
  ...person,
  dutyState: z.enum(dutyStates),
  nextAssignment: z.nullable(z.object({ departureId: Id, code: z.string(), startsAt: Instant, timeZone: z.string() })),
  hoursThisWeek: z.number(),
  contractedHoursPerWeek: z.nullable(Count),
  certificates: z.enum(['ok', 'expiring', 'expired', 'none']),
})
export type FieldStaffRow = z.output<typeof FieldStaffRow>

export const FieldStaff = z.object({
  ...person,
  email: z.nullable(z.string()),
  emergencyContact: z.nullable(z.object({ name: z.string(), relation: z.nullable(z.string()), phone: z.string() })),
  supplierId: z.nullable(Id),
  homeBasePlaceId: z.nullable(Id),
  maxHoursPerDay: Count,
  minRestHours: Count,
  contractedHoursPerWeek: z.nullable(Count),
  costPerDayMinor: z.nullable(MoneyMinor),
  costCurrency: z.nullable(z.string()),
  memberUserId: z.nullable(z.string()),
  memberName: z.nullable(z.string()),
  notes: z.nullable(z.string()),
  trackingConsentAt: z.nullable(Instant),
  dutyState: z.enum(dutyStates),
  certificates: z.array(StaffCertificate),
  futureDepartures: Count,
  figures: z.object({
    departures30d: Count,
    departures365d: Count,
    onTimeStartShare: z.nullable(z.number()),
    acceptanceShare: z.nullable(z.number()),
  }),
})
export type FieldStaff = z.output<typeof FieldStaff>

export const fieldStaffFilters = {
  status: anyOf(z.enum(staffStatuses)),
  kind: anyOf(z.enum(staffKinds)),
  employment: anyOf(z.enum(employments)),
  language: anyOf(Language),
  skill: anyOf(text(60)),
  homeBasePlaceId: anyOf(Id),
  certificates: anyOf(z.enum(['ok', 'expiring', 'expired', 'none'])),
  dutyState: anyOf(z.enum(dutyStates)),
  /** Free on all of these local days. */
  availableFrom: z.optional(LocalDate),
  availableTo: z.optional(LocalDate),
}
export const fieldStaffSortable = ['name', 'status', 'homeBase', 'nextAssignment', 'hoursThisWeek', 'rating'] as const

export const listFieldStaff = callable({
  name: 'field-staff-list',
  kind: 'read',
  permission: 'staff:read',
  summary: 'The roster; guides see themselves.',
  input: listInput(fieldStaffFilters, fieldStaffSortable),
  output: listOutput(FieldStaffRow),
  topics: ['field_staff', 'assignments', 'staff_calendar_entries', 'duty_sessions'],
})

export const exportFieldStaff = callable({
  name: 'field-staff-export',
  kind: 'read',
  permission: 'staff:read',
  summary: 'The filtered roster as CSV.',
  input: exportInput(fieldStaffFilters, fieldStaffSortable),
  output: CsvFile,
})

export const getFieldStaff = callable({
  name: 'field-staff-get',
  kind: 'read',
  permission: 'staff:read',
  summary: 'One person of the field staff; private fields need `staff_private:read`.',
  input: ById,
  output: FieldStaff,
  topics: ['field_staff', 'staff_certificates', 'assignments', 'duty_sessions'],
})

export const createFieldStaff = callable({
  name: 'field-staff-create',
  kind: 'write',
  permission: 'staff:manage',
  summary: 'Adds a person to the field staff.',
  input: write({ ...fields, certificates: z._default(z.array(z.object(certificate)).check(z.maxLength(30)), []) }),
  output: Saved,
})

export const updateFieldStaff = callable({
  name: 'field-staff-update',
  kind: 'write',
  permission: 'staff:manage',
  summary: 'Changes a person of the field staff; certificates given here replace the list.',
  input: write({
    id: Id,
    version: Version,
    ...fields,
    certificates: z.optional(z.array(z.object({ id: z.optional(Id), ...certificate })).check(z.maxLength(30))),
  }),
  output: Saved,
})

export const setFieldStaffStatus = callable({
  name: 'field-staff-set-status',
  kind: 'write',
  permission: 'staff:manage',
  summary:
    'Activates, deactivates or suspends; refused with the list of future departures that must be re-staffed first.',
  input: write({ id: Id, version: Version, to: z.enum(staffStatuses), reason: optionalText(300) }),
  output: Saved,
})

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

/** A departure or a stay in the workshop in a vehicle's row. */
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
    'staff_calendar_entries',
    'departures',
    'field_staff',
    'vehicles',
    'vehicle_calendar_entries',
    'vehicle_assignments',
  ],
})

/** What may speak against an assignment and be overridden with a reason. Source: product description, I19. */
export const brokenRules = ['kind', 'language', 'certificate', 'rest', 'travel', 'hours', 'base'] as const
export type BrokenRule = (typeof brokenRules)[number]

type StaffKind = (typeof staffKinds)[number]
/** Whoever drives a transfer leads it. */
export const drivingKinds = ['driver', 'driver_guide', 'skipper'] as const satisfies readonly StaffKind[]
const leadingKinds = ['guide', 'driver_guide', 'tour_leader'] as const satisfies readonly StaffKind[]

/** Whose work a role is; anybody else takes a reason. */
export const kindsForRole: Readonly<Record<(typeof staffRoles)[number], readonly StaffKind[]>> = {
  lead_guide: leadingKinds,
  guide: leadingKinds,
  tour_leader: leadingKinds,
  driver: drivingKinds,
  // On a trek guides carry as well; a porter does not lead.
  porter: ['porter', 'guide'],
  backup: staffKinds,
}

/** One thing that speaks for or against a person, with the figures that its sentence needs. */
export const FitReason = z.object({
  ok: z.boolean(),
  reason: z.enum([...brokenRules, 'led_before']),
  /** `rest`: hours that are left beside `code`, from or for which `travel` is too far; `hours`: of the week without this duty; `base`: of the way. */
  hours: z.optional(z.number()),
  /** `hours`: what this duty adds to the week. */
  addedHours: z.optional(z.number()),
  limitHours: z.optional(z.nullable(z.number())),
  code: z.optional(z.nullable(z.string())),
  place: z.optional(z.string()),
  distanceKm: z.optional(Count),
  count: z.optional(Count),
})
export type FitReason = z.output<typeof FitReason>

/** What speaks against people where `overrideReason` is missing: `details.against` of that refusal. */
export const AgainstPeople = z.array(z.object({ staffId: Id, name: z.string(), reasons: z.array(FitReason) }))
export type AgainstPeople = z.output<typeof AgainstPeople>

export const suggestStaff = callable({
  name: 'assignments-suggest',
  kind: 'read',
  // The answer tells who is on leave and how much everybody works: it is for whoever assigns people.
  permission: 'departures:dispatch',
  summary: 'Who fits a role on a departure, best first, with reasons for and against.',
  input: z.object({ departureId: Id, role: z.enum(staffRoles) }),
  output: z.object({
    fits: z.array(
      z.object({
        staffId: Id,
        name: z.string(),
        employment: z.enum(employments),
        score: z.number(),
        reasons: z.array(FitReason),
      }),
    ),
    notPossible: z.array(
      z.object({
        staffId: Id,
        name: z.string(),
        because: z.enum(['busy', 'travel', 'leave', 'licence', 'suspended']),
        /** The departure in the way. */
        code: z.nullable(z.string()),
      }),
    ),
  }),
  topics: ['assignments', 'staff_calendar_entries', 'field_staff'],
})

export const createAssignment = callable({
  name: 'assignments-create',
  kind: 'write',
  permission: 'departures:dispatch',
  summary:
    'Puts a person on a departure at once. An overlap answers `aborted`, reason `staff_busy`, with the other departure, an expired licence `licence_expired`; a broken rule takes `overrideReason`.',
  input: write({
    departureId: Id,
    staffId: Id,
    role: z.enum(staffRoles),
    reportAt: z.optional(Instant),
    releaseAt: z.optional(Instant),
    overrideReason: optionalText(300),
  }),
  output: z.object({ id: Id, version: Version, brokenRules: z.array(z.enum(brokenRules)) }),
})

export const offerAssignment = callable({
  name: 'assignments-offer',
  kind: 'write',
  permission: 'departures:dispatch',
  summary: 'Offers a role to several people; the first yes wins. A broken rule takes `overrideReason`.',
  input: write({
    departureId: Id,
    role: z.enum(staffRoles),
    staffIds: z.array(Id).check(z.minLength(1), z.maxLength(20)),
    respondBy: Instant,
    overrideReason: optionalText(300),
  }),
  output: z.object({ ids: z.array(Id) }),
})

export const acceptAssignment = callable({
  name: 'assignments-accept',
  kind: 'write',
  permission: 'staff:read',
  summary:
    'Accepts an offer: guides their own, dispatchers on behalf of a person who called. A rule broken since the offer answers `aborted`, reason `no_longer_fits`, with `reasons`; whoever dispatches may override it.',
  input: write({ id: Id, version: Version, overrideReason: optionalText(300) }),
  output: Saved,
})

export const declineAssignment = callable({
  name: 'assignments-decline',
  kind: 'write',
  permission: 'staff:read',
  summary: 'Declines an offer: guides their own, dispatchers on behalf of a person who called.',
  input: write({ id: Id, version: Version, reason: optionalText(300) }),
  output: Saved,
})

export const withdrawAssignment = callable({
  name: 'assignments-withdraw',
  kind: 'write',
  permission: 'departures:dispatch',
  summary: 'Takes an offer back.',
  input: write({ id: Id, version: Version }),
  output: Saved,
})

export const releaseAssignment = callable({
  name: 'assignments-release',
  kind: 'write',
  permission: 'departures:dispatch',
  summary: 'Frees a person from an accepted assignment, with the reason.',
  input: write({ id: Id, version: Version, reason: text(300, 'Give a reason.') }),
  output: Saved,
})

export const listAssignments = callable({
  name: 'assignments-list',
  kind: 'read',
  permission: 'staff:read',
  summary: 'Assignments of people or departures; guides see their own.',
  input: listInput(
    {
      staffId: anyOf(Id),
      departureId: anyOf(Id),
      status: anyOf(z.enum(statusesOf('assignments'))),
      from: z.optional(LocalDate),
      to: z.optional(LocalDate),
    },
    ['startsAt', 'status', 'role'],
  ),
  output: listOutput(
    z.object({
      id: Id,
      version: Version,
      staffId: Id,
      staffName: z.string(),
      departureId: Id,
      departureCode: z.string(),
      tourName: z.string(),
      startsAt: Instant,
      endsAt: Instant,
      timeZone: z.string(),
      role: z.enum(staffRoles),
      status: z.enum(statusesOf('assignments')),
      respondBy: z.nullable(Instant),
      respondedAt: z.nullable(Instant),
      /** Null without `staff_private:read`. */
      declineReason: z.nullable(z.string()),
      /** Empty without `staff_private:read`. */
      brokenRules: z.array(z.enum(brokenRules)),
      /** Why the rules were overridden. Null without `staff_private:read`. */
      overrideReason: z.nullable(z.string()),
      startDelaySeconds: z.nullable(z.int()),
    }),
  ),
  topics: ['assignments', 'departures'],
})

export const addLeave = callable({
  name: 'field-staff-add-time-off',
  kind: 'write',
  permission: 'staff:manage',
  summary: 'Enters leave or training; refused with the list of assignments in the way, which it never deletes.',
  input: write({
    staffId: Id,
    kind: z.enum(['time_off', 'training', 'external_busy']),
    startsAt: Instant,
    endsAt: Instant,
    note: optionalText(300),
  }),
  output: z.object({ id: Id }),
})

export const removeLeave = callable({
  name: 'field-staff-remove-time-off',
  kind: 'write',
  permission: 'staff:manage',
  summary: 'Takes leave or training out of the calendar.',
  input: write({ id: Id }),
  output: z.object({ id: Id }),
})
