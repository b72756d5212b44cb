import * as z from 'zod/mini'
import { callable } from '../callable.ts'
import { Count, Id, Instant, Named, orNull, Saved, Version, write } from '../fields.ts'
import { anyOf, listInput, listOutput } from '../paging.ts'
import { statusesOf } from '../state-machines.ts'

/** The text of the consent that screens show now. Who agreed to another one is asked again. */
export const trackingConsentVersion = '2026-11'
export const dutySources = ['app', 'dispatcher', 'auto'] as const
export const dutyEnds = ['person', 'dispatcher', 'departure', 'limit'] as const

export const DutySession = z.object({
  id: Id,
  version: Version,
  staff: z.nullable(Named),
  vehicle: z.nullable(Named),
  departure: z.nullable(z.object({ id: Id, code: z.string() })),
  status: z.enum(statusesOf('duty_sessions')),
  startedAt: Instant,
  endedAt: z.nullable(Instant),
  source: z.enum(dutySources),
  endedBy: z.nullable(z.enum(dutyEnds)),
  /** What was agreed to; null where duty counts and no position is taken. */
  consentVersion: z.nullable(z.string()),
  /** Since when there is a break. */
  breakStartedAt: z.nullable(Instant),
  /** When the office last asked where this person is; null before the first time. */
  askedAt: z.nullable(Instant),
  /** Of breaks that are over. */
  breakSeconds: Count,
  /** On duty without breaks; until now while it is open. */
  dutySeconds: Count,
})
export type DutySession = z.output<typeof DutySession>

export const listDuty = callable({
  name: 'duty-list',
  kind: 'read',
  permission: 'tracking:read',
  summary: 'Who was on duty when, the latest first; guides see their own.',
  input: listInput(
    {
      staffId: anyOf(Id),
      vehicleId: anyOf(Id),
      departureId: anyOf(Id),
      status: anyOf(z.enum(statusesOf('duty_sessions'))),
      /** Duty that touches this time. */
      from: z.optional(Instant),
      to: z.optional(Instant),
    },
    ['startedAt'],
  ),
  output: listOutput(DutySession),
  topics: ['departures', 'duty_sessions', 'field_staff', 'vehicles'],
})

export const ownDuty = callable({
  name: 'duty-own',
  kind: 'read',
  permission: 'member',
  summary: 'Whether the caller is on duty, and whether their position may be seen.',
  input: z.object({}),
  output: z.object({
    session: z.nullable(DutySession),
    consent: z.nullable(z.object({ version: z.string(), at: Instant })),
    /** The text that counts now. */
    consentVersion: z.string(),
  }),
  topics: ['departures', 'duty_sessions', 'field_staff'],
})

export const beginDuty = callable({
  name: 'duty-begin',
  kind: 'write',
  permission: 'member',
  summary: 'Begins the duty of the caller. Positions are stored if they have agreed to it.',
  input: write({ departureId: orNull(Id) }),
  output: Saved,
  writes: ['duty_sessions'],
})

export const endDuty = callable({
  name: 'duty-end',
  kind: 'write',
  permission: 'member',
  summary: 'Ends the duty of the caller; no position is stored from then on.',
  input: write({}),
  output: Saved,
  writes: ['duty_sessions'],
})

export const setDutyBreak = callable({
  name: 'duty-break',
  kind: 'write',
  permission: 'member',
  summary: 'Begins or ends a break of the caller; no position is stored meanwhile.',
  input: write({ onBreak: z.boolean() }),
  output: Saved,
  writes: ['duty_sessions'],
})

export const setTrackingConsent = callable({
  name: 'duty-consent',
  kind: 'write',
  permission: 'member',
  summary: 'Records or withdraws the consent of the caller to share positions on duty; takes effect at once.',
  input: write({ agrees: z.boolean() }),
  output: z.object({ consentVersion: z.nullable(z.string()) }),
  writes: ['duty_sessions', 'field_staff'],
})

export const beginDutyFor = callable({
  name: 'duty-begin-for',
  kind: 'write',
  permission: 'departures:dispatch',
  summary:
    'Begins the duty of a staff member or vehicle; positions are stored if the person, or the driver, has agreed.',
  input: write({
    /** One of the two. */
    staffId: orNull(Id),
    vehicleId: orNull(Id),
    departureId: orNull(Id),
  }),
  output: Saved,
  writes: ['duty_sessions'],
})

export const endDutyFor = callable({
  name: 'duty-end-for',
  kind: 'write',
  permission: 'departures:dispatch',
  summary: 'Ends the duty of a staff member or vehicle.',
  input: write({ id: Id, version: Version }),
  output: Saved,
  writes: ['duty_sessions'],
})
