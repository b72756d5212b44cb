import * as z from 'zod/mini'
import { callable } from '../callable.ts'
import { statusesOf } from '../state-machines.ts'
import { Id, Instant, someOf, whole } from '../fields.ts'

export const searchScopes = ['departures', 'bookings', 'travelers', 'staff', 'tours', 'incidents'] as const
export type SearchScope = (typeof searchScopes)[number]

export const SearchHit = z.object({
  scope: z.enum(searchScopes),
  id: Id,
  /** The line to read: tour name, traveler name, booking reference with contact. */
  title: z.string(),
  detail: z.nullable(z.string()),
  code: z.nullable(z.string()),
  /** Start of the departure concerned, in its zone. */
  startsAt: z.nullable(Instant),
  timeZone: z.nullable(z.string()),
  status: z.nullable(z.string()),
  delaySeconds: z.nullable(z.int()),
  /** The departure that opens with the hit, where that is the useful place. */
  departureId: z.nullable(Id),
  /** Status of the departure of a booking. */
  departureStatus: z.nullable(z.enum(statusesOf('departures'))),
})
export type SearchHit = z.output<typeof SearchHit>

/** Scopes the caller may not read are left out of the answer, never refused. */
export const searchAll = callable({
  name: 'search-all',
  kind: 'read',
  permission: 'member',
  summary:
    'The command palette: tours, departures, bookings, travelers, staff and incidents by name, code or reference.',
  input: z.object({
    q: z.string().check(z.trim(), z.minLength(1), z.maxLength(100)),
    scopes: z.optional(someOf(searchScopes)),
    perScope: z._default(whole(1, 20), 6),
  }),
  output: z.object({ hits: z.array(SearchHit) }),
  topics: [],
})
