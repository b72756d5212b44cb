import { fieldError } from '@tour-ops/contract/field-rules'
import {
  addIncidentTask,
  changeIncidentTask,
  completeIncidentTask,
  type IncidentTask,
  removeIncidentTask,
  reopenIncidentTask,
  taskAssigneeRoles,
} from '@tour-ops/contract/monitoring/incident-tasks'
import { refuse } from '@tour-ops/contract/refusals'
import { type RawBuilder, sql } from 'kysely'
import type { MemberCall } from '../../context.ts'
import { newId } from '../../platform/ids.ts'
import { isoOrNull } from '../../platform/list-query.ts'
import { selectMemberName } from '../../platform/select-member-name.ts'
import { notFound, requireVersion } from '../../platform/optimistic-lock.ts'
import { type Verb, verb } from '../../platform/verb.ts'
import { addEntry, lockIncident } from './incident-log.ts'
import { tellOfIncident } from './incident-notice.ts'

type TaskRow = Omit<IncidentTask, 'assignee' | 'dueAt' | 'doneAt'> & {
  assigneeId: string | null
  assigneeName: string | null
  dueAt: Date | null
  doneAt: Date | null
}

/** The tasks of an incident, in the order in which they were added, so that no row moves when its box is ticked. */
export async function selectTasks(call: MemberCall, incidentId: string): Promise<IncidentTask[]> {
  const { rows } = await sql<TaskRow>`
    select t.id, t.version, t.text, t.assignee_id as "assigneeId", a.name as "assigneeName", t.due_at as "dueAt", t.done_at as "doneAt",
      d.name as "doneByName"
    from incident_tasks t
    left join members a on a.org_id = t.org_id and a.user_id = t.assignee_id
    left join members d on d.org_id = t.org_id and d.user_id = t.done_by
    where t.org_id = ${call.orgId} and t.incident_id = ${incidentId}
    order by t.created_at, t.id`.execute(call.tx)
  return rows.map(({ assigneeId, assigneeName, dueAt, doneAt, ...task }) => ({
    ...task,
    assignee: assigneeId === null ? null : { userId: assigneeId, name: assigneeName ?? '' },
    dueAt: isoOrNull(dueAt),
    doneAt: isoOrNull(doneAt),
  }))
}

/** How many tasks of an incident are open. */
export async function countOpenTasks(call: MemberCall, incidentId: string): Promise<number> {
  const { rows } = await sql<{ open: number }>`select count(*)::int as open from incident_tasks
    where org_id = ${call.orgId} and incident_id = ${incidentId} and done_at is null`.execute(call.tx)
  return rows[0]?.open ?? 0
}

async function requireAssignee(call: MemberCall, userId: string | null): Promise<void> {
  if (userId === null) return
  const { rows } = await sql`
    select from members where org_id = ${call.orgId} and user_id = ${userId} and status = 'active' and role = any (${[...taskAssigneeRoles]}::text[])`.execute(
    call.tx,
  )
  if (rows.length === 0) throw fieldError('assigneeId', 'assignee_unknown')
}

const add = verb(addIncidentTask, async (call, { incidentId, text, assigneeId, dueAt }) => {
  await lockIncident(call, incidentId)
  await requireAssignee(call, assigneeId)
  const id = newId()
  await sql`
    insert into incident_tasks (org_id, id, incident_id, text, assignee_id, due_at, created_by)
    values (${call.orgId}, ${id}, ${incidentId}, ${text}, ${assigneeId}, ${dueAt}, ${call.caller.userId})`.execute(
    call.tx,
  )
  return { id, version: 1 }
})

interface LockedTask {
  version: number
  incidentId: string
  text: string
  assigneeId: string | null
  doneBy: string | null
}

async function lockTask(call: MemberCall, id: string): Promise<LockedTask> {
  const { rows } = await sql<LockedTask>`
    select version, incident_id as "incidentId", text, assignee_id as "assigneeId", done_by as "doneBy" from incident_tasks
    where org_id = ${call.orgId} and id = ${id} for update`.execute(call.tx)
  if (!rows[0]) throw notFound('record')
  return rows[0]
}

/** @throws AppError `aborted`: somebody else has done it, which is said before the difference of versions that it makes. */
async function lockOpenTask(call: MemberCall, id: string, version: number): Promise<LockedTask> {
  const task = await lockTask(call, id)
  if (task.doneBy !== null) {
    // a statement of its own: one that waited for the lock would join the row as it was before
    throw refuse('task_done_already', { name: await selectMemberName(call, task.doneBy) })
  }
  requireVersion(task, version, 'record')
  return task
}

async function updateTask(
  call: MemberCall,
  id: string,
  set: RawBuilder<unknown>,
): Promise<{ id: string; version: number }> {
  const { rows } = await sql<{ id: string; version: number }>`
    update incident_tasks set ${set} where org_id = ${call.orgId} and id = ${id} returning id, version`.execute(call.tx)
  if (!rows[0]) throw notFound('record')
  return rows[0]
}

const change = verb(changeIncidentTask, async (call, { id, version, text, assigneeId, dueAt }) => {
  const task = await lockOpenTask(call, id, version)
  // who has it already may stay, also when they are suspended meanwhile
  if (assigneeId !== task.assigneeId) await requireAssignee(call, assigneeId)
  return updateTask(call, id, sql`text = ${text}, assignee_id = ${assigneeId}, due_at = ${dueAt}`)
})

const complete = verb(completeIncidentTask, async (call, { id, version }) => {
  const { incidentId, text } = await lockOpenTask(call, id, version)
  await addEntry(call, incidentId, 'task_done', text)
  await tellOfIncident(call, incidentId, { kind: 'task_done' })
  return updateTask(call, id, sql`done_at = app_now(), done_by = ${call.caller.userId}`)
})

const reopen = verb(reopenIncidentTask, async (call, { id, version }) => {
  const task = await lockTask(call, id)
  requireVersion(task, version, 'record')
  if (task.doneBy === null) return { id, version }
  await addEntry(call, task.incidentId, 'task_reopened', task.text)
  await tellOfIncident(call, task.incidentId, { kind: 'task_reopened' })
  return updateTask(call, id, sql`done_at = null, done_by = null`)
})

const remove = verb(removeIncidentTask, async (call, { id, version }) => {
  const { incidentId, text } = await lockOpenTask(call, id, version)
  await addEntry(call, incidentId, 'task_removed', text)
  await tellOfIncident(call, incidentId, { kind: 'task_removed' })
  await sql`delete from incident_tasks where org_id = ${call.orgId} and id = ${id}`.execute(call.tx)
  return { id }
})

export const incidentTaskVerbs: Verb[] = [add, change, complete, reopen, remove]
