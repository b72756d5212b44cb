import * as z from 'zod/mini'
import { tellGuest } from '../bookings/bookings.ts'
import { callable } from '../callable.ts'
import { Count, Id, Version, write } from '../fields.ts'

/** Departures of a tour are combined when they start at most so many hours apart. */
export const combineHours = 12

export const combineDepartures = callable({
  name: 'departures-combine',
  kind: 'write',
  permission: 'departures:dispatch',
  summary: `Moves all parties of a departure to another one of its tour, at most ${combineHours} hours away, and cancels the empty one; all or nothing. Needs \`bookings:manage\` as well. Refused without enough seats, and once a guest is checked in.`,
  input: write({ id: Id, version: Version, intoId: Id, tellGuests: tellGuest }),
  output: z.object({ code: z.string(), seats: Count }),
  writes: [
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
  ],
})
