import { useQuery } from '@tanstack/react-query'
import { linkOptions } from '@tanstack/react-router'
import { listFieldStaff } from '@tour-ops/contract/field-staff/field-staff'
import { callQuery } from '../../../backend/queries.ts'
import { m } from '../../../paraglide/messages.js'
import { FirstStep } from '../../../records/first-step.tsx'
import { Empty } from '../../../ui/empty.tsx'
import { SkeletonRows } from '../../../ui/skeleton.tsx'
import { NobodyYet } from '../nobody-yet.tsx'

/** Where there is nobody at all, the first step is a person; else it is a plan, after which duties begin by themselves. */
export function NobodyOnDuty() {
  const { data } = useQuery(callQuery(listFieldStaff, { size: 1 }))
  if (!data) return <SkeletonRows rows={2} />
  if (data.total === 0) return <NobodyYet>{m.field_staff_tracking_none()}</NobodyYet>
  return (
    <Empty
      title={m.field_staff_tracking_empty()}
      actions={
        <FirstStep
          permission="staff:read"
          link={linkOptions({ to: '/field-staff/list', search: { show: 'planner' } })}
          isMain={false}
        >
          {m.field_staff_tracking_plan()}
        </FirstStep>
      }
    >
      {m.field_staff_tracking_empty_text()}
    </Empty>
  )
}
