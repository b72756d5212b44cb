import { m } from '../paraglide/messages.js'
import { classNames } from './class-names.ts'
import { Ltr } from './ltr.tsx'

export interface LoadBarProps {
  value: number
  capacity: number
  /** Width of the bar in pixels. */
  width?: number | undefined
  /** The number alone, for narrow places. */
  hideBar?: boolean | undefined
  className?: string | undefined
}

/** Seats taken of seats there are: `18/31` and a thin bar. */
export function LoadBar({ value, capacity, width = 56, hideBar, className }: LoadBarProps) {
  const share = capacity > 0 ? Math.min(1, value / capacity) : 0
  return (
    <span className={classNames('inline-flex items-center gap-2', className)}>
      <span className="sr-only">{m.ui_load_label({ value, capacity })}</span>
      <Ltr className="min-w-11 text-end">
        <span aria-hidden>
          <b className="font-medium text-ink-strong">{value}</b>
          <span className="text-ink-2">/{capacity}</span>
        </span>
      </Ltr>
      {!hideBar && (
        <span aria-hidden className="h-1 overflow-hidden rounded-full bg-line" style={{ width }}>
          <span
            className={classNames('block h-full rounded-full', value > capacity ? 'bg-bad' : 'bg-ink-2')}
            style={{ width: `${share * 100}%` }}
          />
        </span>
      )}
    </span>
  )
}

export interface BarPart {
  label: string
  value: number
  tone: 'done' | 'waiting' | 'open' | 'missing'
}

const partColor = { done: 'var(--live)', waiting: 'var(--mark-warn)', open: 'var(--line)', missing: 'var(--st-bad)' }

/** One bar of several parts (aboard, on the phone, to come, no-show); its text is next to it. */
export function PartsBar({ parts }: { parts: readonly BarPart[] }) {
  const shown = parts.filter((part) => part.value > 0)
  return (
    <div
      role="img"
      aria-label={shown.map((part) => `${part.value} ${part.label}`).join(', ')}
      className="flex h-1.5 gap-0.5 overflow-hidden rounded-full bg-line"
    >
      {shown.map((part) => (
        <span key={part.label} style={{ flex: part.value, background: partColor[part.tone] }} />
      ))}
    </div>
  )
}
