import * as z from 'zod/mini'
import { takeBackMinutes, tellGuest } from '../bookings/bookings.ts'
import { callable } from '../callable.ts'
import { Count, Id, Version, write } from '../fields.ts'

/** Departures of a tour are combined when they start at most so many hours apart. */
export const combineHours = 12

/** What changes with the departure that ends, or lives again. */
const writes = [
  'alerts',
  'assignments',
  'bookings',
  'check_ins',
  'deliveries',
  'departure_services',
  'departure_stops',
  'departures',
  'duty_sessions',
  'equipment_issues',
  'manifest_entries',
  'messages',
  'notification_rules',
  'proposals',
  'room_assignments',
  'staff_calendar_entries',
  'vehicle_calendar_entries',
] as const

export const combineDepartures = callable({
  name: 'departures-combine',
  kind: 'write',
  permission: 'departures:dispatch',
  summary: `Moves all parties of a departure to another one of its tour, at most ${combineHours} hours away, and cancels the empty one; all or nothing. Who waits for seats there waits behind those who wait here. It can be undone for ${takeBackMinutes} minutes. Needs \`bookings:manage\` as well. Refused without enough seats, and once a guest is checked in.`,
  input: write({ id: Id, version: Version, intoId: Id, tellGuests: tellGuest }),
  output: z.object({
    code: z.string(),
    seats: Count,
    /** Of the departure that is cancelled, with which this is undone. */
    version: Version,
  }),
  writes,
})

export const separateDepartures = callable({
  name: 'departures-separate',
  kind: 'write',
  permission: 'departures:dispatch',
  summary: `Undoes that a departure was combined with another one, for ${takeBackMinutes} minutes and while nothing followed: parties, crew, vehicles and services are back. Needs \`bookings:manage\` as well.`,
  input: write({ id: Id, version: Version }),
  output: z.object({
    code: z.string(),
    seats: Count,
    /** Crew and vehicles that have something else to do by now. */
    missing: Count,
  }),
  writes,
})
