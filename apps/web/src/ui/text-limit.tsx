import { type ClipboardEvent, type InputEvent, type ReactNode, useEffect, useState } from 'react'
import { m } from '../paraglide/messages.js'

type TextControl = HTMLInputElement | HTMLTextAreaElement

const isText = (target: EventTarget): target is TextControl =>
  target instanceof HTMLInputElement || target instanceof HTMLTextAreaElement

/** A shorter one is seen as a whole: codes, names of views. */
const shortestCounted = 100
/** The part of the limit from which on the length is shown. */
const nearLimit = 0.9

/** While something is said, milliseconds. */
const lookAgainMs = 250

/** What the limit of a field says now. */
interface Reached {
  readonly control: TextControl
  /** Length of the text that this is about. */
  readonly length: number
  readonly max: number
  /** Characters of what was pasted that found no place. */
  readonly cut: number
}

/** How many characters of a pasted text the browser leaves out. */
function cutOf({ clipboardData, target }: ClipboardEvent): number {
  if (!isText(target) || target.maxLength < 0) return 0
  const pasted = clipboardData.getData('text').replaceAll('\r\n', '\n')
  const replaced = (target.selectionEnd ?? 0) - (target.selectionStart ?? 0)
  return Math.max(0, pasted.length - (target.maxLength - target.value.length + replaced))
}

/**
 * What happens at the `maxLength` of the text field inside: its length when it comes near, and how much of a pasted text did not fit, which the
 * browser leaves out without a word.
 *
 * @returns handlers for an element around the field, and what to say, with its id.
 */
export function useTextLimit(noteId?: string) {
  const [reached, setReached] = useState<Reached | null>(null)
  useEffect(() => {
    if (!reached) return undefined
    const { control, length } = reached
    // A form that empties its field, or puts another text into it, sends no event.
    const timer = setInterval(() => control.value.length === length || setReached(null), lookAgainMs)
    return () => clearInterval(timer)
  }, [reached])
  const handlers = {
    onPaste: (event: ClipboardEvent) => {
      const { target } = event
      const cut = cutOf(event)
      if (isText(target)) setReached(cut > 0 ? { ...lengthOf(target), cut } : null)
    },
    onInput: ({ target, nativeEvent }: InputEvent) => {
      if (!isText(target) || target.maxLength < 0) return
      const isPasted = nativeEvent.inputType === 'insertFromPaste'
      setReached((before) => {
        const now = { ...lengthOf(target), cut: isPasted ? (before?.cut ?? 0) : 0 }
        return now.cut > 0 || isNear(now) ? now : null
      })
    },
  }
  return { handlers, note: reached && <LimitNote id={noteId} {...reached} /> }
}

const lengthOf = (control: TextControl) => ({ control, length: control.value.length, max: control.maxLength })

const isNear = ({ length, max }: Reached): boolean => max >= shortestCounted && length >= max * nearLimit

const LimitNote = ({ id, length, max, cut }: Reached & { id: string | undefined }) =>
  cut > 0 ? (
    <span id={id} role="alert" className="mt-1 block text-xs font-medium text-warn">
      {m.ui_text_cut({ count: cut, max })}
    </span>
  ) : (
    <span id={id} className="num mt-1 block text-xs text-ink-2">
      {m.ui_text_length({ length, max })}
    </span>
  )

/** The same around a field that has its own label: `useTextLimit`. */
export function TextLimit({ className, children }: { className?: string | undefined; children: ReactNode }) {
  const { handlers, note } = useTextLimit()
  return (
    <div className={className} {...handlers}>
      {children}
      {note}
    </div>
  )
}
