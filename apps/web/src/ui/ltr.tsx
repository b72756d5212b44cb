import type { ReactNode } from 'react'
import { classNames } from './class-names.ts'

/** A time, a range, a signed delay or a code: never reordered in right-to-left text, digits of one width. */
export function Ltr({ children, className }: { children: ReactNode; className?: string | undefined }) {
  return <bdi className={classNames('ltr num', className)}>{children}</bdi>
}
