import { fileTypes, fileUses } from '@tour-ops/contract/files'
import { noteIncident } from '@tour-ops/contract/monitoring/incidents'
import { Paperclip } from 'lucide-react'
import { type ClipboardEvent, useId, useRef, useState } from 'react'
import { isOtherRecord } from '../../addresses/open-records.ts'
import { useUnsavedChanges } from '../../app/unsaved-changes.ts'
import { useCall } from '../../backend/queries.ts'
import { refusalText } from '../../errors/refusal-text.ts'
import { m } from '../../paraglide/messages.js'
import { Button } from '../../ui/button.tsx'
import { ChoiceChip } from '../../ui/chip.tsx'
import { classNames } from '../../ui/class-names.ts'
import { Field, TextArea } from '../../ui/field.tsx'
import { LeaveDialog } from '../../ui/form/form.tsx'
import { formatSizeLimit } from '../../ui/format.ts'
import { IconButton } from '../../ui/icon-button.tsx'
import { toast } from '../../ui/toast.tsx'
import { useFileDrop } from '../../ui/use-file-drop.ts'
import { useRemovedFocus } from '../../ui/use-removed-focus.ts'
import { UploadList } from './upload-list.tsx'
import { useIncidentUploads } from './use-incident-uploads.ts'

const entryKinds = ['note', 'call'] as const
type EntryKind = (typeof entryKinds)[number]
const entryLabels: Record<EntryKind, () => string> = {
  note: m.monitoring_entry_note,
  call: m.monitoring_entry_call,
}

const { types, maxBytes } = fileUses.incident_file
// tables by their ending as well: not every computer knows their type
const accepted = [...types.map((type) => fileTypes[type]), '.csv', '.txt', '.xlsx'].join(',')

/** On top of the log, since it is what one comes for: a line to write, and files by a button, dropped on the room or pasted. */
export function WritingLine({ incidentId }: { incidentId: string }) {
  const [kind, setKind] = useState<EntryKind>('note')
  const [text, setText] = useState('')
  const add = useCall(noteIncident, {
    // What was typed meanwhile stays.
    onSuccess: (_, { text: sent }) => setText((typed) => (typed === sent ? '' : typed)),
    onError: (error) => toast(refusalText(error)),
  })
  const send = () => add.mutate({ id: incidentId, kind, text })
  const uploads = useIncidentUploads(incidentId)
  const isOver = useFileDrop('drawer', uploads.add)
  const leaving = useUnsavedChanges(text.trim() !== '' || uploads.isBusy, isOtherRecord)
  const filesButton = useRef<HTMLButtonElement>(null)
  const removedFocus = useRemovedFocus(filesButton)
  const limitsId = useId()
  const paste = (event: ClipboardEvent) => {
    const files = [...event.clipboardData.files]
    // cells of a spreadsheet come as a picture as well: the text is meant
    if (files.length === 0 || event.clipboardData.types.includes('text/plain')) return
    event.preventDefault()
    uploads.add(files)
  }
  return (
    <form
      className={classNames('border-b border-line px-4 py-3 lg:px-6', isOver && 'bg-brand-tint')}
      onSubmit={(event) => {
        event.preventDefault()
        if (text.trim() !== '') send()
      }}
      onPaste={paste}
      {...removedFocus}
    >
      <Field label={m.monitoring_log_placeholder()} hideLabel>
        <TextArea
          rows={2}
          value={text}
          maxLength={4000}
          placeholder={m.monitoring_log_placeholder()}
          onChange={(event) => setText(event.target.value)}
        />
      </Field>
      <div className="mt-2 flex flex-wrap items-center gap-1.5">
        {entryKinds.map((each) => (
          <ChoiceChip key={each} pressed={kind === each} onClick={() => setKind(each)}>
            {entryLabels[each]()}
          </ChoiceChip>
        ))}
        <FilesButton ref={filesButton} limitsId={limitsId} onFiles={uploads.add} />
        <Button variant="primary" type="submit" pending={add.isPending} disabled={text.trim() === ''}>
          {m.monitoring_add_to_log()}
        </Button>
      </div>
      <p id={limitsId} className="mt-1.5 text-xs text-ink-2">
        {isOver ? m.monitoring_files_let_go() : m.monitoring_files_limits({ size: formatSizeLimit(maxBytes) })}
      </p>
      <UploadList uploads={uploads} />
      <LeaveDialog
        open={leaving.isAsking}
        onStay={leaving.stay}
        onLeave={leaving.leave}
        text={uploads.isBusy ? m.monitoring_files_leave() : undefined}
      />
    </form>
  )
}

interface FilesButtonProps {
  ref: React.Ref<HTMLButtonElement>
  /** Of the text with the limits. */
  limitsId: string
  onFiles: (files: readonly File[]) => void
}

function FilesButton({ ref, limitsId, onFiles }: FilesButtonProps) {
  const input = useRef<HTMLInputElement>(null)
  return (
    <>
      <input
        ref={input}
        type="file"
        multiple
        className="sr-only"
        tabIndex={-1}
        aria-label={m.monitoring_files_choose()}
        accept={accepted}
        onChange={(event) => {
          onFiles([...(event.target.files ?? [])])
          // the same file may be chosen again after it was corrected
          event.target.value = ''
        }}
      />
      <IconButton
        ref={ref}
        icon={Paperclip}
        className="ms-auto"
        label={m.monitoring_files_add()}
        aria-describedby={limitsId}
        onClick={() => input.current?.click()}
      />
    </>
  )
}
