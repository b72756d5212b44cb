import * as z from 'zod/mini'
import { callable } from '../callable.ts'
import { ById, Id } from '../fields.ts'
import { dietaryNeeds, mobilityNeeds } from '../travelers/needs.ts'

/** Somebody who is affected, with what helpers and relatives have to be told. */
export const AffectedPerson = z.object({
  id: Id,
  name: z.string(),
  phone: z.nullable(z.string()),
  dietary: z.array(z.enum(dietaryNeeds)),
  dietaryNote: z.nullable(z.string()),
  mobility: z.enum(mobilityNeeds),
  mobilityNote: z.nullable(z.string()),
  emergencyContact: z.nullable(z.object({ name: z.string(), relation: z.nullable(z.string()), phone: z.string() })),
  /** That there is one; it is read on the traveler's page, where each look is recorded. */
  hasMedicalNote: z.boolean(),
})
export type AffectedPerson = z.output<typeof AffectedPerson>

export const incidentPeople = callable({
  name: 'incidents-people',
  kind: 'read',
  permission: 'monitoring:read',
  summary: 'The affected people of an incident for its printed report. Needs the permission to read travelers as well.',
  input: ById,
  output: z.object({ people: z.array(AffectedPerson) }),
  topics: ['incident_travelers', 'manifest_entries', 'traveler_private'],
  rowTopics: ['incidents', 'travelers'],
})
