import * as z from 'zod/mini'
import { callable } from '../callable.ts'
import {
  Count,
  Id,
  Instant,
  Language,
  LocalDate,
  LocalTime,
  optionalText,
  orNull,
  Version,
  whole,
  write,
} from '../fields.ts'

const dated = {
  tourId: Id,
  optionId: orNull(Id),
  language: orNull(Language),
  capacity: z.optional(whole(1, 1000)),
}

export const createDeparture = callable({
  name: 'departures-create',
  kind: 'write',
  permission: 'departures:manage',
  summary: 'Adds one departure of a published tour.',
  input: write({
    ...dated,
    localDate: LocalDate,
    startTimeLocal: LocalTime,
    status: z._default(z.enum(['draft', 'scheduled']), 'scheduled'),
    internalNote: optionalText(2000),
  }),
  output: z.object({ id: Id, version: Version, code: z.string() }),
  writes: ['departure_stops', 'departures'],
})

/** Departures of one batch at most; a year of two a day fits. */
export const maxScheduleRows = 1000

const ScheduleRule = {
  ...dated,
  /** RFC 5545 recurrence without DTSTART and UNTIL, `FREQ=WEEKLY;BYDAY=MO,WE`; `FREQ=DAILY` for every day. */
  rrule: z
    .string()
    .check(z.maxLength(300), z.regex(/^FREQ=(DAILY|WEEKLY|MONTHLY|YEARLY)(;[A-Z]+=[A-Z0-9,+-]+)*$/, 'rrule_form')),
  from: LocalDate,
  to: LocalDate,
  startTimesLocal: z.array(LocalTime).check(z.minLength(1, 'start_time_missing'), z.maxLength(24)),
  exceptDates: z._default(z.array(LocalDate).check(z.maxLength(400)), []),
}

export const ScheduledRow = z.object({
  code: z.string(),
  localDate: LocalDate,
  startTimeLocal: LocalTime,
  startsAt: Instant,
  endsAt: Instant,
  /** `exists`: this code is there already; `past`: it would have started; `no_such_time`: the clocks skip this hour. */
  clash: z.nullable(z.enum(['exists', 'past', 'no_such_time'])),
})

export const previewSchedule = callable({
  name: 'departures-preview-schedule',
  kind: 'read',
  permission: 'departures:manage',
  summary: 'The departures that a rule would create, with clashes.',
  input: z.object(ScheduleRule),
  output: z.object({ rows: z.array(ScheduledRow), timeZone: z.string(), willCreate: Count, skipped: Count }),
  topics: ['departures', 'org_settings', 'tour_revisions', 'tours'],
})

export const scheduleDepartures = callable({
  name: 'departures-schedule',
  kind: 'write',
  permission: 'departures:manage',
  summary: 'Creates the departures of a rule with their stops, all or none; days that clash are left out.',
  input: write({ ...ScheduleRule, includePast: z._default(z.boolean(), false) }),
  output: z.object({ created: Count, skipped: Count, ids: z.array(Id) }),
  writes: ['departure_stops', 'departures'],
})
