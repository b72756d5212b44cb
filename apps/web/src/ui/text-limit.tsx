import { type ClipboardEvent, type InputEvent, type ReactNode, useEffect, useState } from 'react'
import { loadLater } from './load-later.tsx'

type TextControl = HTMLInputElement | HTMLTextAreaElement

const isText = (target: EventTarget): target is TextControl =>
  target instanceof HTMLInputElement || target instanceof HTMLTextAreaElement

/** A shorter one is seen as a whole: codes, names of views. */
const shortestCounted = 100
/** The part of the limit from which on the length is shown. */
const nearLimit = 0.9

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
 * @param field What is drawn inside.
 * @returns handlers for an element around the field, and what to say, with its id.
 */
export function useTextLimit(field: ReactNode, noteId?: string) {
  const [reached, setReached] = useState<Reached | null>(null)
  // a form that empties its field or puts another text into it sends no event, but draws it again
  useEffect(() => {
    // eslint-disable-next-line react/set-state-in-effect -- what the browser's field holds is known only after it was drawn
    if (reached && reached.control.value.length !== reached.length) setReached(null)
    // eslint-disable-next-line react/exhaustive-effect-dependencies -- each drawing of the field is looked at
  }, [field, reached])
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
  return {
    handlers,
    note: reached && <LimitNote id={noteId} length={reached.length} max={reached.max} cut={reached.cut} />,
  }
}

const lengthOf = (control: TextControl) => ({ control, length: control.value.length, max: control.maxLength })

const isNear = ({ length, max }: Reached): boolean => max >= shortestCounted && length >= max * nearLimit

// rarely said, and in three languages: no part of a first load
const LimitNote = loadLater(async () => (await import('./limit-note.tsx')).LimitNote)

/** The same around a field that has its own label: `useTextLimit`. */
export function TextLimit({ className, children }: { className?: string | undefined; children: ReactNode }) {
  const { handlers, note } = useTextLimit(children)
  return (
    <div className={className} {...handlers}>
      {children}
      {note}
    </div>
  )
}
