import { lazy, Suspense, useState, type ReactNode, type RefObject } from 'react'
import { m } from '../paraglide/messages.js'
import { Button } from './button.tsx'

export interface DialogProps {
  open: boolean
  /** The close button; for `dismissible` dialogs also Escape and a press outside. */
  onClose: () => void
  title: ReactNode
  /** One line under the title. */
  description?: ReactNode
  children?: ReactNode
  /** Buttons of the footer, the main one last. */
  actions?: ReactNode
  /** 800 wide instead of 500. */
  wide?: boolean | undefined
  /** Gets the focus; the first control otherwise. */
  initialFocus?: RefObject<HTMLElement | null> | undefined
  /**
   * It only shows something: Escape and a press outside close it. Without this neither does, so that nothing typed is lost: dialogs are
   * persistent (spec, section 9).
   */
  dismissible?: boolean | undefined
  /** Nothing closes it: a running write must not be lost from sight. */
  locked?: boolean | undefined
}

const LazyPopup = lazy(() => import('./dialog-popup.tsx').then((loaded) => ({ default: loaded.DialogPopup })))

/** A modal question, 500 wide; focus moves in, stays in, and returns. Its code loads with the first dialog. */
export function Dialog(props: DialogProps) {
  const [wasOpened, setWasOpened] = useState(props.open)
  if (props.open && !wasOpened) setWasOpened(true)
  if (!wasOpened) return null
  return (
    <Suspense fallback={null}>
      <LazyPopup {...props} />
    </Suspense>
  )
}

export interface ConfirmDialogProps {
  open: boolean
  onClose: () => void
  onConfirm: () => void
  title: string
  /** What will happen, to whom, and whether it can be undone. */
  children?: ReactNode
  /** The act in one or two words, never "OK". */
  confirmLabel: string
  cancelLabel?: string | undefined
  danger?: boolean | undefined
  pending?: boolean | undefined
  /** Why it cannot be confirmed yet. */
  disabledReason?: string | undefined
  /** What went wrong, next to the buttons. */
  error?: string | undefined
}

/** Asks before what cannot be undone. */
export function ConfirmDialog(props: ConfirmDialogProps) {
  const {
    open,
    onClose,
    onConfirm,
    title,
    children,
    confirmLabel,
    cancelLabel,
    danger,
    pending,
    disabledReason,
    error,
  } = props
  return (
    <Dialog
      open={open}
      onClose={onClose}
      title={title}
      locked={pending}
      actions={
        <>
          <Button onClick={onClose} disabled={pending}>
            {cancelLabel ?? m.ui_cancel()}
          </Button>
          <Button
            variant={danger ? 'danger' : 'primary'}
            pending={pending}
            disabledReason={disabledReason}
            onClick={onConfirm}
          >
            {confirmLabel}
          </Button>
        </>
      }
    >
      {children}
      {error && (
        <p role="alert" className="mt-3 font-medium text-bad">
          {error}
        </p>
      )}
    </Dialog>
  )
}
