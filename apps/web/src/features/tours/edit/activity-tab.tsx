import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { listAudit } from '@tour-ops/contract/audit/audit'
import { useState } from 'react'
import { refusalText } from '../../../errors/refusal-text.ts'
import { callQuery } from '../../../backend/queries.ts'
import { m } from '../../../paraglide/messages.js'
import { Button } from '../../../ui/button.tsx'
import { ErrorPanel } from '../../../ui/error-panel.tsx'
import { formatDayTime } from '../../../ui/format.ts'
import { ViewerZoneNote } from '../../../ui/zone-note.tsx'
import { SkeletonRows } from '../../../ui/skeleton.tsx'
import { actionText, changedText, isNotified } from './activity-text.ts'

const pageSize = 50

/** Who changed what of this tour, newest first. */
export function ActivityTab({ tourId }: { tourId: string }) {
  const [size, setSize] = useState(pageSize)
  const { data, error, refetch } = useQuery({
    ...callQuery(listAudit, { filters: { entityId: [tourId] }, size }),
    placeholderData: keepPreviousData,
  })
  if (error && !data) {
    return (
      <ErrorPanel message={refusalText(error)} requestId={error.details.requestId} onRetry={() => void refetch()} />
    )
  }
  if (!data) return <SkeletonRows rows={8} />
  return (
    <>
      <p className="mb-2 text-xs text-ink-2 empty:hidden">
        <ViewerZoneNote />
      </p>
      <ol className="card">
        {data.rows.map((entry) => (
          <li key={entry.id} className="border-b border-line px-4 py-2.5 last:border-0">
            <p className="flex flex-wrap items-baseline gap-x-2">
              <b className="font-medium text-ink-strong">{entry.actorName ?? m.tours_somebody()}</b>
              <span>{actionText(entry.action)}</span>
              <span className="num ms-auto text-ink-2">{formatDayTime(entry.at)}</span>
            </p>
            <ul className="text-xs break-words text-ink-2">
              {entry.changes.filter(isNotified).map((change) => (
                <li key={change.field}>{changedText(change)}</li>
              ))}
            </ul>
          </li>
        ))}
        {data.total > data.rows.length && (
          <li className="p-2 text-center">
            <Button variant="ghost" onClick={() => setSize(size + pageSize)}>
              {m.tours_older()}
            </Button>
          </li>
        )}
      </ol>
    </>
  )
}
