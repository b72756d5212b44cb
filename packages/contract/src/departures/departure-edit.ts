import * as z from 'zod/mini'
import { callable } from '../callable.ts'
import { Id, Instant, Language, optionalText, orNull, Saved, Version, whole, write } from '../fields.ts'

export const updateDeparture = callable({
  name: 'departures-update',
  kind: 'write',
  permission: 'departures:manage',
  summary:
    'Changes capacity, minimum, decision time, language, whether it is private, and notes; capacity never falls below what is sold, and only a departure of one party becomes private.',
  input: write({
    id: Id,
    version: Version,
    capacity: whole(1, 1000),
    minPax: whole(0, 1000),
    overbookLimit: whole(0, 100),
    /** Stays as it is where left out. */
    isPrivate: z.optional(z.boolean()),
    decideBy: orNull(Instant),
    language: orNull(Language),
    weatherNote: optionalText(1000),
    internalNote: optionalText(2000),
  }),
  output: Saved,
  writes: ['bookings', 'departures'],
})
