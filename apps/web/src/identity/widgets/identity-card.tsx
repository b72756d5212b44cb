import { useId, type ReactNode } from 'react'
import { Banner } from '../../ui/banner.tsx'

export interface IdentityCardProps {
  title: ReactNode
  /** One line under the title. */
  lead?: ReactNode
  children?: ReactNode
}

/** The card of a page without a shell: 440 wide, one act. */
export function IdentityCard({ title, lead, children }: IdentityCardProps) {
  return (
    <div className="card w-full max-w-[440px] p-5 sm:p-8">
      <IdentityHead title={title} lead={lead} />
      {children}
    </div>
  )
}

export function IdentityHead({ title, lead }: Pick<IdentityCardProps, 'title' | 'lead'>) {
  return (
    <>
      <h1 className="text-xl font-semibold tracking-tight">{title}</h1>
      {lead !== undefined && <p className="mt-0.5 text-ink-2">{lead}</p>}
    </>
  )
}

/** Errors that belong to no field, above the button. */
export const FormProblem = ({ children }: { children: ReactNode }) =>
  children ? (
    <Banner tone="bad" role="alert">
      {children}
    </Banner>
  ) : null

/** A line with words in its middle: "or with". */
export function Divider({ children }: { children: ReactNode }) {
  return (
    <p className="flex items-center gap-3 text-xs text-ink-2">
      <span className="h-px flex-1 bg-line" aria-hidden />
      {children}
      <span className="h-px flex-1 bg-line" aria-hidden />
    </p>
  )
}

/** A title for a part of a page, tied to it. */
export function TitledPart({ title, children }: { title: string; children: ReactNode }) {
  const id = useId()
  return (
    <section aria-labelledby={id}>
      <h2 id={id} className="mt-5 mb-2 text-sm font-semibold">
        {title}
      </h2>
      {children}
    </section>
  )
}
