import * as z from 'zod/mini'
import { callable } from '../callable.ts'
import { Id, Instant, Saved, text, Version, write } from '../fields.ts'
import { Area } from './areas.ts'

/** Of an organization, without archived ones. The database holds it too (migration 0350). */
export const maxNoGoAreas = 200

/** Longest name. */
export const maxAreaName = 80

const fields = { name: text(maxAreaName), area: Area }

export const NoGoArea = z.object({ id: Id, version: Version, ...fields, archivedAt: z.nullable(Instant) })
export type NoGoArea = z.output<typeof NoGoArea>

export const listNoGoAreas = callable({
  name: 'no-go-areas-list',
  kind: 'read',
  permission: 'tracking:read',
  summary:
    'Areas where nobody may go, by name; or the archived ones, the latest first. Guides see what is not archived.',
  input: z.object({ archived: z._default(z.boolean(), false) }),
  output: z.object({ areas: z.array(NoGoArea) }),
  topics: ['geofences'],
})

export const createNoGoArea = callable({
  name: 'no-go-areas-create',
  kind: 'write',
  permission: 'departures:dispatch',
  summary: 'Adds an area where nobody may go. Departures with a position in it have a critical alert.',
  input: write(fields),
  output: Saved,
  writes: ['geofences'],
})

export const updateNoGoArea = callable({
  name: 'no-go-areas-update',
  kind: 'write',
  permission: 'departures:dispatch',
  summary: 'Changes the name of a no-go area, or where it is.',
  input: write({ id: Id, version: Version, ...fields }),
  output: Saved,
  writes: ['geofences'],
})

export const archiveNoGoArea = callable({
  name: 'no-go-areas-archive',
  kind: 'write',
  permission: 'departures:dispatch',
  summary: 'Archives a no-go area, which ends its alerts, or restores it.',
  input: write({ id: Id, version: Version, archived: z.boolean() }),
  output: Saved,
  writes: ['geofences'],
})
