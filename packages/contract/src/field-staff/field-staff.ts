import * as z from 'zod/mini'
import { callable } from '../callable.ts'
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
} from '../fields.ts'
import { anyOf, exportInput, listInput, listOutput } from '../paging.ts'
import { shownStates } from '../tracking/expected-silence.ts'
import { certificateKinds, employments, languageLevels, staffKinds, staffStatuses } from './staff-terms.ts'

const fields = {
  code: orNull(z.string().check(z.trim(), z.toUpperCase(), z.regex(/^[A-Z0-9-]{2,12}$/, 'staff_code_form'))),
  firstName: text(80, 'first_name_missing'),
  lastName: text(80, 'last_name_missing'),
  kinds: someOf(staffKinds).check(z.minLength(1, 'kind_missing')),
  employment: z.enum(employments),
  supplierId: orNull(Id),
  phone: orNull(Phone),
  email: orNull(Email),
  emergencyContact: orNull(z.object({ name: text(120), relation: optionalText(60), phone: Phone })),
  homeBasePlaceId: orNull(Id),
  languages: z._default(z.array(z.object({ tag: Language, level: z.enum(languageLevels) })).check(z.maxLength(20)), []),
  skills: z._default(z.array(text(60)).check(z.maxLength(40)), []),
  /** Defaults: 10 hours a day, 11 hours of rest. */
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
  dutyState: z.enum(shownStates),
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
  dutyState: z.enum(shownStates),
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
  dutyState: anyOf(z.enum(shownStates)),
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
  topics: [
    'assignments',
    'departures',
    'devices',
    'duty_sessions',
    'field_staff',
    'org_settings',
    'places',
    'staff_calendar_entries',
    'staff_certificates',
  ],
})

export const exportFieldStaff = callable({
  name: 'field-staff-export',
  kind: 'read',
  permission: 'staff:read',
  summary: 'The filtered roster as CSV.',
  input: exportInput(fieldStaffFilters, fieldStaffSortable),
  output: CsvFile,
  topics: [],
})

export const getFieldStaff = callable({
  name: 'field-staff-get',
  kind: 'read',
  permission: 'staff:read',
  summary: 'One person of the field staff; private fields need `staff_private:read`.',
  input: ById,
  output: FieldStaff,
  topics: ['assignments', 'departures', 'devices', 'duty_sessions', 'members', 'places', 'staff_certificates'],
  rowTopics: ['field_staff'],
})

export const createFieldStaff = callable({
  name: 'field-staff-create',
  kind: 'write',
  permission: 'staff:manage',
  summary: 'Adds a person to the field staff.',
  input: write({ ...fields, certificates: z._default(z.array(z.object(certificate)).check(z.maxLength(30)), []) }),
  output: Saved,
  // the membership of the person who signs in refers to the record
  writes: ['field_staff', 'staff_certificates', 'members'],
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
  // as above
  writes: ['field_staff', 'staff_certificates', 'members'],
})

export const setFieldStaffStatus = callable({
  name: 'field-staff-set-status',
  kind: 'write',
  permission: 'staff:manage',
  summary:
    'Activates, deactivates or suspends; refused with the list of future departures that must be re-staffed first.',
  input: write({ id: Id, version: Version, to: z.enum(staffStatuses), reason: optionalText(300) }),
  output: Saved,
  writes: ['field_staff'],
})
