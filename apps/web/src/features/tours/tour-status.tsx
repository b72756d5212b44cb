import type { TourRow } from '@tour-ops/contract/tours/tours'
import { Archive, CircleCheck, PencilLine } from 'lucide-react'
import { m } from '../../paraglide/messages.js'
import { Calm, Flag } from '../../ui/chip.tsx'
import { tourStatusLabels } from './tour-labels.ts'

const icons = { draft: PencilLine, published: CircleCheck, archived: Archive }

export interface TourStatusProps {
  status: TourRow['status']
  /** A published tour has changes that are not published. */
  hasDraft: boolean
}

/** The status of a tour; neutral, since none of it is urgent. */
export function TourStatus({ status, hasDraft }: TourStatusProps) {
  return (
    <span className="inline-flex items-center gap-2">
      <Calm icon={icons[status]} tone={status === 'published' ? 'ok' : 'neutral'}>
        {tourStatusLabels[status]()}
      </Calm>
      {hasDraft && <Flag>{m.tours_has_draft()}</Flag>}
    </span>
  )
}
