import * as z from 'zod/mini'
import { paymentStatuses, bookingStatuses } from './bookings.ts'
import { callable } from '../callable.ts'
import {
  Count,
  Id,
  Instant,
  Latitude,
  LocalDate,
  Longitude,
  MoneyMinor,
  optionalText,
  orNull,
  Version,
  write,
} from '../fields.ts'
import { statusesOf } from '../state-machines.ts'
import { dietFlags, mobilityFlags } from '../travelers/needs.ts'
import { unitTypes } from '../units.ts'

export const manifestStatuses = statusesOf('manifest_entries')

/** What lists show about a person without telling it: `medical` is a lock, never the text. */
export const travelerFlags = [
  ...dietFlags,
  ...mobilityFlags,
  'medical',
  'document_missing',
  'document_expiring',
  'possible_duplicate',
] as const
export type TravelerFlag = (typeof travelerFlags)[number]

/** The same of a guest on a departure, with what is needed for this trip. */
export const guestFlags = [...travelerFlags, 'child_seat'] as const
export type GuestFlag = (typeof guestFlags)[number]

export const ManifestEntry = z.object({
  id: Id,
  version: Version,
  bookingId: Id,
  travelerId: Id,
  name: z.string(),
  unitType: z.enum(unitTypes),
  /** Years on the day of departure, as was said for this trip, else by the date of birth; at least so many, where that is all that follows. Null where ages may not be seen. */
  age: z.nullable(z.int()),
  status: z.enum(manifestStatuses),
  flags: z.array(z.enum(guestFlags)),
  checkInAt: z.nullable(Instant),
  checkInByName: z.nullable(z.string()),
  seatOrGroup: z.nullable(z.string()),
  /** For this trip. */
  note: z.nullable(z.string()),
})
export type ManifestEntry = z.output<typeof ManifestEntry>

export const ManifestParty = z.object({
  bookingId: Id,
  bookingVersion: Version,
  bookingRef: z.string(),
  contactName: z.string(),
  contactPhone: z.nullable(z.string()),
  status: z.enum(bookingStatuses),
  pax: Count,
  /** Seats of the booking that have no name yet. */
  unnamed: Count,
  balanceMinor: MoneyMinor,
  currency: z.string(),
  paymentStatus: z.enum(paymentStatuses),
  notes: z.nullable(z.string()),
  entries: z.array(ManifestEntry),
})
export type ManifestParty = z.output<typeof ManifestParty>

export const Manifest = z.object({
  departureId: Id,
  code: z.string(),
  timeZone: z.string(),
  localDate: LocalDate,
  counts: z.object({ total: Count, aboard: Count, toCome: Count, noShow: Count, unnamed: Count }),
  /** By pickup, earliest first; parties without one are under the first stop. */
  groups: z.array(
    z.object({
      stopId: z.nullable(Id),
      placeName: z.string(),
      at: Instant,
      total: Count,
      aboard: Count,
      parties: z.array(ManifestParty),
    }),
  ),
  waitlist: z.array(
    z.object({
      bookingId: Id,
      bookingVersion: Version,
      bookingRef: z.string(),
      contactName: z.string(),
      pax: Count,
      rank: Count,
    }),
  ),
  holds: z.array(
    z.object({
      bookingId: Id,
      bookingVersion: Version,
      bookingRef: z.string(),
      contactName: z.string(),
      pax: Count,
      expiresAt: Instant,
    }),
  ),
  checkInOpen: z.boolean(),
})
export type Manifest = z.output<typeof Manifest>

export const getManifest = callable({
  name: 'manifest-get',
  kind: 'read',
  permission: 'travelers:read',
  summary: 'Everyone expected on a departure, grouped by pickup and party.',
  input: z.object({ departureId: Id }),
  output: Manifest,
  topics: [
    'bookings',
    'departure_stops',
    'manifest_entries',
    'members',
    'org_settings',
    'places',
    'tours',
    'traveler_documents',
    'traveler_private',
  ],
  rowTopics: ['departures', 'travelers'],
})

export const checkInMethods = ['scan', 'tap', 'bulk', 'guest'] as const

const events = {
  departureId: Id,
  entries: z
    .array(
      z.object({
        entryId: Id,
        /** Made by the device, once per tap; the same id again is answered as `repeated` and written once. */
        clientEventId: Id,
        /** The clock of the device, stored next to ours. */
        deviceAt: z.optional(Instant),
      }),
    )
    .check(z.minLength(1), z.maxLength(500)),
  stopId: orNull(Id),
  method: z._default(z.enum(checkInMethods), 'tap'),
  lat: orNull(Latitude),
  lng: orNull(Longitude),
}

/** One answer per event, so that a queue written offline knows what became of each. */
const Outcomes = z.object({
  entries: z.array(
    z.object({
      entryId: Id,
      clientEventId: Id,
      outcome: z.enum(['done', 'repeated', 'refused']),
      /** The current rank of the entry; null when there is no such entry on this departure. */
      status: z.nullable(z.enum(manifestStatuses)),
      checkInAt: z.nullable(Instant),
      reason: z.nullable(z.string()),
    }),
  ),
})

export const checkIn = callable({
  name: 'manifest-check-in',
  kind: 'write',
  permission: 'checkin:write',
  summary: 'Marks guests as aboard, one or many.',
  input: write(events),
  output: Outcomes,
  writes: ['check_ins', 'manifest_entries'],
})

export const undoCheckIn = callable({
  name: 'manifest-undo',
  kind: 'write',
  permission: 'checkin:write',
  summary: 'Undoes check-ins: each adds an event, nothing is deleted.',
  input: write(events),
  output: Outcomes,
  writes: ['check_ins', 'manifest_entries'],
})

export const markNoShow = callable({
  name: 'manifest-no-show',
  kind: 'write',
  permission: 'checkin:write',
  summary: 'Marks guests as no-shows, from five minutes before the planned time.',
  input: write({
    departureId: Id,
    entryIds: z.array(Id).check(z.minLength(1), z.maxLength(500)),
    note: optionalText(300),
  }),
  output: z.object({ changed: Count }),
  writes: ['manifest_entries'],
})

/** Later changes of single guests on tour. */
export const setEntryStatus = callable({
  name: 'manifest-set-status',
  kind: 'write',
  permission: 'checkin:write',
  summary: 'Marks a guest on tour as missing, found again, or left early.',
  input: write({ entryId: Id, version: Version, to: z.enum(['on_tour', 'left_early', 'missing']) }),
  output: z.object({ id: Id, version: Version }),
  writes: ['manifest_entries'],
})

export const listCheckIns = callable({
  name: 'manifest-check-ins',
  kind: 'read',
  permission: 'travelers:read',
  summary: 'The check-in events of a departure, newest first.',
  input: z.object({ departureId: Id }),
  output: z.object({
    events: z.array(
      z.object({
        id: Id,
        entryId: Id,
        name: z.string(),
        kind: z.enum(['arrive', 'board', 'leave', 'undo']),
        method: z.enum(checkInMethods),
        at: Instant,
        byName: z.nullable(z.string()),
        stopName: z.nullable(z.string()),
      }),
    ),
  }),
  topics: ['check_ins', 'departure_stops', 'manifest_entries', 'members', 'org_settings', 'places', 'travelers'],
  rowTopics: ['departures'],
})
