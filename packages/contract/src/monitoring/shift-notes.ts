import * as z from 'zod/mini'
import { callable } from '../callable.ts'
import { Id, Instant, Saved, text, Version, write } from '../fields.ts'

/** What the outgoing shift writes for the incoming one. */
export const ShiftNote = z.object({
  id: Id,
  version: Version,
  text: z.string(),
  writtenAt: Instant,
  writtenByName: z.nullable(z.string()),
  /** Null until somebody confirms having read it. */
  acknowledgedAt: z.nullable(Instant),
  acknowledgedByName: z.nullable(z.string()),
})
export type ShiftNote = z.output<typeof ShiftNote>

export const writeShiftNote = callable({
  name: 'shift-notes-write',
  kind: 'write',
  permission: 'alerts:manage',
  summary: 'Leaves a note for the next shift; it replaces the previous one.',
  input: write({ text: text(2000, 'text_missing') }),
  output: Saved,
  writes: ['shift_notes'],
})

export const acknowledgeShiftNote = callable({
  name: 'shift-notes-acknowledge',
  kind: 'write',
  permission: 'alerts:manage',
  summary: 'Confirms that the note of the previous shift has been read.',
  input: write({ id: Id, version: Version }),
  output: Saved,
  writes: ['shift_notes'],
})
