import { isDutyPath } from '@tour-ops/contract/duty/duty-terms'
import { Outlet, createRootRouteWithContext, redirect, rootRouteId } from '@tanstack/react-router'
import { lazy } from 'react'
import { runGuards, type RouterContext } from '../app/guards.ts'
import { RouteError, RouteFrame } from '../app/route-frame.tsx'
import { ShellSlotsContext, type ShellSlots } from '../app/shell/slots.ts'
import { OrganizationSwitcher } from '../identity/widgets/organization-switcher.tsx'
import { UserButton } from '../app/shell/user-button.tsx'

const Palette = lazy(() => import('../features/search/palette.tsx').then((loaded) => ({ default: loaded.Palette })))

/** What features bring to the shell. */
const slots: ShellSlots = { OrganizationSwitcher, UserButton, Palette }

export const Route = createRootRouteWithContext<RouterContext>()({
  beforeLoad: ({ matches, location, context }) => {
    const path = runGuards(
      matches.filter((match) => match.routeId !== rootRouteId),
      location,
      context,
    )
    // the guide's phone is another application: its document is loaded
    if (path !== undefined) throw redirect({ href: path, replace: true, reloadDocument: isDutyPath(path) })
  },
  component: () => (
    <ShellSlotsContext value={slots}>
      <RouteFrame>
        <Outlet />
      </RouteFrame>
    </ShellSlotsContext>
  ),
  errorComponent: (props) => (
    <ShellSlotsContext value={slots}>
      <RouteError {...props} />
    </ShellSlotsContext>
  ),
})
