import { useEffect, useRef, type ReactNode } from 'react'
import { classNames } from './class-names.ts'

/** How long a changed value shows that it changed. See docs/screens.md, "Rules for all screens". */
const flashMs = 1500

export interface FlashProps {
  /** What is compared; the children may be more than that. */
  value: string | number | null
  className?: string | undefined
  children: ReactNode
}

/** A value that may change while it is on screen: its ground lights up for a moment, unless the person wants no motion. */
export function Flash({ value, className, children }: FlashProps) {
  const element = useRef<HTMLSpanElement>(null)
  const shown = useRef(value)
  useEffect(() => {
    if (shown.current === value) return
    shown.current = value
    if (matchMedia('(prefers-reduced-motion: reduce)').matches) return
    element.current?.animate([{ backgroundColor: 'var(--brand-tint)' }, { backgroundColor: 'transparent' }], {
      duration: flashMs,
      easing: 'ease-in',
    })
  }, [value])
  return (
    <span ref={element} className={classNames('rounded-md', className)}>
      {children}
    </span>
  )
}
