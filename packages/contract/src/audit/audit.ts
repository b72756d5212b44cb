import * as z from 'zod/mini'
import { callable } from '../callable.ts'
import { HistoryEntry } from '../departures/departures.ts'
import { CsvFile, LocalDate, OpaqueId } from '../fields.ts'
import { anyOf, exportInput, listInput, listOutput } from '../paging.ts'

export const auditFilters = {
  entityType: anyOf(z.string().check(z.maxLength(60))),
  entityId: anyOf(z.string().check(z.maxLength(128))),
  actorId: anyOf(OpaqueId),
  action: anyOf(z.string().check(z.maxLength(80))),
  /** Days of the organization, both included. */
  from: z.optional(LocalDate),
  to: z.optional(LocalDate),
}
const sortable = ['at', 'action', 'entityType'] as const

export const listAudit = callable({
  name: 'audit-list',
  kind: 'read',
  permission: 'audit:read',
  summary: 'Who changed what, newest first.',
  input: listInput(auditFilters, sortable),
  output: listOutput(z.object({ ...HistoryEntry.shape, requestId: z.nullable(z.string()) })),
  topics: ['members', 'org_settings'],
  rowTopics: ['tours'],
})

export const exportAudit = callable({
  name: 'audit-export',
  kind: 'read',
  permission: 'audit:read',
  summary: 'The filtered audit log as CSV.',
  input: exportInput(auditFilters, sortable),
  output: CsvFile,
  topics: [],
})
