import { loadLater } from '../../ui/load-later.tsx'
import type { SendLinkDialogProps } from './send-link-dialog.tsx'

/** Loaded when somebody wants to send a link. */
export const SendLinkDialog = loadLater<SendLinkDialogProps>(
  async () => (await import('./send-link-dialog.tsx')).SendLinkDialog,
)
