import { X } from 'lucide-react'
import { type ReactNode, useEffect, useId, useRef } from 'react'
import { m } from '../../../paraglide/messages.js'

export interface SheetProps {
  title: string
  onClose: () => void
  children: ReactNode
}

/** A dialog from below, the browser's own: it keeps the focus, and Escape closes it. It is open as long as it is rendered. */
export function Sheet({ title, onClose, children }: SheetProps) {
  const id = useId()
  const box = useRef<HTMLDialogElement>(null)
  useEffect(() => {
    const dialog = box.current
    if (dialog && !dialog.open) dialog.showModal()
    return () => dialog?.close()
  }, [])
  return (
    <dialog
      ref={box}
      className="duty-sheet"
      aria-labelledby={id}
      onCancel={(event) => {
        event.preventDefault()
        onClose()
      }}
    >
      <div className="flex items-center justify-between gap-3 ps-4 pe-2 pt-2 pb-1">
        <h2 id={id} className="duty-title font-semibold text-ink-strong">
          {title}
        </h2>
        <button type="button" className="duty-icon" aria-label={m.duty_close()} onClick={onClose}>
          <X size={22} aria-hidden />
        </button>
      </div>
      <div className="duty-sheet-body">{children}</div>
    </dialog>
  )
}

export interface ConfirmSheetProps extends Omit<SheetProps, 'children'> {
  text?: ReactNode
  children?: ReactNode
  confirm: string
  onConfirm: () => void
}

/** Asks before something is done. */
export const ConfirmSheet = ({ text, children, confirm, onConfirm, ...sheet }: ConfirmSheetProps) => (
  <Sheet {...sheet}>
    {text !== undefined && <p>{text}</p>}
    {children}
    <div className="grid gap-2">
      <button type="button" className="duty-btn duty-btn-main" onClick={onConfirm}>
        {confirm}
      </button>
      <button type="button" className="duty-btn" onClick={sheet.onClose}>
        {m.duty_cancel()}
      </button>
    </div>
  </Sheet>
)
