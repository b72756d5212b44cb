import type { ReactNode } from 'react'
import { FirstStep } from '../../records/first-step.tsx'
import { m } from '../../paraglide/messages.js'
import { Empty } from '../../ui/empty.tsx'

/** An organization without field staff: what this screen is for, and the first person as the step to it. */
export const NobodyYet = ({ children = m.field_staff_empty_text() }: { children?: ReactNode }) => (
  <Empty
    title={m.field_staff_empty_title()}
    actions={
      <FirstStep permission="staff:manage" link={{ to: '/field-staff/create' }}>
        {m.field_staff_first()}
      </FirstStep>
    }
  >
    {children}
  </Empty>
)
