import { useRouterState } from '@tanstack/react-router'
import { useAccess } from '../../identity/access.ts'
import { m } from '../../paraglide/messages.js'
import { classNames } from '../../ui/class-names.ts'
import { Menu } from '../../ui/menu.tsx'
import { navigateTo } from '../../addresses/navigate-to.ts'
import { isActive, visibleGroups, type NavigationGroup } from './navigation.ts'

/** The navigation in the bar: a menu per group, the present one with the name of its entry. */
export function BarNavigation() {
  const access = useAccess()
  const pathname = useRouterState({ select: (state) => state.location.pathname })
  return (
    <nav aria-label={m.app_nav_label()} className="hidden h-full items-center gap-1 lg:flex">
      {visibleGroups((permission) => access.can(permission)).map((group) => (
        <BarGroup key={group.key} group={group} pathname={pathname} />
      ))}
    </nav>
  )
}

function BarGroup({ group, pathname }: { group: NavigationGroup; pathname: string }) {
  const current = group.entries.find((entry) => isActive(entry, pathname))
  return (
    <span
      className={classNames(
        'relative flex h-full items-center',
        current && 'after:absolute after:inset-x-3 after:bottom-0 after:h-[3px] after:rounded-t-sm after:bg-brand',
      )}
    >
      <Menu
        label={current ? `${group.label()}, ${current.label()}` : group.label()}
        look={{ variant: 'ghost', className: classNames('px-3', current && 'bg-brand-tint text-ink-strong') }}
        chevron
        items={group.entries.map((entry) => ({
          key: entry.path,
          label: entry.label(),
          icon: entry.icon,
          checked: entry === current ? true : undefined,
          onSelect: () => navigateTo(entry.path),
        }))}
      >
        <span className="inline-flex items-center gap-2">
          {group.label()}
          {current && (
            <>
              <span aria-hidden>/</span>
              <b className="font-semibold">{current.label()}</b>
            </>
          )}
        </span>
      </Menu>
    </span>
  )
}
