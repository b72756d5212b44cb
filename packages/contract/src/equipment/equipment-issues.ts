import * as z from 'zod/mini'
import { callable } from '../callable.ts'
import { equipmentKinds } from './equipment-kinds.ts'
import { Count, Id, whole, write } from '../fields.ts'

/** Equipment that goes with a departure. */
export const IssuedEquipment = z.object({
  equipmentId: Id,
  name: z.string(),
  kind: z.enum(equipmentKinds),
  sizes: z.nullable(z.string()),
  quantity: Count,
})
export type IssuedEquipment = z.output<typeof IssuedEquipment>

/** A kind of equipment, for a departure that may take some of it along. */
export const AvailableEquipment = z.object({
  id: Id,
  name: z.string(),
  sizes: z.nullable(z.string()),
  quantity: Count,
  /** Pieces that no other departure has at that time. */
  free: Count,
})

export const listAvailableEquipment = callable({
  name: 'equipment-available',
  kind: 'read',
  permission: 'departures:dispatch',
  summary: 'Every kind of equipment with what is left of it while a departure is under way.',
  input: z.object({ departureId: Id }),
  output: z.object({ rows: z.array(AvailableEquipment) }),
  topics: ['equipment', 'equipment_issues'],
  rowTopics: ['departures'],
})

export const issueEquipment = callable({
  name: 'equipment-issue',
  kind: 'write',
  permission: 'departures:dispatch',
  summary:
    'Sets the quantity of each named kind of equipment issued to a departure; 0 removes it. More than is available at that time answers `aborted`, reason `equipment_short`, and nothing is changed.',
  input: write({
    departureId: Id,
    items: z.array(z.object({ equipmentId: Id, quantity: whole(0, 10_000) })).check(z.minLength(1), z.maxLength(200)),
  }),
  output: z.object({ departureId: Id }),
  writes: ['equipment_issues'],
})
