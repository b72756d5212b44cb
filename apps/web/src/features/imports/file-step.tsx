import { useNavigate } from '@tanstack/react-router'
import { Link } from '@tanstack/react-router'
import { useQuery } from '@tanstack/react-query'
import { AppError } from '@tour-ops/contract/errors'
import { fileUses } from '@tour-ops/contract/files'
import { maxImportRows, type ImportSummary } from '@tour-ops/contract/imports/import-batch'
import { createImport, listImports } from '@tour-ops/contract/imports/imports'
import { CircleCheck, CircleDashed, FileSpreadsheet, Hourglass, Undo2, Upload, X, type LucideIcon } from 'lucide-react'
import { useId, useRef, useState } from 'react'
import type { UploadTask } from '../../backend/files-port.ts'
import { currentBackend } from '../../backend/port.ts'
import { callQuery } from '../../backend/queries.ts'
import { m } from '../../paraglide/messages.js'
import { Banner } from '../../ui/banner.tsx'
import { Button, buttonClass } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { Calm } from '../../ui/chip.tsx'
import { classNames } from '../../ui/class-names.ts'
import { formatBytes, formatSizeLimit, formatDayTime, formatNumber } from '../../ui/format.ts'
import { ProgressBar } from '../../ui/progress.tsx'
import { useFileDrop } from '../../ui/use-file-drop.ts'
import { ViewerZoneNote } from '../../ui/zone-note.tsx'
import { uploadErrorText } from './import-labels.ts'
import { useBatchCall } from './use-batch-call.ts'
import { WizardFrame } from './wizard-frame.tsx'

type Sending = { file: File; task: UploadTask; sent: number }

/** Takes a file by a button or by dragging it here, uploads it, and reads it. */
export function FileStep() {
  const navigate = useNavigate()
  const [sending, setSending] = useState<Sending | null>(null)
  const [refusal, setRefusal] = useState<string | null>(null)
  const [isOfFile, setIsOfFile] = useState(true)
  const create = useBatchCall(createImport, (batch) => {
    void navigate({
      to: '/travelers/import/$id',
      params: { id: batch.id },
      search: { step: 'columns' },
      replace: true,
    })
  })

  const send = async (files: readonly File[]): Promise<void> => {
    const [file, another] = files
    setRefusal(null)
    setIsOfFile(true)
    create.reset()
    if (!file) return
    if (another) return setRefusal(m.imports_file_one())
    if (file.size === 0) return setRefusal(m.imports_file_empty())
    if (file.size > fileUses.import.maxBytes) {
      return setRefusal(m.imports_file_too_large({ size: formatSizeLimit(fileUses.import.maxBytes) }))
    }
    let task: UploadTask | undefined
    try {
      const store = await currentBackend().files()
      task = store.upload(file, {
        use: 'import',
        onProgress: ({ bytesSent }) => setSending((before) => before && { ...before, sent: bytesSent }),
      })
      setSending({ file, task, sent: 0 })
      const stored = await task.result
      await create.mutateAsync({ fileId: stored.id })
    } catch (error) {
      setSending(null)
      if (task?.state === 'canceled' || !(error instanceof Error)) return
      setIsOfFile(error instanceof AppError && error.code === 'invalid-argument')
      setRefusal(uploadErrorText(error))
    }
  }

  return (
    <WizardFrame
      step="file"
      says={m.imports_file_footer()}
      actions={
        <Link to="/travelers/list" className={buttonClass({})}>
          {m.imports_to_list()}
        </Link>
      }
    >
      <div className="mx-auto grid w-full max-w-[760px] gap-4 py-2 lg:overflow-y-auto">
        {refusal !== null && (
          <Banner tone="bad" role="alert" title={isOfFile ? m.imports_unreadable_title() : m.imports_failed_title()}>
            {refusal}
          </Banner>
        )}
        {sending ? (
          <SendingCard sending={sending} isReading={create.isPending} />
        ) : (
          <DropZone onFiles={(files) => void send(files)} />
        )}
        <RecentImports />
      </div>
    </WizardFrame>
  )
}

function DropZone({ onFiles }: { onFiles: (files: readonly File[]) => void }) {
  const input = useRef<HTMLInputElement>(null)
  const isOver = useFileDrop('page', onFiles)
  const textId = useId()
  return (
    <section
      className={classNames(
        'card grid justify-items-center gap-2 border-dashed px-6 py-12 text-center',
        isOver && 'border-brand bg-brand-tint',
      )}
      aria-label={m.imports_file_title()}
    >
      <Upload size={24} strokeWidth={1.75} className="text-ink-2" aria-hidden />
      <p className="text-base font-semibold text-ink-strong">
        {isOver ? m.imports_file_let_go() : m.imports_file_drop()}
      </p>
      <input
        ref={input}
        type="file"
        className="sr-only"
        tabIndex={-1}
        aria-label={m.imports_file_choose()}
        accept=".csv,.txt,.tsv,.xlsx,text/csv,application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
        onChange={(event) => {
          onFiles([...(event.target.files ?? [])])
          // the same file may be chosen again after it was corrected
          event.target.value = ''
        }}
      />
      <Button variant="primary" icon={FileSpreadsheet} aria-describedby={textId} onClick={() => input.current?.click()}>
        {m.imports_file_choose()}
      </Button>
      <p id={textId} className="mt-1 max-w-[480px] text-ink-2">
        {m.imports_file_text({ size: formatSizeLimit(fileUses.import.maxBytes), rows: formatNumber(maxImportRows) })}
      </p>
    </section>
  )
}

function SendingCard({ sending: { file, task, sent }, isReading }: { sending: Sending; isReading: boolean }) {
  const words = isReading ? m.imports_reading_file({ file: file.name }) : m.imports_uploading({ file: file.name })
  return (
    <section className="card grid gap-3 px-6 py-6" aria-live="polite">
      <p className="flex items-baseline justify-between gap-3">
        <b className="min-w-0 truncate text-base font-semibold text-ink-strong">
          <bdi>{words}</bdi>
        </b>
        <span className="num shrink-0 text-ink-2">
          {m.imports_uploaded_of({ sent: formatBytes(sent), total: formatBytes(file.size) })}
        </span>
      </p>
      <ProgressBar label={words} value={sent} max={file.size} />
      {!isReading && (
        <div>
          <Button icon={X} onClick={() => task.cancel()}>
            {m.imports_upload_cancel()}
          </Button>
        </div>
      )}
    </section>
  )
}

const stateLooks: Record<ImportSummary['status'], { label: () => string; icon: LucideIcon }> = {
  parsed: { label: m.imports_state_parsed, icon: CircleDashed },
  previewed: { label: m.imports_state_previewed, icon: CircleDashed },
  applied: { label: m.imports_state_applied, icon: CircleCheck },
  undone: { label: m.imports_state_undone, icon: Undo2 },
  failed: { label: m.imports_state_failed, icon: X },
}

/** Where earlier files are: one that was left continues, one that was imported can be undone. */
function RecentImports() {
  const { data } = useQuery(callQuery(listImports, { size: 8 }))
  if (!data) return null
  return (
    <Card
      title={m.imports_recent()}
      actions={
        <span className="text-xs text-ink-2">
          <ViewerZoneNote />
        </span>
      }
    >
      {data.rows.length === 0 && <p className="px-4 pb-4 text-ink-2">{m.imports_recent_empty()}</p>}
      <ul>
        {data.rows.map((batch) => {
          const state = stateLooks[batch.status]
          return (
            <li key={batch.id} className="border-t border-line">
              <Link
                to="/travelers/import/$id"
                params={{ id: batch.id }}
                className="flex min-h-12 flex-wrap items-center gap-x-3 gap-y-0.5 px-4 py-2 hover:bg-surface-2"
              >
                <span className="min-w-0 flex-1 basis-48 truncate font-medium text-ink-strong">
                  <bdi>{batch.fileName}</bdi>
                </span>
                <span className="num text-ink-2">{m.imports_rows({ count: batch.rows })}</span>
                <span className="num text-ink-2">
                  {batch.createdByName === null
                    ? formatDayTime(batch.createdAt)
                    : m.imports_recent_by({ when: formatDayTime(batch.createdAt), name: batch.createdByName })}
                </span>
                <span className="lg:w-40">
                  <Calm icon={batch.progress ? Hourglass : state.icon}>
                    {batch.progress ? m.imports_state_running() : state.label()}
                  </Calm>
                </span>
              </Link>
            </li>
          )
        })}
      </ul>
    </Card>
  )
}
