import type { Incident } from '@tour-ops/contract/monitoring/incidents'
import {
  addIncidentTask,
  completeIncidentTask,
  type IncidentTask,
  reopenIncidentTask,
} from '@tour-ops/contract/monitoring/incident-tasks'
import { Pencil, Plus, TriangleAlert } from 'lucide-react'
import { useRef, useState } from 'react'
import { useCall } from '../../backend/queries.ts'
import { refusalText } from '../../errors/refusal-text.ts'
import { useAccess } from '../../identity/access.ts'
import { m } from '../../paraglide/messages.js'
import { Button } from '../../ui/button.tsx'
import { Chip } from '../../ui/chip.tsx'
import { Box } from '../../ui/choice.tsx'
import { formatMoment } from '../../ui/format.ts'
import { IconButton } from '../../ui/icon-button.tsx'
import { toast } from '../../ui/toast.tsx'
import { useRemovedFocus } from '../../ui/use-removed-focus.ts'
import { isOver } from './incident-labels.ts'
import { suggestedTasks } from './suggested-tasks.ts'
import { TaskDialog } from './task-dialog.tsx'

const say = (error: unknown) => toast(refusalText(error))

interface TasksProps {
  incident: Incident
  /** Zone of the organization. */
  timeZone: string
  /** Milliseconds. */
  now: number
}

/** What has to be done, by whom and until when; the usual tasks of the category with one press. */
export function IncidentTasks({ incident, timeZone, now }: TasksProps) {
  const mayManage = useAccess().can('incidents:manage') && incident.status !== 'merged'
  const [edited, setEdited] = useState<IncidentTask | 'new' | null>(null)
  const addButton = useRef<HTMLButtonElement>(null)
  const removedFocus = useRemovedFocus(addButton)
  const { tasks, departure } = incident
  if (tasks.length === 0 && !mayManage) return null
  const done = tasks.filter(({ doneAt }) => doneAt !== null).length
  // an end is worked towards where the tour is; what was done is past, as the log tells it
  const zones = { due: departure?.timeZone ?? timeZone, done: timeZone }
  return (
    <section aria-label={m.monitoring_tasks()} className="border-b border-line" {...removedFocus}>
      <header className="flex flex-wrap items-center gap-x-3 gap-y-1 px-4 pt-4 pb-2 lg:px-6">
        <h3 className="font-semibold">{m.monitoring_tasks()}</h3>
        <span className="num text-ink-2">
          {tasks.length > 0 ? m.monitoring_tasks_done({ done, count: tasks.length }) : m.monitoring_tasks_none()}
        </span>
        {mayManage && (
          <Button ref={addButton} size="sm" icon={Plus} className="ms-auto" onClick={() => setEdited('new')}>
            {m.monitoring_task_add()}
          </Button>
        )}
      </header>
      {tasks.length > 0 && (
        <ul className="divide-y divide-line border-t border-line">
          {tasks.map((task) => (
            <TaskRow key={task.id} task={task} zones={zones} now={now} {...(mayManage && { onChange: setEdited })} />
          ))}
        </ul>
      )}
      {mayManage && !isOver(incident.status) && <Suggestions incident={incident} />}
      {edited && (
        <TaskDialog
          incidentId={incident.id}
          zone={zones.due}
          {...(edited !== 'new' && { task: edited })}
          onClose={() => setEdited(null)}
        />
      )}
    </section>
  )
}

interface TaskRowProps {
  task: IncidentTask
  zones: { readonly due: string; readonly done: string }
  now: number
  /** Absent for those who only read. */
  onChange?: (task: IncidentTask) => void
}

function TaskRow({ task, zones, now, onChange }: TaskRowProps) {
  const complete = useCall(completeIncidentTask, { onError: say })
  const reopen = useCall(reopenIncidentTask, { onError: say })
  const { id, version, text, assignee, dueAt, doneAt, doneByName } = task
  const isOverdue = doneAt === null && dueAt !== null && Date.parse(dueAt) <= now
  const mark = (isDone: boolean) => {
    // the box stays enabled, so that the focus stays on it
    if (!complete.isPending && !reopen.isPending) (isDone ? complete : reopen).mutate({ id, version })
  }
  return (
    <li className="flex items-start gap-3 px-4 py-2.5 lg:px-6">
      {onChange && <Box label={m.monitoring_task_done_named({ text })} checked={doneAt !== null} onChange={mark} />}
      <span className="min-w-0 grow">
        <span className={`block break-words ${doneAt ? 'text-ink-2 line-through' : 'text-ink-strong'}`}>{text}</span>
        <span className="block text-xs text-ink-2">
          {doneAt ? (
            m.monitoring_task_done_by({ time: formatMoment(doneAt, zones.done, now), name: doneByName ?? '' })
          ) : (
            <>
              <bdi>{assignee?.name ?? m.monitoring_task_nobody()}</bdi>
              {dueAt && !isOverdue && ` · ${m.monitoring_task_due_at({ time: formatMoment(dueAt, zones.due, now) })}`}
            </>
          )}
        </span>
        {isOverdue && (
          <span className="mt-1 block">
            <Chip tone="bad" icon={TriangleAlert}>
              {m.monitoring_task_overdue({ time: formatMoment(dueAt, zones.due, now) })}
            </Chip>
          </span>
        )}
      </span>
      {onChange && doneAt === null && (
        <IconButton
          small
          icon={Pencil}
          iconSize={16}
          label={m.monitoring_task_change_named({ text })}
          onClick={() => onChange(task)}
        />
      )}
    </li>
  )
}

function Suggestions({ incident: { id, category, tasks } }: Pick<TasksProps, 'incident'>) {
  const add = useCall(addIncidentTask, { onError: say })
  const present = new Set(tasks.map(({ text }) => text))
  const texts = suggestedTasks[category].map((text) => text()).filter((text) => !present.has(text))
  if (texts.length === 0) return null
  return (
    <ul
      aria-label={m.monitoring_tasks_suggested()}
      className="flex flex-wrap gap-1.5 border-t border-line px-4 pt-3 pb-4 lg:px-6"
    >
      {texts.map((text) => (
        <li key={text}>
          <button
            type="button"
            className="chip h-auto min-h-8 text-start whitespace-normal"
            aria-label={m.monitoring_task_add_named({ text })}
            onClick={() => {
              if (!add.isPending) add.mutate({ incidentId: id, text })
            }}
          >
            <Plus size={14} aria-hidden className="shrink-0" />
            {text}
          </button>
        </li>
      ))}
    </ul>
  )
}
