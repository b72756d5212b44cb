import * as z from 'zod/mini'
import { callable } from '../callable.ts'
import { grants, type Role, roles } from '../identity/access.ts'
import { Id, Instant, OpaqueId, orNull, Saved, text, Version, write } from '../fields.ts'

/** What has to be done about an incident. */
export const IncidentTask = z.object({
  id: Id,
  version: Version,
  text: z.string(),
  /** Null while it is nobody's. */
  assignee: z.nullable(z.object({ userId: OpaqueId, name: z.string() })),
  dueAt: z.nullable(Instant),
  /** Null while it is open, as the name is. */
  doneAt: z.nullable(Instant),
  doneByName: z.nullable(z.string()),
})
export type IncidentTask = z.output<typeof IncidentTask>

/** Whoever gets a task must be able to read it. */
export const taskAssigneeRoles: readonly Role[] = roles.filter((role) => grants[role]['monitoring:read'] === 'all')

const taskFields = {
  text: text(200, 'text_missing'),
  assigneeId: orNull(OpaqueId),
  dueAt: orNull(Instant),
}

export const addIncidentTask = callable({
  name: 'incident-tasks-add',
  kind: 'write',
  permission: 'incidents:manage',
  summary: 'Adds a task to an incident, for an active member who may read incidents, or for nobody yet.',
  input: write({ incidentId: Id, ...taskFields }),
  output: Saved,
  writes: ['incident_tasks'],
})

export const changeIncidentTask = callable({
  name: 'incident-tasks-change',
  kind: 'write',
  permission: 'incidents:manage',
  summary: 'Changes what a task is, whose, and until when.',
  input: write({ id: Id, version: Version, ...taskFields }),
  output: Saved,
  writes: ['incident_tasks'],
})

export const completeIncidentTask = callable({
  name: 'incident-tasks-complete',
  kind: 'write',
  permission: 'incidents:manage',
  summary: 'Marks a task as done, with an entry in the log. Whoever comes second is told who was first.',
  input: write({ id: Id, version: Version }),
  output: Saved,
  writes: ['deliveries', 'incident_entries', 'incident_tasks', 'messages'],
})

export const reopenIncidentTask = callable({
  name: 'incident-tasks-reopen',
  kind: 'write',
  permission: 'incidents:manage',
  summary: 'Makes a task that was done open again, with an entry in the log.',
  input: write({ id: Id, version: Version }),
  output: Saved,
  writes: ['deliveries', 'incident_entries', 'incident_tasks', 'messages'],
})

export const removeIncidentTask = callable({
  name: 'incident-tasks-remove',
  kind: 'write',
  permission: 'incidents:manage',
  summary: 'Removes an open task that is not needed, with an entry in the log.',
  input: write({ id: Id, version: Version }),
  output: z.object({ id: Id }),
  writes: ['deliveries', 'incident_entries', 'incident_tasks', 'messages'],
})
