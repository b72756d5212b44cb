import * as z from 'zod/mini'
import { callable } from '../callable.ts'
import { Count, Id, write } from '../fields.ts'
import type { Role } from '../identity/access.ts'

/** Files of one incident at the same time. */
export const maxIncidentFiles = 100

/** They remove the files of others as well. */
export const incidentFileManagers: readonly Role[] = ['admin', 'operations_manager']

/** A photo or document in the log; the name is the text of its line. */
export const IncidentFile = z.object({
  id: Id,
  /** Bytes. */
  size: Count,
  /** MIME type by content; images have the sizes of `fileUses.incident_file`. */
  contentType: z.string(),
  /** Whether the reader may remove it. */
  mayRemove: z.boolean(),
})
export type IncidentFile = z.output<typeof IncidentFile>

export const addIncidentFile = callable({
  name: 'incident-files-add',
  kind: 'write',
  permission: 'incidents:manage',
  summary:
    'Adds a file that the caller has uploaded for it to an incident, as a line of its log. The same file again changes nothing.',
  input: write({ incidentId: Id, fileId: Id }),
  output: z.object({ id: Id }),
  writes: ['deliveries', 'incident_entries', 'messages'],
})

export const removeIncidentFile = callable({
  name: 'incident-files-remove',
  kind: 'write',
  permission: 'incidents:manage',
  summary:
    'Removes a file from an incident for good, by the line that added it; another line says so. For who added it, and for managers.',
  input: write({ id: Id }),
  output: z.object({ id: Id }),
  writes: ['deliveries', 'files', 'incident_entries', 'messages'],
})
