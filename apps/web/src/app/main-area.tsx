import type { ReactNode } from 'react'
import { useDrawer } from './shell/drawer-state.ts'

/** The one `<main>` of the document: the skip link and every navigation put the focus here. Out of reach while the menu covers it. */
export function MainArea({ className, children }: { className?: string | undefined; children: ReactNode }) {
  const isCovered = useDrawer((state) => state.isOpen)
  return (
    <main id="main" tabIndex={-1} className={className} inert={isCovered}>
      {children}
    </main>
  )
}
