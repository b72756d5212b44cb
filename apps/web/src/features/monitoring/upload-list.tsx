import { RotateCcw, TriangleAlert, X } from 'lucide-react'
import { m } from '../../paraglide/messages.js'
import { formatBytes } from '../../ui/format.ts'
import { IconButton } from '../../ui/icon-button.tsx'
import { ProgressBar } from '../../ui/progress.tsx'
import type { IncidentUpload, IncidentUploads } from './use-incident-uploads.ts'

/** What is on its way into the log: how far each file is, or why it failed and what to do. */
export function UploadList({ uploads: { list, retry, drop } }: { uploads: IncidentUploads }) {
  if (list.length === 0) return null
  return (
    <ul aria-label={m.monitoring_files_uploads()} className="mt-2 grid gap-2">
      {list.map((upload) => (
        <Upload key={upload.key} upload={upload} onRetry={() => retry(upload.key)} onGiveUp={() => drop(upload.key)} />
      ))}
    </ul>
  )
}

interface UploadProps {
  upload: IncidentUpload
  onRetry: () => void
  onGiveUp: () => void
}

function Upload({ upload: { file, state, sent, problem, mayRetry }, onRetry, onGiveUp }: UploadProps) {
  const { name } = file
  return (
    <li className="rounded-md border border-line px-3 py-2">
      <div className="flex items-center gap-2">
        <span className="min-w-0 flex-1 truncate text-ink-strong">
          <bdi>{name}</bdi>
        </span>
        {state === 'waiting' && <span className="shrink-0 text-ink-2">{m.monitoring_files_waiting()}</span>}
        {state === 'sending' && (
          <span className="num shrink-0 text-ink-2">
            {m.monitoring_files_sent({
              sent: formatBytes(sent),
              total: formatBytes(file.size),
            })}
          </span>
        )}
        {state === 'failed' && mayRetry && (
          <IconButton
            small
            icon={RotateCcw}
            iconSize={16}
            label={m.monitoring_files_retry_named({ name })}
            onClick={onRetry}
          />
        )}
        <IconButton
          small
          icon={X}
          iconSize={16}
          label={
            state === 'failed' ? m.monitoring_files_drop_named({ name }) : m.monitoring_files_cancel_named({ name })
          }
          onClick={onGiveUp}
        />
      </div>
      {state === 'sending' && (
        <div className="pt-1">
          <ProgressBar label={m.monitoring_files_uploading({ name })} value={sent} max={file.size} />
        </div>
      )}
      {problem !== null && (
        <p role="alert" className="flex gap-1.5 pt-1 font-medium text-bad">
          <TriangleAlert size={16} className="mt-0.5 shrink-0" aria-hidden />
          {problem}
        </p>
      )}
    </li>
  )
}
