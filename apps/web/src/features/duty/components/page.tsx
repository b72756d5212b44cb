import { ChevronLeft } from 'lucide-react'
import { type ReactNode, useEffect } from 'react'
import { Link } from 'wouter'
import { m } from '../../../paraglide/messages.js'
import { Notices } from './notices.tsx'

export interface DutyPageProps {
  title: string
  /** One line of context under the title. */
  context?: ReactNode
  /** Where the arrow at the start leads; none where the navigation is below. */
  back?: string | undefined
  actions?: ReactNode
  /** Under the title, in the same surface. */
  headMore?: ReactNode
  /** What stays at the thumb: the main button or the navigation. */
  foot?: ReactNode
  children: ReactNode
}

/** A page of the phone: head, bars that say what is not as usual, content, and what stays at the thumb. */
export function DutyPage({ title, context, back, actions, headMore, foot, children }: DutyPageProps) {
  useEffect(() => {
    document.title = title
  }, [title])
  return (
    <div className="duty">
      <div className="duty-scroll">
        <header className="bg-surface">
          <div className="duty-head">
            {back !== undefined && (
              <Link href={back} className="duty-icon -ms-3" aria-label={m.duty_back()}>
                <ChevronLeft size={24} className="text-ink-strong" aria-hidden />
              </Link>
            )}
            <div className="duty-head-text">
              <h1 className="duty-title">{title}</h1>
              {context !== undefined && <p className="duty-small duty-quiet">{context}</p>}
            </div>
            {actions}
          </div>
          {headMore}
        </header>
        <Notices />
        <main className="duty-main">{children}</main>
      </div>
      {foot}
    </div>
  )
}

/** A section with its name; rows in one card. */
export const Section = ({ title, action, children }: { title: string; action?: ReactNode; children: ReactNode }) => (
  <section className="px-4 pt-5">
    <div className="flex min-h-8 flex-wrap items-center justify-between gap-x-3">
      <h2 className="text-ink-2">{title}</h2>
      {action}
    </div>
    <div className="duty-card duty-rows mt-1 overflow-hidden">{children}</div>
  </section>
)
