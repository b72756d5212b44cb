import { m } from '../paraglide/messages.js'

export interface LimitNoteProps {
  id: string | undefined
  /** Of the text in the field. */
  length: number
  max: number
  /** Characters of what was pasted that found no place. */
  cut: number
}

/** What the limit of a text field says: how long the text is, or how much of it did not fit. */
export const LimitNote = ({ id, length, max, cut }: LimitNoteProps) =>
  cut > 0 ? (
    <span id={id} role="alert" className="mt-1 block text-xs font-medium text-warn">
      {m.ui_text_cut({ count: cut, max })}
    </span>
  ) : (
    <span id={id} className="num mt-1 block text-xs text-ink-2">
      {m.ui_text_length({ length, max })}
    </span>
  )
