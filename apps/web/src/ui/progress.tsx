import { m } from '../paraglide/messages.js'

/** The 4 px bar that says "working" without a number. Source: spec, "loader bar 4". */
export function LoadingBar({ label }: { label?: string | undefined }) {
  return <div className="bar4" role="progressbar" aria-label={label ?? m.ui_loading()} />
}

export interface ProgressBarProps {
  label: string
  value: number
  max: number
}

/** A bar of 8 px with a known end; the numbers are next to it as text. */
export function ProgressBar({ label, value, max }: ProgressBarProps) {
  const share = max > 0 ? Math.min(1, value / max) : 0
  return (
    <div
      role="progressbar"
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={max}
      aria-valuenow={value}
      className="h-2 overflow-hidden rounded-full bg-line"
    >
      <div
        className="h-full rounded-full bg-brand transition-[width] duration-150"
        style={{ width: `${share * 100}%` }}
      />
    </div>
  )
}
