import { Dialog } from '@base-ui/react/dialog'
import { X } from 'lucide-react'
import { useRef } from 'react'
import { m } from '../paraglide/messages.js'
import { classNames } from './class-names.ts'
import type { DialogProps } from './dialog.tsx'

const controls = 'input, select, textarea, button, a[href]'

/** The loaded half of `Dialog`: use that one. */
export function DialogPopup(props: DialogProps) {
  const { open, onClose, title, description, children, actions, wide, initialFocus, dismissible, locked } = props
  const popup = useRef<HTMLDivElement>(null)
  // The first control of the question, not the close button; on touch the dialog itself, so that no keyboard jumps up.
  const firstControl = (opener: string) => {
    const found = popup.current?.querySelector<HTMLElement>(`[data-body] :is(${controls}), [data-actions] button`)
    return opener === 'touch' ? popup.current : (found ?? true)
  }
  const close = (_open: boolean, { reason }: Dialog.Root.ChangeEventDetails) => {
    const isDismissal = reason === 'escape-key' || reason === 'outside-press'
    if (!locked && (dismissible || !isDismissal)) onClose()
  }
  return (
    <Dialog.Root open={open} onOpenChange={close}>
      <Dialog.Portal>
        <Dialog.Backdrop className="dialog-scrim" />
        <Dialog.Popup
          ref={popup}
          className={classNames('dialog', wide && 'dialog-wide')}
          initialFocus={initialFocus ?? firstControl}
        >
          <header className="flex items-start gap-2 px-5 pt-4 pb-2">
            <div className="min-w-0 flex-1 pt-1">
              <Dialog.Title className="text-lg font-semibold">{title}</Dialog.Title>
              {description !== undefined && (
                <Dialog.Description className="text-ink-2">{description}</Dialog.Description>
              )}
            </div>
            <Dialog.Close className="icon-btn -me-2" aria-label={m.ui_close()} disabled={locked}>
              <X size={18} aria-hidden />
            </Dialog.Close>
          </header>
          <div data-body className="min-h-0 flex-1 overflow-y-auto px-5 pb-4">
            {children}
          </div>
          {actions !== undefined && (
            <footer
              data-actions
              className="flex flex-wrap items-center justify-end gap-2 border-t border-line px-5 py-3"
            >
              {actions}
            </footer>
          )}
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  )
}
