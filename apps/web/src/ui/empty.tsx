import { SearchX, type LucideIcon } from 'lucide-react'
import type { ReactNode } from 'react'
import { m } from '../paraglide/messages.js'
import { Button } from './button.tsx'

export interface EmptyProps {
  title: string
  /** What would be here, and what fills it. */
  children?: ReactNode
  icon?: LucideIcon | undefined
  actions?: ReactNode
}

/** Says that nothing is here yet and what to do about it. */
export function Empty({ title, children, icon: Icon, actions }: EmptyProps) {
  return (
    <div className="mx-auto flex max-w-[440px] flex-col items-center gap-1 px-4 py-12 text-center">
      {Icon && <Icon size={24} strokeWidth={1.75} className="mb-2 text-ink-2" aria-hidden />}
      <p className="text-base font-semibold text-ink-strong">{title}</p>
      {children !== undefined && <p className="text-ink-2">{children}</p>}
      {actions !== undefined && <div className="mt-3 flex flex-wrap justify-center gap-2">{actions}</div>}
    </div>
  )
}

/** Nothing matches the search and filters; the way out clears them. */
export function NoMatch({ onClear }: { onClear: () => void }) {
  return (
    <Empty
      title={m.ui_no_match_title()}
      icon={SearchX}
      actions={<Button onClick={onClear}>{m.ui_no_match_clear()}</Button>}
    >
      {m.ui_no_match_text()}
    </Empty>
  )
}
