import type { ReactNode } from 'react'
import { classNames } from './class-names.ts'

export interface PageHeadProps {
  /** The way back to the list that a record is from, over its title. */
  back?: ReactNode
  title: ReactNode
  /** One line of context next to the title. */
  context?: ReactNode
  /** At most one filled button among them. */
  actions?: ReactNode
}

/** Head of a page, 64 high: title, one line of context, actions at the end, also where they have a line of their own. */
export function PageHead({ back, title, context, actions }: PageHeadProps) {
  return (
    <header className="flex min-h-16 shrink-0 flex-wrap items-center gap-x-3 gap-y-1 px-4 py-3 lg:px-6 lg:py-2">
      {back !== undefined && <div className="w-full">{back}</div>}
      <h1 className="text-xl font-semibold tracking-tight">{title}</h1>
      {context !== undefined && <span className="num min-w-0 text-ink-2">{context}</span>}
      {actions !== undefined && (
        <div data-actions className="ms-auto flex flex-wrap items-center justify-end gap-2">
          {actions}
        </div>
      )}
    </header>
  )
}

export interface PageProps extends PageHeadProps {
  children: ReactNode
  /** Fills the window from 1280 px and lets what is inside scroll (lists, maps); else the page scrolls. */
  fill?: boolean | undefined
  /** Leaves out the side and bottom padding. */
  bare?: boolean | undefined
  /** A bar at the bottom edge: save bar, what will happen. */
  footer?: ReactNode
}

/** A screen inside the shell: head, content and perhaps a footer. */
export function Page({ children, fill, bare, footer, ...head }: PageProps) {
  return (
    <div
      className={classNames(
        'flex min-h-[calc(100dvh-var(--top))] flex-col',
        fill && 'lg:h-[calc(100dvh-var(--top))] lg:min-h-0',
      )}
    >
      <PageHead {...head} />
      <div className={classNames('flex min-h-0 min-w-0 flex-1 flex-col', !bare && 'px-4 pb-6 lg:px-6')}>{children}</div>
      {footer}
    </div>
  )
}
