import type { ReactNode } from 'react'

/** Names and values of a record, hairlines between them. */
export function DefinitionList({ children }: { children: ReactNode }) {
  return <dl className="border-t border-line">{children}</dl>
}

/** One line of a definition list; an absent value shows a dash. */
export function Definition({ label, children }: { label: string; children?: ReactNode }) {
  const isEmpty = children === undefined || children === null || children === ''
  return (
    <div className="flex min-h-9 items-center gap-3 border-t border-line px-4 py-1.5 first:border-0">
      <dt className="w-[112px] shrink-0 text-ink-2">{label}</dt>
      <dd className="min-w-0 flex-1 break-words text-ink-strong">
        {isEmpty ? <span className="text-ink-2">–</span> : children}
      </dd>
    </div>
  )
}

export interface Figure {
  label: string
  value: ReactNode
  note?: ReactNode
}

/** A row of figures: small label, big number, note. Two columns on phones. */
export function Figures({ figures }: { figures: readonly Figure[] }) {
  return (
    <dl className="card grid grid-cols-2 overflow-hidden lg:auto-cols-fr lg:grid-flow-col lg:grid-cols-none">
      {figures.map(({ label, value, note }) => (
        <div key={label} className="-mt-px -ms-px border-s border-t border-line px-4 py-3">
          <dt className="text-xs text-ink-2">{label}</dt>
          <dd>
            <span className="num block text-2xl font-semibold tracking-tight text-ink-strong">{value}</span>
            {note !== undefined && <span className="num text-xs text-ink-2">{note}</span>}
          </dd>
        </div>
      ))}
    </dl>
  )
}
