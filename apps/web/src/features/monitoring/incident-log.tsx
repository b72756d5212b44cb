import type { Incident } from '@tour-ops/contract/monitoring/incidents'
import {
  ClipboardPen,
  FileX,
  ListChecks,
  ListX,
  Merge,
  type LucideIcon,
  MessageSquareText,
  Paperclip,
  Phone,
  RotateCcw,
  Siren,
} from 'lucide-react'
import { useRef } from 'react'
import { m } from '../../paraglide/messages.js'
import { formatDay, formatTime, localDateOf } from '../../ui/format.ts'
import { Ltr } from '../../ui/ltr.tsx'
import { useRemovedFocus } from '../../ui/use-removed-focus.ts'
import { entryText } from './incident-labels.ts'
import { LogFile } from './log-file.tsx'

const logIcons: Record<Incident['timeline'][number]['kind'], LucideIcon> = {
  note: ClipboardPen,
  call: Phone,
  status: Siren,
  file: Paperclip,
  file_removed: FileX,
  message: MessageSquareText,
  task_done: ListChecks,
  task_reopened: RotateCcw,
  task_removed: ListX,
  merged: Merge,
}

interface IncidentLogProps {
  incident: Incident
  /** Zone of the organization. */
  timeZone: string
  /** Milliseconds. */
  now: number
}

/** Newest first; with the day where it was another one. */
export function IncidentLog({ incident, timeZone, now }: IncidentLogProps) {
  const list = useRef<HTMLOListElement>(null)
  const removedFocus = useRemovedFocus(list)
  const today = localDateOf(now, timeZone)
  return (
    <ol
      ref={list}
      tabIndex={-1}
      className="px-4 outline-none lg:px-6"
      aria-label={m.monitoring_log()}
      {...removedFocus}
    >
      {incident.timeline.map((entry) => {
        const Icon = logIcons[entry.kind]
        const { file } = entry
        return (
          <li
            key={entry.id}
            className="grid grid-cols-[calc(48px+var(--hours))_20px_minmax(0,1fr)] gap-x-3 border-b border-line py-3"
          >
            <Ltr className="font-semibold text-ink-strong">{formatTime(entry.at, timeZone)}</Ltr>
            <Icon size={16} className="mt-0.5 text-ink-2" aria-hidden />
            <div>
              <p className="break-words whitespace-pre-line text-ink-strong">{entryText(entry)}</p>
              {file && <LogFile entryId={entry.id} name={entry.text} file={file} />}
              <p className="text-xs text-ink-2">
                <bdi>{entry.authorName}</bdi>
                {entry.incident && <> · {entry.incident.number}</>}
                {localDateOf(entry.at, timeZone) !== today && ` · ${formatDay(entry.at, timeZone)}`}
              </p>
            </div>
          </li>
        )
      })}
    </ol>
  )
}
