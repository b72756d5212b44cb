import { useQuery } from '@tanstack/react-query'
import { listMembers } from '@tour-ops/contract/members/members'
import {
  addIncidentTask,
  changeIncidentTask,
  type IncidentTask,
  removeIncidentTask,
  taskAssigneeRoles,
} from '@tour-ops/contract/monitoring/incident-tasks'
import { useId, useState, type FormEvent } from 'react'
import { callQuery, useCall } from '../../backend/queries.ts'
import { entryProblem, refusalText } from '../../errors/refusal-text.ts'
import { m } from '../../paraglide/messages.js'
import { Button } from '../../ui/button.tsx'
import { DateInput, TimeInput } from '../../ui/date-field.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Field, Select, TextInput } from '../../ui/field.tsx'
import { formatZone } from '../../ui/format.ts'
import { momentOfWall, wallTimeOf } from '../../ui/wall-time.ts'

interface TaskDialogProps {
  incidentId: string
  /** Of the time that is typed. */
  zone: string
  /** What is changed; absent for a new one. */
  task?: IncidentTask
  onClose: () => void
}

/** Adds a task to an incident, changes it or removes it. */
export function TaskDialog({ incidentId, zone, task, onClose }: TaskDialogProps) {
  const formId = useId()
  const [text, setText] = useState(task?.text ?? '')
  const [assigneeId, setAssigneeId] = useState(task?.assignee?.userId ?? '')
  const [[date = '', time = ''], setDue] = useState(task?.dueAt ? wallTimeOf(task.dueAt, zone).split('T') : [])
  const [isDueWrong, setDueWrong] = useState(false)
  const add = useCall(addIncidentTask, { onSuccess: onClose })
  const change = useCall(changeIncidentTask, { onSuccess: onClose })
  const remove = useCall(removeIncidentTask, { onSuccess: onClose })
  const isPending = add.isPending || change.isPending || remove.isPending
  const error = add.error ?? change.error ?? remove.error
  const problem = entryProblem(error, 'assigneeId')
  const send = (event: FormEvent) => {
    event.preventDefault()
    if (isPending || text.trim() === '') return
    const dueAt = momentOfWall(`${date}T${time}`, zone)
    // half of it, or what is neither date nor time, must not silently become "without end"
    const isWrong = dueAt === null && `${date}${time}` !== ''
    setDueWrong(isWrong)
    if (isWrong) return
    const values = { text, assigneeId: assigneeId || null, dueAt }
    remove.reset()
    if (task) change.mutate({ id: task.id, version: task.version, ...values })
    else add.mutate({ incidentId, ...values })
  }
  return (
    <Dialog
      open
      onClose={onClose}
      title={task ? m.monitoring_task_change() : m.monitoring_task_add()}
      locked={isPending}
      actions={
        <>
          {task && (
            <Button
              variant="ghost"
              className="me-auto"
              disabled={isPending}
              onClick={() => remove.mutate({ id: task.id, version: task.version })}
            >
              {m.monitoring_task_remove()}
            </Button>
          )}
          <Button onClick={onClose} disabled={isPending}>
            {m.ui_cancel()}
          </Button>
          <Button
            type="submit"
            form={formId}
            variant="primary"
            pending={isPending}
            disabledReason={text.trim() === '' ? m.monitoring_task_text_first() : undefined}
          >
            {task ? m.ui_form_save() : m.monitoring_task_add()}
          </Button>
        </>
      }
    >
      <form id={formId} className="grid gap-4" onSubmit={send}>
        {error && !problem && (
          <p role="alert" className="font-medium text-bad">
            {refusalText(error)}
          </p>
        )}
        <Field label={m.monitoring_task_text()} required>
          <TextInput value={text} maxLength={200} onChange={(event) => setText(event.target.value)} />
        </Field>
        <AssigneeField value={assigneeId} task={task} problem={problem} onChange={setAssigneeId} />
        <Field
          label={m.monitoring_task_due()}
          hint={m.monitoring_task_due_zone({ zone: formatZone(zone) })}
          error={isDueWrong ? m.ui_date_time_both() : undefined}
        >
          <span className="grid grid-cols-[minmax(0,1fr)_112px] items-start gap-1.5">
            <DateInput passText value={date} onChange={(next) => setDue([next, time])} />
            <TimeInput passText partLabel={m.ui_time()} value={time} onChange={(next) => setDue([date, next])} />
          </span>
        </Field>
      </form>
    </Dialog>
  )
}

/** People of an office; who is not among them is found by nobody in a list. */
const maxPeople = 200

interface AssigneeFieldProps {
  value: string
  task: IncidentTask | undefined
  problem: string | undefined
  onChange: (userId: string) => void
}

function AssigneeField({ value, task, problem, onChange }: AssigneeFieldProps) {
  const { data } = useQuery(
    callQuery(listMembers, {
      filters: { kind: ['member'], status: ['active'], role: [...taskAssigneeRoles] },
      sort: [{ by: 'name' }],
      size: maxPeople,
    }),
  )
  const people = new Map((data?.rows ?? []).map(({ id, name, email }) => [id, name ?? email ?? id]))
  // who has it already stays in the list, also when they are suspended meanwhile
  if (task?.assignee) people.set(task.assignee.userId, task.assignee.name)
  return (
    <Field label={m.monitoring_task_assignee()} error={problem}>
      <Select
        value={value}
        placeholder={m.monitoring_task_nobody()}
        options={[...people].map(([userId, name]) => ({ value: userId, label: name }))}
        onChange={(event) => onChange(event.target.value)}
      />
    </Field>
  )
}
