import { useQuery } from '@tanstack/react-query'
import type { Out } from '@tour-ops/contract/callable'
import { declineAssignment, listAssignments } from '@tour-ops/contract/field-staff/assignments'
import { brokenRuleText } from './fit-labels.ts'
import { useAccepting } from './use-accepting.tsx'
import { refusalText } from '../../errors/refusal-text.ts'
import { DepartureLink } from '../../records/departure-link.tsx'
import { callQuery, useCall } from '../../backend/queries.ts'
import { useAccess } from '../../identity/access.ts'
import { m } from '../../paraglide/messages.js'
import { Button } from '../../ui/button.tsx'
import { Empty } from '../../ui/empty.tsx'
import { formatDay, formatList, formatTimeThere } from '../../ui/format.ts'
import { Ltr } from '../../ui/ltr.tsx'
import { SkeletonRows } from '../../ui/skeleton.tsx'
import { answerLabels, roleLabels } from './staff-labels.ts'

type Assignment = Out<typeof listAssignments>['rows'][number]

/** The last hundred assignments of a person, newest first; open offers are answered here. */
export function StaffAssignments({ staffId }: { staffId: string }) {
  const { data } = useQuery(callQuery(listAssignments, { filters: { staffId: [staffId] }, size: 100 }))
  if (!data) return <SkeletonRows rows={5} />
  if (data.rows.length === 0) return <Empty title={m.field_staff_assignments_empty()} />
  return (
    <ul className="divide-y divide-line">
      {data.rows.map((assignment) => (
        <AssignmentRow key={assignment.id} assignment={assignment} />
      ))}
    </ul>
  )
}

function AssignmentRow({ assignment }: { assignment: Assignment }) {
  const { can, has } = useAccess()
  const accepting = useAccepting()
  const decline = useCall(declineAssignment)
  const mayAnswer = can('departures:dispatch') || has({ role: 'guide' })
  const refusal = accepting.refusal ?? (decline.error && refusalText(decline.error))
  const { id, version } = assignment
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-1 px-4 py-2.5">
      <span className="min-w-[120px]">
        <Ltr className="font-semibold text-ink-strong">{formatTimeThere(assignment.startsAt, assignment.timeZone)}</Ltr>{' '}
        <span className="text-ink-2">{formatDay(assignment.startsAt, assignment.timeZone)}</span>
      </span>
      <DepartureLink id={assignment.departureId} className="link">
        {assignment.tourName}
      </DepartureLink>
      <span className="text-ink-2">
        {roleLabels[assignment.role]()} · {answerLabels[assignment.status]()}
      </span>
      {assignment.overrideReason && (
        <span className="w-full text-xs text-ink-2">
          {m.field_staff_overridden({
            rules: formatList(assignment.brokenRules.map(brokenRuleText)),
            reason: assignment.overrideReason,
          })}
        </span>
      )}
      {assignment.status === 'offered' && mayAnswer && (
        <span className="ms-auto flex gap-2">
          <Button size="sm" pending={decline.isPending} onClick={() => decline.mutate({ id, version, reason: null })}>
            {m.field_staff_decline()}
          </Button>
          <Button size="sm" pending={accepting.isPending} onClick={() => accepting.accept({ id, version })}>
            {m.field_staff_accept()}
          </Button>
        </span>
      )}
      {refusal && (
        <p role="alert" className="w-full font-medium text-bad">
          {m.field_staff_refused({ reason: refusal })}
        </p>
      )}
      {accepting.question}
    </li>
  )
}
