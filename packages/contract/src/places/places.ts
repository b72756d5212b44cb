import * as z from 'zod/mini'
import { callable } from '../callable.ts'
import {
  Count,
  Id,
  Latitude,
  Longitude,
  optionalText,
  orNull,
  Phone,
  Saved,
  text,
  TimeZone,
  Version,
  whole,
  write,
} from '../fields.ts'
import { anyOf, listInput, listOutput } from '../paging.ts'

export const placeKinds = [
  'meeting_point',
  'sight',
  'hotel',
  'restaurant',
  'airport',
  'viewpoint',
  'depot',
  'hospital',
  'camp',
  'other',
] as const

const fields = {
  name: text(120, 'place_unnamed'),
  kind: z.enum(placeKinds),
  lat: Latitude,
  lng: Longitude,
  address: optionalText(300),
  timeZone: TimeZone,
  phone: orNull(Phone),
  openingNote: optionalText(300),
}

export const Place = z.object({ id: Id, version: Version, ...fields, archivedAt: z.nullable(z.string()) })
export type Place = z.output<typeof Place>

/** Meters inside and outside which a person counts as there or gone. */
export const Geofence = z
  .object({ enterM: whole(20, 5000), exitM: whole(20, 10_000), dwellS: whole(0, 3600) })
  .check(z.refine((fence) => fence.enterM < fence.exitM, { path: ['exitM'], error: 'wider_radius' }))

const filters = { kind: anyOf(z.enum(placeKinds)), archived: z.optional(z.boolean()) }
const sortable = ['name', 'kind'] as const

export const listPlaces = callable({
  name: 'places-list',
  kind: 'read',
  permission: 'tours:read',
  summary: 'Places that stops, pickups and bases refer to.',
  input: listInput(filters, sortable),
  output: listOutput(Place),
  topics: ['places'],
})

/** Legs of an itinerary: it has at most 400 stops. */
const maxRoadPairs = 400

export const roadWays = callable({
  name: 'places-road-ways',
  kind: 'read',
  permission: 'tours:read',
  summary:
    'Ways between places by the router of the organization. Those that it was not asked for yet are asked for, at most eight seconds long; what is missing in the answer is not known yet.',
  input: z.object({
    mode: z.enum(['drive', 'walk']),
    pairs: z.array(z.object({ from: Id, to: Id })).check(z.maxLength(maxRoadPairs)),
  }),
  output: z.object({
    /** `none`: there is no router for this mode. `silent`: it was asked and answered nothing. */
    router: z.enum(['none', 'answers', 'silent']),
    ways: z.array(
      z.object({
        from: Id,
        to: Id,
        /** Null where the router knows no way. */
        way: z.nullable(z.object({ seconds: Count, meters: Count })),
      }),
    ),
  }),
  topics: ['org_settings'],
  rowTopics: ['places'],
})

export const createPlace = callable({
  name: 'places-create',
  kind: 'write',
  permission: 'tours:manage',
  summary: 'Adds a place.',
  input: write(fields),
  output: Saved,
  writes: ['places'],
})

export const updatePlace = callable({
  name: 'places-update',
  kind: 'write',
  permission: 'tours:manage',
  summary: 'Changes a place.',
  input: write({ id: Id, version: Version, ...fields }),
  output: Saved,
  writes: ['places'],
})

export const archivePlace = callable({
  name: 'places-archive',
  kind: 'write',
  permission: 'tours:manage',
  summary: 'Archives a place, or restores it.',
  input: write({ id: Id, version: Version, archived: z.boolean() }),
  output: Saved,
  writes: ['places'],
})
