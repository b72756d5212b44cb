import { create } from 'zustand'
import { toast } from './toast.tsx'

/** The text that could not be copied and is shown instead. */
export const useCopyByHand = create<{ text: string | null }>(() => ({ text: null }))

/**
 * Copies a text and says so. Over plain http, as in an office's own network, browsers offer no clipboard: there the text is selected and
 * copied with the older browser command, and where that is refused as well, it is shown to be copied. Never fails.
 *
 * @param said The notice when it is done.
 */
export async function copyText(text: string, said: string): Promise<void> {
  if ((await isOnClipboard(text)) || copySelected(text)) toast(said)
  else useCopyByHand.setState({ text })
}

async function isOnClipboard(text: string): Promise<boolean> {
  const clipboard = navigator.clipboard as Clipboard | undefined
  if (!clipboard) return false
  return clipboard.writeText(text).then(
    () => true,
    // Refused by the person or by a frame around us: there is another way.
    () => false,
  )
}

function copySelected(text: string): boolean {
  const focused = document.activeElement
  const field = document.createElement('textarea')
  field.value = text
  field.readOnly = true
  field.style.cssText = 'position:fixed;opacity:0'
  // Inside a dialog: elements outside of it take no focus.
  const place = focused?.closest('[role=dialog]') ?? document.body
  place.append(field)
  field.select()
  try {
    // eslint-disable-next-line typescript/no-deprecated -- the only way there is without a secure context
    return document.execCommand('copy')
  } finally {
    field.remove()
    if (focused instanceof HTMLElement) focused.focus({ preventScroll: true })
  }
}
