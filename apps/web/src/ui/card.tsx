import { useId, type ReactNode } from 'react'
import { classNames } from './class-names.ts'

export interface CardProps {
  title?: ReactNode
  /** One line under the title. */
  context?: ReactNode
  /** At the end of the head. */
  actions?: ReactNode
  children: ReactNode
  /** Padding around the content; off for tables and definition lists that reach the edges. */
  padded?: boolean | undefined
  className?: string | undefined
}

/** A surface with a hairline, named by its title. */
export function Card({ title, context, actions, children, padded, className }: CardProps) {
  const titleId = useId()
  return (
    <section
      className={classNames('card overflow-hidden', className)}
      aria-labelledby={title === undefined ? undefined : titleId}
    >
      {title !== undefined && (
        <div className="flex min-h-12 flex-wrap items-center gap-x-2 gap-y-1 px-4 py-2">
          <div className="min-w-0">
            <h2 id={titleId} className="text-base font-semibold">
              {title}
            </h2>
            {context !== undefined && <p className="text-ink-2">{context}</p>}
          </div>
          <span className="flex-1" />
          {actions}
        </div>
      )}
      {padded ? <div className={classNames('px-4 pb-4', title === undefined && 'pt-4')}>{children}</div> : children}
    </section>
  )
}
