import type { LucideIcon } from 'lucide-react'
import type { ReactNode } from 'react'

export interface BarProps {
  icon: LucideIcon
  tone?: 'neutral' | 'warn' | 'info' | 'bad'
  title?: string
  text: string
  action?: ReactNode
}

/** A bar under the head of a page. */
export const Bar = ({ icon: Icon, tone, title, text, action }: BarProps) => (
  <div role="status" className={tone ? `duty-bar tone-${tone}` : 'duty-bar'}>
    <Icon size={20} aria-hidden />
    <p className="min-w-0 flex-1 py-1">
      {title !== undefined && <b className="block">{title}</b>}
      {text}
    </p>
    {action}
  </div>
)
