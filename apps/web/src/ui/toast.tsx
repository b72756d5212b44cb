import { X } from 'lucide-react'
import { create } from 'zustand'
import { m } from '../paraglide/messages.js'
import { IconButton } from './icon-button.tsx'

/** How long a toast stays. Source: spec, section 9, snackbar 4000 ms. */
export const toastDurationMs = 4000

export interface ToastAction {
  label: string
  onPress: () => void
}

interface Toast {
  id: number
  message: string
  action?: ToastAction | undefined
}

interface Toasts {
  list: readonly Toast[]
}

const useToasts = create<Toasts>(() => ({ list: [] }))

const timers = new Map<number, ReturnType<typeof setTimeout>>()
let lastId = 0

/** Shows a sentence for 4 s, with at most one action ("Undo"); works outside React too. Returns its id. */
export function toast(message: string, action?: ToastAction): number {
  const id = ++lastId
  useToasts.setState(({ list }) => ({ list: [...list.slice(-2), { id, message, action }] }))
  resume(id)
  return id
}

/** Takes a toast away before its time, or does nothing when it is gone. */
export function dismissToast(id: number): void {
  pause(id)
  useToasts.setState(({ list }) => ({ list: list.filter((item) => item.id !== id) }))
}

function pause(id: number): void {
  clearTimeout(timers.get(id))
  timers.delete(id)
}

function resume(id: number): void {
  pause(id)
  timers.set(
    id,
    setTimeout(() => dismissToast(id), toastDurationMs),
  )
}

/** Where toasts appear; once, at the app root. Pointing at one or focusing it stops its clock. */
export function ToastViewport() {
  const list = useToasts((state) => state.list)
  return (
    <div className="toast-viewport" role="region" aria-label={m.ui_toasts()} aria-live="polite">
      {list.map((item) => (
        <ToastItem key={item.id} item={item} />
      ))}
    </div>
  )
}

function ToastItem({ item }: { item: Toast }) {
  const stop = () => pause(item.id)
  const go = () => resume(item.id)
  const act = () => {
    dismissToast(item.id)
    item.action?.onPress()
  }
  return (
    <div className="toast" onPointerEnter={stop} onPointerLeave={go} onFocus={stop} onBlur={go}>
      <span className="min-w-0 flex-1 py-2">{item.message}</span>
      {item.action && (
        <button type="button" className="toast-action" onClick={act}>
          {item.action.label}
        </button>
      )}
      <IconButton
        className="toast-close"
        label={m.ui_close()}
        icon={X}
        iconSize={16}
        small
        onClick={() => dismissToast(item.id)}
      />
    </div>
  )
}
