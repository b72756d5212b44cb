import { Link, useRouterState } from '@tanstack/react-router'
import { useQuery } from '@tanstack/react-query'
import { permissions, type Permission } from '@tour-ops/contract/identity/access'
import { askForAccess, listHelpers } from '@tour-ops/contract/members/access-requests'
import { Lock } from 'lucide-react'
import { useEffect } from 'react'
import { callQuery, useCall } from '../../backend/queries.ts'
import { useAccess, useAuth } from '../../identity/access.ts'
import { m } from '../../paraglide/messages.js'
import { Avatar } from '../../ui/avatar.tsx'
import { Button, buttonClass } from '../../ui/button.tsx'
import { Ltr } from '../../ui/ltr.tsx'
import { toast } from '../../ui/toast.tsx'
import { paths } from '../../addresses/paths.ts'
import { roleName } from '../../identity/role-name.ts'
import { isActive, visibleGroups } from '../shell/navigation.ts'
import { refusalText } from '../../errors/refusal-text.ts'

const isPermission = (name: string): name is Permission => permissions.includes(name as Permission)

/** Replaces the page, inside the shell, and names what is missing. See ARCHITECTURE.md, "Where the specification is silent". */
export function PermissionPage({ permission }: { permission: string }) {
  const { orgName, orgRole } = useAuth()
  useEffect(() => {
    document.title = `${m.errors_permission_title()} · ${m.app_product_name()}`
  }, [])
  return (
    <div
      className="grid min-h-[calc(100dvh-var(--top))] place-items-center px-4 py-6"
      data-missing-permission={permission}
    >
      <div className="w-full max-w-[500px]">
        <span className="grid size-12 place-items-center rounded-xl bg-neutral-bg text-neutral">
          <Lock size={22} aria-hidden />
        </span>
        <h1 className="mt-5 text-2xl font-semibold tracking-tight">{m.errors_permission_title()}</h1>
        <p className="mt-1 text-base text-ink">
          {m.errors_permission_needs()}{' '}
          <Ltr className="rounded bg-neutral-bg px-1.5 py-0.5 text-sm text-ink-strong">{permission}</Ltr>.{' '}
          {orgRole && orgName && m.errors_permission_you_are({ role: roleName(orgRole), organization: orgName })}
        </p>
        {isPermission(permission) && <Helpers permission={permission} />}
      </div>
    </div>
  )
}

/** Who can change the role, a question to them, and the nearest page that is open. */
function Helpers({ permission }: { permission: Permission }) {
  const { data } = useQuery(callQuery(listHelpers, {}))
  const path = useRouterState({ select: (state) => state.location.pathname })
  const ask = useCall(askForAccess, { onSuccess: ({ asked }) => toast(m.errors_permission_asked({ count: asked })) })
  const people = data?.people ?? []
  return (
    <>
      {people.length > 0 && (
        <div className="card mt-5">
          <p className="px-4 pt-3 text-xs text-ink-2">{m.errors_permission_people()}</p>
          <ul className="py-1">
            {people.map(({ userId, name, role }) => (
              <li key={userId} className="flex h-11 items-center gap-3 px-4">
                <Avatar name={name} size={28} />
                <b className="truncate font-medium text-ink-strong">{name}</b>
                <span className="ms-auto text-ink-2">{roleName(role)}</span>
              </li>
            ))}
          </ul>
        </div>
      )}
      <div className="mt-5 flex flex-wrap gap-2">
        {people.length > 0 && !ask.isSuccess && (
          <Button variant="primary" pending={ask.isPending} onClick={() => ask.mutate({ permission, path })}>
            {m.errors_permission_ask()}
          </Button>
        )}
        <NearestPage />
      </div>
      {people.length > 0 && (
        <p className="mt-4 text-xs text-ink-2" role="status">
          {ask.error
            ? refusalText(ask.error)
            : ask.isSuccess
              ? m.errors_permission_sent()
              : m.errors_permission_they_get()}
        </p>
      )}
    </>
  )
}

/** The entry of the same section, where the person may read it, else the overview. */
function NearestPage() {
  const access = useAccess()
  const pathname = useRouterState({ select: (state) => state.location.pathname })
  const entry = visibleGroups((permission) => access.can(permission))
    .flatMap((group) => group.entries)
    .find((each) => isActive(each, pathname))
  return (
    <Link to={entry?.path ?? paths.overview()} className={buttonClass()}>
      {entry?.label() ?? m.errors_go_to_overview()}
    </Link>
  )
}
