import { useQuery } from '@tanstack/react-query'
import { Building2, ChevronsUpDown, Plus, Settings } from 'lucide-react'
import { lazy, Suspense, useState, type ReactNode } from 'react'
import { navigateTo } from '../../addresses/navigate-to.ts'
import { paths } from '../../addresses/paths.ts'
import { roleName } from '../role-name.ts'
import { m } from '../../paraglide/messages.js'
import { Mark } from '../../ui/mark.tsx'
import { Menu, type MenuAction } from '../../ui/menu.tsx'
import { toast } from '../../ui/toast.tsx'
import { useAuth } from '../access.ts'
import { currentIdentity } from '../port.ts'
import { serviceWidgets } from '../service-widgets.ts'
import { organizationsKey } from './organization-queries.ts'
import { goToTarget, useRedirectTargets } from './redirects.ts'

const OrganizationProfile = lazy(async () => ({
  default: (await import('./organization-profile.tsx')).OrganizationProfile,
}))

/** The organization at the start of the app bar: mark, name, a small line, the list of the others, and its profile. */
export function OrganizationSwitcher({ subtitle }: { subtitle: ReactNode }) {
  const { orgId, orgName, organization } = useAuth()
  const { afterSelectOrganization } = useRedirectTargets()
  const service = serviceWidgets()
  const [isWanted, setWanted] = useState(false)
  const [isProfileOpen, setProfileOpen] = useState(false)
  const { data: organizations = [] } = useQuery({
    queryKey: organizationsKey,
    queryFn: () => currentIdentity().listOrganizations(),
    enabled: isWanted,
  })
  const change = (id: string) => {
    if (id === orgId) return
    currentIdentity()
      .setActiveOrganization(id)
      .then(() => goToTarget(afterSelectOrganization))
      .catch(() => toast(m.app_organization_not_switched()))
  }
  const items: MenuAction[] = [
    ...organizations.map(({ id, name, role }) => ({
      key: id,
      label: name,
      hint: role ? roleName(role) : m.identity_suspended(),
      checked: id === orgId,
      disabled: role === null,
      onSelect: () => change(id),
    })),
    {
      key: 'profile',
      label: m.identity_organization_profile(),
      icon: Settings,
      separated: organizations.length > 0,
      onSelect: () => (service ? service.openOrganizationProfile() : setProfileOpen(true)),
    },
    {
      key: 'all',
      label: m.app_all_organizations(),
      icon: Building2,
      onSelect: () => navigateTo(paths.organizations()),
    },
    {
      key: 'create',
      label: m.identity_create_organization(),
      icon: Plus,
      onSelect: () => navigateTo(paths.createOrganization()),
    },
  ]
  return (
    <div className="contents" onPointerEnter={() => setWanted(true)} onFocus={() => setWanted(true)}>
      <Menu
        label={m.app_switch_organization()}
        items={items}
        width={256}
        className="h-auto w-full min-w-0 justify-start gap-3 border-0 p-1 text-start lg:px-2"
        look={{ variant: 'ghost' }}
      >
        {organization?.imageUrl ? (
          <img src={organization.imageUrl} alt="" className="size-7 shrink-0 rounded-lg bg-white object-contain" />
        ) : (
          <Mark />
        )}
        <span className="sr-only">{m.app_switch_organization()}</span>
        <span className="min-w-0 leading-tight">
          <b className="block truncate text-sm font-semibold text-ink-strong">{orgName}</b>
          <span className="block truncate text-xs font-normal text-ink-2">{subtitle}</span>
        </span>
        <ChevronsUpDown size={16} className="ms-auto shrink-0 text-ink-2 max-lg:hidden" aria-hidden />
      </Menu>
      {isProfileOpen && (
        <Suspense fallback={null}>
          <OrganizationProfile onClose={() => setProfileOpen(false)} />
        </Suspense>
      )}
    </div>
  )
}
