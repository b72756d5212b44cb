import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { type Departure, departureHistory, type HistoryEntry } from '@tour-ops/contract/departures/departures'
import { useState } from 'react'
import { refusalText } from '../../errors/refusal-text.ts'
import { callQuery } from '../../backend/queries.ts'
import { useAccess } from '../../identity/access.ts'
import { m } from '../../paraglide/messages.js'
import { Button } from '../../ui/button.tsx'
import { Empty } from '../../ui/empty.tsx'
import { ErrorPanel } from '../../ui/error-panel.tsx'
import { formatDay, formatTime, localDateOf } from '../../ui/format.ts'
import { Ltr } from '../../ui/ltr.tsx'
import { SkeletonRows } from '../../ui/skeleton.tsx'
import { TimesIn } from '../../ui/times-in.tsx'
import { historyLine, type HistoryLine, namesOf } from './history-labels.ts'
import { useManifest } from './use-manifest.ts'

/** Entries added with each press on "more". */
const pageSize = 50

/** What happened to the departure, its stops, bookings, guests and crew, newest first. */
export function HistoryTab({ departure }: { departure: Departure }) {
  const [size, setSize] = useState(pageSize)
  const { data, error, refetch, isFetching } = useQuery({
    ...callQuery(departureHistory, { id: departure.id, size }),
    placeholderData: keepPreviousData,
  })
  const { can } = useAccess()
  const { data: manifest } = useManifest(departure.id, can('travelers:read'))
  if (error && !data) {
    return (
      <ErrorPanel message={refusalText(error)} requestId={error.details.requestId} onRetry={() => void refetch()} />
    )
  }
  if (!data) return <SkeletonRows rows={10} />
  if (data.rows.length === 0)
    return <Empty title={m.departures_history_empty()}>{m.departures_history_empty_text()}</Empty>
  const names = namesOf(departure, manifest)
  const lines = data.rows.flatMap((entry) => {
    const line = historyLine(entry, departure.timeZone, names)
    return line ? [{ entry, line }] : []
  })
  return (
    <>
      <p className="px-4 text-xs text-ink-2 not-empty:py-2 lg:px-6">
        <TimesIn zone={departure.timeZone} />
      </p>
      <ol>
        {lines.map((line, index) => (
          <Entry
            key={line.entry.id}
            {...line}
            zone={departure.timeZone}
            isNewDay={isNewDay(lines, index, departure.timeZone)}
          />
        ))}
      </ol>
      {data.rows.length < data.total && size < 200 && (
        <div className="px-4 py-3 lg:px-6">
          <Button pending={isFetching} onClick={() => setSize(Math.min(200, size + pageSize))}>
            {m.departures_history_more()}
          </Button>
        </div>
      )}
    </>
  )
}

interface Line {
  entry: HistoryEntry
  line: HistoryLine
}

const isNewDay = (lines: readonly Line[], index: number, zone: string): boolean => {
  const [line, before] = [lines[index], lines[index - 1]]
  return line !== undefined && (!before || localDateOf(before.entry.at, zone) !== localDateOf(line.entry.at, zone))
}

function Entry({ entry, line, zone, isNewDay }: Line & { zone: string; isNewDay: boolean }) {
  const { title, subject, changes } = line
  const actor =
    entry.actorName ?? (entry.actorKind === 'guest_link' ? m.departures_actor_guest() : m.departures_actor_system())
  return (
    <li>
      {isNewDay && (
        <p className="flex min-h-8 items-center border-b border-line bg-surface-2 px-4 text-xs font-medium text-ink-strong lg:px-6">
          {formatDay(entry.at, zone)}
        </p>
      )}
      <div className="grid grid-cols-[calc(48px+var(--hours))_minmax(0,1fr)] gap-x-3 border-b border-line px-4 py-2 lg:px-6">
        <Ltr className="text-ink-2">{formatTime(entry.at, zone)}</Ltr>
        <div className="min-w-0">
          <p>
            <b className="font-medium text-ink-strong">{title}</b>
            {subject !== null && `: ${subject}`} <span className="text-ink-2">· {actor}</span>
          </p>
          {changes.length > 0 && (
            <ul className="text-xs text-ink-2">
              {changes.map(({ field, before, after }) => (
                <li key={field} className="break-words">
                  {field}: {before !== null && <span>{before} → </span>}
                  <span className="text-ink-strong">{after ?? m.departures_history_removed()}</span>
                </li>
              ))}
            </ul>
          )}
        </div>
      </div>
    </li>
  )
}
