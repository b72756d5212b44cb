import * as z from 'zod/mini'
import { callable } from '../callable.ts'
import { employments, staffKinds } from './staff-terms.ts'
import { Count, Id, Instant, LocalDate, optionalText, Saved, text, Version, write } from '../fields.ts'
import { anyOf, listInput, listOutput } from '../paging.ts'
import { statusesOf } from '../state-machines.ts'
import { staffRoles } from '../tours/tour-terms.ts'

/** What may speak against an assignment and be overridden with a reason. See docs/domain.md, "Assignments". */
export const brokenRules = ['kind', 'language', 'certificate', 'rest', 'travel', 'hours', 'base'] as const
export type BrokenRule = (typeof brokenRules)[number]

type StaffKind = (typeof staffKinds)[number]
/** The driver of a transfer leads it. */
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
  /** `rest`: hours that are left next to `code`, from or to which `travel` takes too long; `hours`: of the week without this duty; `base`: of the way. */
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
  // The answer contains who is on leave and how much everybody works: only people who assign staff may read it.
  permission: 'departures:dispatch',
  summary: 'Who fits a role on a departure, in order of preference, with reasons for and against.',
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
  topics: [
    'assignments',
    'departure_stops',
    'departures',
    'field_staff',
    'org_settings',
    'places',
    'staff_calendar_entries',
    'staff_certificates',
    'tours',
  ],
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
  writes: ['assignments', 'staff_calendar_entries'],
})

export const offerAssignment = callable({
  name: 'assignments-offer',
  kind: 'write',
  permission: 'departures:dispatch',
  summary: 'Offers a role to several people; the first to accept gets it. A broken rule takes `overrideReason`.',
  input: write({
    departureId: Id,
    role: z.enum(staffRoles),
    staffIds: z.array(Id).check(z.minLength(1), z.maxLength(20)),
    respondBy: Instant,
    overrideReason: optionalText(300),
  }),
  output: z.object({ ids: z.array(Id) }),
  writes: ['assignments', 'staff_calendar_entries'],
})

export const acceptAssignment = callable({
  name: 'assignments-accept',
  kind: 'write',
  permission: 'staff:read',
  summary:
    'Accepts an offer: guides their own, dispatchers on behalf of a person who called. A rule broken since the offer answers `aborted`, reason `no_longer_fits`, with `reasons`; dispatchers may override it.',
  input: write({ id: Id, version: Version, overrideReason: optionalText(300) }),
  output: Saved,
  writes: ['assignments', 'staff_calendar_entries'],
})

export const declineAssignment = callable({
  name: 'assignments-decline',
  kind: 'write',
  permission: 'staff:read',
  summary: 'Declines an offer: guides their own, dispatchers on behalf of a person who called.',
  input: write({ id: Id, version: Version, reason: optionalText(300) }),
  output: Saved,
  writes: ['assignments', 'staff_calendar_entries'],
})

export const withdrawAssignment = callable({
  name: 'assignments-withdraw',
  kind: 'write',
  permission: 'departures:dispatch',
  summary: 'Withdraws an offer.',
  input: write({ id: Id, version: Version }),
  output: Saved,
  writes: ['assignments', 'staff_calendar_entries'],
})

export const releaseAssignment = callable({
  name: 'assignments-release',
  kind: 'write',
  permission: 'departures:dispatch',
  summary: 'Releases a person from an accepted assignment, with the reason.',
  input: write({ id: Id, version: Version, reason: text(300, 'reason_missing') }),
  output: Saved,
  writes: ['assignments', 'staff_calendar_entries'],
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
  topics: ['assignments', 'departures', 'field_staff', 'tours'],
})
