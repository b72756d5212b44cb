import { CircleAlert, Copy, RotateCw } from 'lucide-react'
import type { ReactNode } from 'react'
import { m } from '../paraglide/messages.js'
import { Button } from './button.tsx'
import { copyText } from './copy-text.ts'
import { IconButton } from './icon-button.tsx'
import { Ltr } from './ltr.tsx'

export interface ErrorPanelProps {
  /** What failed, for the person at the screen. */
  message: string
  requestId?: string | undefined
  onRetry?: (() => void) | undefined
  /** More ways out. */
  actions?: ReactNode
}

/** What failed in a panel or an action, next to it; typed entries stay. */
export function ErrorPanel({ message, requestId, onRetry, actions }: ErrorPanelProps) {
  return (
    <div role="alert" className="note tone-bad m-4">
      <CircleAlert size={18} className="mt-px shrink-0" aria-hidden />
      <div className="min-w-0 flex-1">
        <p className="font-medium">{message}</p>
        {requestId && (
          <p className="flex items-center gap-1 text-xs text-ink-strong">
            {m.ui_request_id()} <Ltr className="truncate">{requestId}</Ltr>
            <CopyButton text={requestId} label={m.ui_copy_request_id()} />
          </p>
        )}
        {(onRetry ?? actions) && (
          <div className="mt-2 flex flex-wrap gap-2">
            {onRetry && (
              <Button size="sm" icon={RotateCw} onClick={onRetry}>
                {m.ui_retry()}
              </Button>
            )}
            {actions}
          </div>
        )}
      </div>
    </div>
  )
}

/** Copies a text and says so. */
export function CopyButton({ text, label }: { text: string; label: string }) {
  const copy = () => void copyText(text, m.ui_copied())
  return <IconButton label={label} icon={Copy} iconSize={14} small onClick={copy} />
}
