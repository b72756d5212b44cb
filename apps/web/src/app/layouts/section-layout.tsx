import { Outlet } from '@tanstack/react-router'
import type { LayoutName } from '../route-data.ts'

/** One of the named section layouts of the spec, section 2, inside the dashboard. The name is on the element, for styles and tests. */
export function SectionLayout({ name }: { name: LayoutName }) {
  return (
    <div className="contents" data-layout={name}>
      <Outlet />
    </div>
  )
}
