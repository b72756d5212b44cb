import { acknowledgeShiftNote, type ShiftNote, writeShiftNote } from '@tour-ops/contract/monitoring/shift-notes'
import { sql } from 'kysely'
import type { MemberCall } from '../../context.ts'
import { newId } from '../../platform/ids.ts'
import { iso, isoOrNull } from '../../platform/list-query.ts'
import { type Verb, verb } from '../../platform/verb.ts'
import { updateVersioned } from '../../platform/version-conflict.ts'

interface NoteRow extends Omit<ShiftNote, 'writtenAt' | 'acknowledgedAt'> {
  writtenAt: Date
  acknowledgedAt: Date | null
}

/** A note that was read longer ago than this is of a shift that is no longer of interest. */
const shownAfterReading = sql`interval '12 hours'`

/** The newest note, for as long as it concerns the people who are there; null when there is none. */
export async function selectShiftNote({ tx, orgId }: MemberCall): Promise<ShiftNote | null> {
  const { rows } = await sql<NoteRow>`
    select n.id, n.version, n.text, n.written_at as "writtenAt", w.name as "writtenByName", n.acknowledged_at as "acknowledgedAt",
      r.name as "acknowledgedByName"
    from (select * from shift_notes where org_id = ${orgId} order by written_at desc, id desc limit 1) n
      left join members w on w.org_id = n.org_id and w.user_id = n.written_by
      left join members r on r.org_id = n.org_id and r.user_id = n.acknowledged_by
    where n.acknowledged_at is null or n.acknowledged_at > app_now() - ${shownAfterReading}`.execute(tx)
  const note = rows[0]
  return note ? { ...note, writtenAt: iso(note.writtenAt), acknowledgedAt: isoOrNull(note.acknowledgedAt) } : null
}

const leave = verb(writeShiftNote, async (call, { text }) => {
  const { rows } = await sql<{ id: string; version: number }>`
    insert into shift_notes (org_id, id, text, written_by) values (${call.orgId}, ${newId()}, ${text}, ${call.caller.userId})
    returning id, version`.execute(call.tx)
  return rows[0] as { id: string; version: number }
})

/** The first person to confirm stays recorded as the reader. */
const acknowledge = verb(acknowledgeShiftNote, (call, target) =>
  updateVersioned(
    call.tx,
    'shift_notes',
    { orgId: call.orgId, ...target },
    sql`acknowledged_by = coalesce(acknowledged_by, ${call.caller.userId}), acknowledged_at = coalesce(acknowledged_at, app_now())`,
  ),
)

export const shiftNoteVerbs: Verb[] = [leave, acknowledge]
