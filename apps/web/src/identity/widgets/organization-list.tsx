import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { AppError } from '@tour-ops/contract/errors'
import { Check, ChevronRight, Mail, Plus } from 'lucide-react'
import { useEffect, useRef, useState, type KeyboardEvent } from 'react'
import { roleName } from '../role-name.ts'
import { useNow } from '../../ui/clock.ts'
import { m } from '../../paraglide/messages.js'
import { Button, buttonClass } from '../../ui/button.tsx'
import { classNames } from '../../ui/class-names.ts'
import { ErrorPanel } from '../../ui/error-panel.tsx'
import { formatPastAge, formatDay, localDateOf } from '../../ui/format.ts'
import { Kbd } from '../../ui/kbd.tsx'
import { moveInList } from '../../ui/move-in-list.ts'
import { SkeletonRows } from '../../ui/skeleton.tsx'
import { currentAccounts, type OwnInvitation } from '../accounts-port.ts'
import { useAuth } from '../access.ts'
import { currentIdentity, type OwnOrganization } from '../port.ts'
import { SignOutButton } from './identity-buttons.tsx'
import { IdentityHead, TitledPart } from './identity-card.tsx'
import { identityErrorText } from './identity-errors.ts'
import { OrganizationTile } from './organization-tile.tsx'
import { invitationsKey, organizationsKey } from './organization-queries.ts'
import { goToTarget, useRedirectTargets } from './redirects.ts'

/** The organizations of the person, the one used last first and focused; invitations apart. */
export function OrganizationList() {
  const { userEmail, userName } = useAuth()
  const organizations = useQuery({
    queryKey: organizationsKey,
    queryFn: () => currentIdentity().listOrganizations(),
    staleTime: 0,
  })
  const invitations = useQuery({
    queryKey: invitationsKey,
    queryFn: () => currentAccounts().listInvitations(),
    staleTime: 0,
    // Invitations go to addresses; who came with a wallet has none.
    enabled: userEmail !== null,
  })
  const signedInAs = m.identity_signed_in_as({ person: userEmail ?? userName ?? '' })
  const isEmpty = organizations.data?.length === 0
  return (
    <div className="w-full max-w-[500px]">
      <IdentityHead
        title={isEmpty ? m.identity_no_organization() : m.app_title_organizations()}
        lead={`${signedInAs} ${isEmpty ? m.identity_no_organization_text() : m.identity_switch_any_time()}`}
      />
      {organizations.isPending && <SkeletonRows rows={3} />}
      {organizations.error && (
        <ErrorPanel
          message={identityErrorText(AppError.from(organizations.error))}
          onRetry={() => void organizations.refetch()}
        />
      )}
      {organizations.data && organizations.data.length > 0 && <Choice organizations={organizations.data} />}
      {invitations.data && invitations.data.length > 0 && <Invitations invitations={invitations.data} />}
      <div className="mt-6 flex items-center justify-between gap-2">
        <Link to="/create-organization" className={buttonClass({ variant: isEmpty ? 'primary' : 'secondary' })}>
          <Plus size={16} aria-hidden />
          {m.identity_create_organization()}
        </Link>
        <SignOutButton />
      </div>
    </div>
  )
}

function Choice({ organizations }: { organizations: readonly OwnOrganization[] }) {
  const { orgId } = useAuth()
  const { afterSelectOrganization } = useRedirectTargets()
  const list = useRef<HTMLUListElement>(null)
  const [at, setAt] = useState(0)
  const [pending, setPending] = useState<string | null>(null)
  const [problem, setProblem] = useState<string | null>(null)
  useEffect(() => rowsOf(list.current)[0]?.focus({ preventScroll: true }), [])

  const enter = async (id: string) => {
    if (pending !== null) return
    setProblem(null)
    setPending(id)
    try {
      if (id !== orgId) await currentIdentity().setActiveOrganization(id)
      goToTarget(afterSelectOrganization)
    } catch {
      setProblem(m.app_organization_not_switched())
    } finally {
      setPending(null)
    }
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const next = moveInList(event, at, organizations.length, 'vertical')
    if (next === null) return
    event.preventDefault()
    rowsOf(list.current)[next]?.focus()
  }
  return (
    <>
      <ul ref={list} className="card mt-5 divide-y divide-line overflow-hidden">
        {organizations.map((organization, place) => (
          <li key={organization.id}>
            <OrganizationRow
              organization={organization}
              isAt={place === at}
              isPending={pending === organization.id}
              onAt={() => setAt(place)}
              onEnter={() => void enter(organization.id)}
              onKeyDown={onKeyDown}
            />
          </li>
        ))}
      </ul>
      {problem !== null && (
        <p role="alert" className="mt-3 font-medium text-bad">
          {problem}
        </p>
      )}
    </>
  )
}

const rowsOf = (list: HTMLElement | null): HTMLElement[] => [...(list?.querySelectorAll<HTMLElement>('button') ?? [])]

interface OrganizationRowProps {
  organization: OwnOrganization
  isAt: boolean
  isPending: boolean
  onAt: () => void
  onEnter: () => void
  onKeyDown: (event: KeyboardEvent) => void
}

/** The tint, the edge and the key move with the focus: they are its mark. */
function OrganizationRow({ organization, isAt, isPending, onAt, onEnter, onKeyDown }: OrganizationRowProps) {
  const { id, name, imageUrl, role, membersCount, lastUsedAt } = organization
  const isSuspended = role === null
  return (
    <button
      type="button"
      className={classNames(
        'relative flex min-h-[70px] w-full items-center gap-3.5 px-4 text-start outline-none',
        isAt && 'bg-brand-tint',
      )}
      aria-disabled={isSuspended || undefined}
      aria-busy={isPending || undefined}
      onFocus={onAt}
      onPointerMove={(event) => event.currentTarget.focus({ preventScroll: true })}
      onKeyDown={onKeyDown}
      onClick={() => !isSuspended && onEnter()}
    >
      {isAt && <span className="absolute inset-y-0 start-0 w-[3px] bg-brand" aria-hidden />}
      <OrganizationTile id={id} name={name} imageUrl={imageUrl} />
      <span className="min-w-0 flex-1 leading-5">
        <b className="block truncate text-base font-semibold text-ink-strong">
          <bdi>{name}</bdi>
        </b>
        <span className="block truncate text-ink-2">
          {role ? roleName(role) : m.identity_suspended()}
          {/* suspended members see only the name */}
          {typeof membersCount === 'number' && ` · ${m.identity_members({ count: membersCount })}`}
        </span>
      </span>
      <LastUsed at={lastUsedAt} />
      {isPending ? (
        <span className="spinner" aria-hidden />
      ) : isAt && !isSuspended ? (
        <span className="max-sm:hidden coarse:hidden" aria-hidden>
          <Kbd keys={[m.identity_enter_key()]} />
        </span>
      ) : (
        <ChevronRight size={18} className="shrink-0 text-ink-2 rtl:-scale-x-100" aria-hidden />
      )}
    </button>
  )
}

function LastUsed({ at }: { at: Date | null }) {
  const now = useNow(60_000)
  if (!at) return null
  const isToday = localDateOf(at) === localDateOf(now)
  return (
    <span className="num shrink-0 text-xs text-ink-2">
      {isToday ? m.identity_used_today() : formatPastAge(at, now)}
    </span>
  )
}

function Invitations({ invitations }: { invitations: readonly OwnInvitation[] }) {
  return (
    <TitledPart title={m.identity_invitations()}>
      <ul className="card divide-y divide-line">
        {invitations.map((invitation) => (
          <InvitationRow key={invitation.id} invitation={invitation} />
        ))}
      </ul>
    </TitledPart>
  )
}

function InvitationRow({ invitation }: { invitation: OwnInvitation }) {
  const { id, organizationName, role, expiresAt } = invitation
  const { afterSelectOrganization } = useRedirectTargets()
  const cache = useQueryClient()
  const [pending, setPending] = useState<'accept' | 'decline' | null>(null)
  const [problem, setProblem] = useState<string | null>(null)
  const answer = async (word: 'accept' | 'decline') => {
    setProblem(null)
    setPending(word)
    try {
      if (word === 'accept') {
        await currentAccounts().acceptInvitation(id)
        goToTarget(afterSelectOrganization)
      } else {
        await currentAccounts().declineInvitation(id)
        await cache.invalidateQueries({ queryKey: invitationsKey })
      }
    } catch (error) {
      setProblem(identityErrorText(AppError.from(error)))
    } finally {
      setPending(null)
    }
  }
  return (
    <li className="flex min-h-[70px] flex-wrap items-center gap-x-3.5 gap-y-2 px-4 py-3">
      <span className="grid size-10 shrink-0 place-items-center rounded-[10px] bg-surface-2 text-ink-2" aria-hidden>
        <Mail size={18} />
      </span>
      <span className="min-w-0 flex-1 leading-5">
        <b className="block truncate font-semibold text-ink-strong">
          <bdi>{organizationName}</bdi>
        </b>
        <span className="block text-ink-2">
          {role && `${roleName(role)} · `}
          {m.identity_invitation_ends({ day: formatDay(expiresAt) })}
        </span>
      </span>
      <span className="flex gap-2">
        <Button variant="ghost" pending={pending === 'decline'} onClick={() => void answer('decline')}>
          {m.identity_decline()}
        </Button>
        <Button icon={Check} pending={pending === 'accept'} onClick={() => void answer('accept')}>
          {m.identity_accept()}
        </Button>
      </span>
      {problem !== null && (
        <p role="alert" className="w-full font-medium text-bad">
          {problem}
        </p>
      )}
    </li>
  )
}
