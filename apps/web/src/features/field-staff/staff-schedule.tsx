import { useQuery } from '@tanstack/react-query'
import { addLeave, type CalendarBlock, removeLeave, staffPlanner } from '@tour-ops/contract/field-staff/staff-planner'
import { CalendarOff } from 'lucide-react'
import { useState } from 'react'
import { DepartureLink } from '../../records/departure-link.tsx'
import { useToday } from '../../app/shell/today.ts'
import { entryProblem, refusalText } from '../../errors/refusal-text.ts'
import { callQuery, useCall } from '../../backend/queries.ts'
import { useAccess } from '../../identity/access.ts'
import { m } from '../../paraglide/messages.js'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Empty } from '../../ui/empty.tsx'
import { DateTimeInput } from '../../ui/date-field.tsx'
import { Field, Select, TextInput } from '../../ui/field.tsx'
import { formatSpan } from '../../ui/format-span.ts'
import { Ltr } from '../../ui/ltr.tsx'
import { SkeletonRows } from '../../ui/skeleton.tsx'
import { toast } from '../../ui/toast.tsx'
import { formatZone } from '../../ui/format.ts'
import { momentOfWall } from '../../ui/wall-time.ts'
import { ZoneNote } from '../../ui/zone-note.tsx'
import { answerLabels, roleLabels } from './staff-labels.ts'

const daysAhead = 28
const leaveKinds = ['time_off', 'training', 'external_busy'] as const
const leaveLabels = {
  time_off: m.field_staff_leave,
  training: m.field_staff_training,
  external_busy: m.field_staff_busy,
}

/** Four weeks of one person: departures, offers, leave. */
export function StaffSchedule({ staffId }: { staffId: string }) {
  const { can } = useAccess()
  const from = useToday()
  const { data } = useQuery(callQuery(staffPlanner, { from, days: daysAhead, staffId: [staffId] }))
  if (!data) return <SkeletonRows rows={5} />
  const blocks = data.blocks.toSorted((a, b) => a.startsAt.localeCompare(b.startsAt))
  return (
    <div>
      {blocks.length === 0 ? (
        <Empty title={m.field_staff_schedule_empty()} />
      ) : (
        <ul className="divide-y divide-line">
          {blocks.map((block) => (
            <ScheduleRow key={block.id} block={block} timeZone={data.timeZone} mayRemove={can('staff:manage')} />
          ))}
        </ul>
      )}
      {can('staff:manage') && <AddLeave staffId={staffId} zone={data.timeZone} />}
    </div>
  )
}

function ScheduleRow({ block, timeZone, mayRemove }: { block: CalendarBlock; timeZone: string; mayRemove: boolean }) {
  const remove = useCall(removeLeave, { onSuccess: () => toast(m.field_staff_leave_saved()) })
  const { assignment } = block
  const zone = assignment?.timeZone ?? timeZone
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-1 px-4 py-2.5">
      <span className="min-w-[210px]">
        <Ltr className="font-semibold text-ink-strong">{formatSpan(block.startsAt, block.endsAt, zone)}</Ltr>{' '}
        <ZoneNote moment={block.startsAt} zone={zone} />
      </span>
      {assignment ? (
        <>
          <DepartureLink id={assignment.departureId} className="link">
            {assignment.tourName}
          </DepartureLink>
          <span className="text-ink-2">
            {roleLabels[assignment.role]()} · {answerLabels[assignment.status]()}
          </span>
        </>
      ) : (
        <>
          <span>
            {block.kind in leaveLabels ? leaveLabels[block.kind as keyof typeof leaveLabels]() : m.field_staff_rest()}
          </span>
          <span className="text-ink-2">{block.note}</span>
          {mayRemove && block.kind in leaveLabels && (
            <Button size="sm" pending={remove.isPending} onClick={() => remove.mutate({ id: block.id })}>
              {m.field_staff_leave_remove()}
            </Button>
          )}
        </>
      )}
    </li>
  )
}

/** `zone`: of the times that are typed, the one that the calendar above shows leave in. */
function AddLeave({ staffId, zone }: { staffId: string; zone: string }) {
  const [isOpen, setOpen] = useState(false)
  const [entry, setEntry] = useState({ kind: 'time_off' as (typeof leaveKinds)[number], from: '', to: '', note: '' })
  const add = useCall(addLeave, {
    onSuccess: () => {
      setOpen(false)
      toast(m.field_staff_leave_saved())
    },
  })
  const startsAt = momentOfWall(entry.from, zone)
  const endsAt = momentOfWall(entry.to, zone)
  const send = () =>
    startsAt && endsAt && add.mutate({ staffId, kind: entry.kind, startsAt, endsAt, note: entry.note || null })
  const problem = entryProblem(add.error, 'endsAt')
  return (
    <div className="border-t border-line p-4">
      <Button icon={CalendarOff} onClick={() => setOpen(true)}>
        {m.field_staff_add_leave()}
      </Button>
      <Dialog
        open={isOpen}
        onClose={() => setOpen(false)}
        title={m.field_staff_add_leave()}
        description={m.field_staff_leave_zone({ zone: formatZone(zone) })}
        actions={
          <Button variant="primary" disabled={!startsAt || !endsAt} pending={add.isPending} onClick={send}>
            {m.field_staff_add_leave()}
          </Button>
        }
      >
        <div className="grid gap-4">
          {add.error && !problem && (
            <p role="alert" className="font-medium text-bad">
              {m.field_staff_refused({ reason: refusalText(add.error) })}
            </p>
          )}
          <Field label={m.field_staff_leave_kind()}>
            <Select
              value={entry.kind}
              onChange={(event) => setEntry({ ...entry, kind: event.target.value as (typeof leaveKinds)[number] })}
              options={leaveKinds.map((value) => ({ value, label: leaveLabels[value]() }))}
            />
          </Field>
          <Field label={m.field_staff_leave_from()}>
            <DateTimeInput value={entry.from} onChange={(from) => setEntry({ ...entry, from })} />
          </Field>
          <Field label={m.field_staff_leave_to()} error={problem}>
            <DateTimeInput value={entry.to} onChange={(to) => setEntry({ ...entry, to })} />
          </Field>
          <Field label={m.field_staff_leave_note()}>
            <TextInput
              value={entry.note}
              maxLength={300}
              onChange={(event) => setEntry({ ...entry, note: event.target.value })}
            />
          </Field>
        </div>
      </Dialog>
    </div>
  )
}
