import type { FitReason } from '@tour-ops/contract/field-staff/assignments'
import { Check, TriangleAlert } from 'lucide-react'
import { classNames } from '../../ui/class-names.ts'
import { fitReasonText } from './fit-labels.ts'

/** What speaks for and against somebody, line by line. */
export const FitReasons = ({ reasons }: { reasons: readonly FitReason[] }) => (
  <ul>
    {reasons.map((reason) => (
      <li
        key={reason.reason}
        className={classNames('flex items-start gap-1.5', reason.ok ? 'text-ink-2' : 'text-warn')}
      >
        {reason.ok ? (
          <Check size={14} className="mt-[3px] shrink-0" aria-hidden />
        ) : (
          <TriangleAlert size={14} className="mt-[3px] shrink-0" aria-hidden />
        )}
        {fitReasonText(reason)}
      </li>
    ))}
  </ul>
)
