import { CircleAlert, CircleCheck, Info, TriangleAlert, UserX, type LucideIcon } from 'lucide-react'
import type { ReactNode } from 'react'
import type { Tone } from './chip.tsx'
import { classNames } from './class-names.ts'

const icons: Record<Tone, LucideIcon> = {
  neutral: Info,
  info: Info,
  ok: CircleCheck,
  warn: TriangleAlert,
  bad: CircleAlert,
  gap: UserX,
}

export interface BannerProps {
  tone?: Tone | undefined
  icon?: LucideIcon | undefined
  /** Bold first line. */
  title?: ReactNode
  children?: ReactNode
  actions?: ReactNode
  /** `alert` interrupts a screen reader, `status` waits. */
  role?: 'alert' | 'status' | undefined
  /** Framed, for a refusal at the place of the mistake. */
  framed?: boolean | undefined
}

/** A message that stays in the page: offline, refused, read-only. */
export function Banner({ tone = 'neutral', icon, title, children, actions, role, framed }: BannerProps) {
  const Icon = icon ?? icons[tone]
  return (
    <div role={role} className={classNames('note', `tone-${tone}`, framed && 'border border-[var(--fg)]')}>
      <Icon size={18} className="mt-px shrink-0" aria-hidden />
      <div className="min-w-0 flex-1">
        {title !== undefined && <b className="block text-base font-semibold">{title}</b>}
        {children !== undefined && <div className="text-ink-strong">{children}</div>}
        {actions !== undefined && <div className="mt-3 flex flex-wrap gap-2">{actions}</div>}
      </div>
    </div>
  )
}
