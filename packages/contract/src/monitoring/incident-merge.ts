import * as z from 'zod/mini'
import { callable } from '../callable.ts'
import { Id, Saved, Version, write } from '../fields.ts'

export const mergeIncident = callable({
  name: 'incidents-merge',
  kind: 'write',
  permission: 'incidents:manage',
  summary:
    'Merges an open incident into another open one: affected people, tasks, alerts and messages go over, and it is over for good.',
  input: write({ id: Id, version: Version, intoId: Id }),
  output: Saved,
  writes: [
    'alerts',
    'deliveries',
    'incident_entries',
    'incident_tasks',
    'incident_travelers',
    'incidents',
    'messages',
    'roll_calls',
  ],
})

/** The number and id of another incident, as a link to it. */
export const IncidentRef = z.object({ id: Id, number: z.string() })
export type IncidentRef = z.output<typeof IncidentRef>
