import { acknowledgeShiftNote, type ShiftNote } from '@tour-ops/contract/monitoring/shift-notes'
import { NotebookPen } from 'lucide-react'
import { useCall } from '../../backend/queries.ts'
import { refusalText } from '../../errors/refusal-text.ts'
import { useAccess } from '../../identity/access.ts'
import { m } from '../../paraglide/messages.js'
import { Banner } from '../../ui/banner.tsx'
import { Button } from '../../ui/button.tsx'
import { formatMoment } from '../../ui/format.ts'
import { toast } from '../../ui/toast.tsx'

interface ShiftNoteBarProps {
  note: ShiftNote
  now: number
  timeZone: string
}

/** What the shift before has left, over the lanes: to be confirmed at first, then one quiet line. */
export function ShiftNoteBar({ note, now, timeZone }: ShiftNoteBarProps) {
  const mayAct = useAccess().can('alerts:manage')
  const read = useCall(acknowledgeShiftNote, {
    onSuccess: () => toast(m.monitoring_shift_read_toast()),
    onError: (error) => toast(refusalText(error)),
  })
  const time = (moment: string) => formatMoment(moment, timeZone, now)
  const written = m.monitoring_shift_by({ name: note.writtenByName ?? '', time: time(note.writtenAt) })
  if (note.acknowledgedAt !== null) {
    return (
      <details className="mb-2 text-xs text-ink-2">
        <summary>
          {m.monitoring_shift_taken({ name: note.acknowledgedByName ?? '', time: time(note.acknowledgedAt) })}
        </summary>
        <p className="mt-1 whitespace-pre-line text-ink">{note.text}</p>
        <p>{written}</p>
      </details>
    )
  }
  return (
    <div className="mb-3">
      <Banner
        tone="info"
        icon={NotebookPen}
        role="status"
        title={m.monitoring_shift_title()}
        actions={
          mayAct && (
            <Button
              size="sm"
              pending={read.isPending}
              onClick={() => read.mutate({ id: note.id, version: note.version })}
            >
              {m.monitoring_shift_read()}
            </Button>
          )
        }
      >
        <p className="whitespace-pre-line">{note.text}</p>
        <p className="text-xs text-ink-2">{written}</p>
      </Banner>
    </div>
  )
}
