import { Mail } from 'lucide-react'
import { useState } from 'react'
import { useAccess } from '../../identity/access.ts'
import { m } from '../../paraglide/messages.js'
import { Button, type ButtonProps } from '../../ui/button.tsx'
import { loadLater, onIntent } from '../../ui/load-later.tsx'
import type { MessageDialogProps } from './message-dialog.tsx'

/** Loaded when somebody wants to write. */
export const MessageDialog = loadLater<MessageDialogProps>(
  async () => (await import('./message-dialog.tsx')).MessageDialog,
)

/** Whether the person at the screen may write to guests. */
export const useMayWrite = (): boolean => useAccess().can('notifications:send')

type MessageGuestsProps = Pick<ButtonProps, 'size' | 'variant'> & Omit<MessageDialogProps, 'onClose'>

/** A button that opens a message to guests; nothing for who may not write. */
export function MessageGuests({ guests, template, ...look }: MessageGuestsProps) {
  const mayWrite = useMayWrite()
  const [isOpen, setOpen] = useState(false)
  if (!mayWrite) return null
  return (
    <>
      <Button icon={Mail} {...look} {...onIntent(MessageDialog)} onClick={() => setOpen(true)}>
        {m.notifications_write()}
      </Button>
      {isOpen && <MessageDialog {...{ guests, template }} onClose={() => setOpen(false)} />}
    </>
  )
}
