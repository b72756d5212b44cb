import type { Role } from '@tour-ops/contract/identity/access'
import { AppError } from '@tour-ops/contract/errors'
import type { DemoAccount } from '@tour-ops/contract/page-config'
import { ArrowRight, Building2, Compass, Eye, IdCard, Radio, Settings2, type LucideIcon } from 'lucide-react'
import { useState } from 'react'
import { roleName } from '../role-name.ts'
import { m } from '../../paraglide/messages.js'
import { currentAccounts } from '../accounts-port.ts'
import { FormProblem } from './identity-card.tsx'
import { identityErrorText } from './identity-errors.ts'
import { leaveForTarget, useRedirectTargets, useReturnPath } from './redirects.ts'

const looks: Readonly<Record<Role, { icon: LucideIcon; may: () => string }>> = {
  admin: { icon: Settings2, may: () => m.identity_demo_admin() },
  operations_manager: { icon: Building2, may: () => m.identity_demo_operations_manager() },
  dispatcher: { icon: Radio, may: () => m.identity_demo_dispatcher() },
  tour_designer: { icon: Compass, may: () => m.identity_demo_tour_designer() },
  guide: { icon: IdCard, may: () => m.identity_demo_guide() },
  viewer: { icon: Eye, may: () => m.identity_demo_viewer() },
}

export interface DemoAccountsProps {
  accounts: readonly DemoAccount[]
  /** Someone set up an authenticator app for this made-up person: its code is next. */
  onSecondFactor: () => void
}

/** One click signs in as one of the made-up people; only where the page configuration offers them. */
export function DemoAccounts({ accounts, onSecondFactor }: DemoAccountsProps) {
  const { afterSignIn } = useRedirectTargets()
  const returnPath = useReturnPath()
  const [pending, setPending] = useState<string | null>(null)
  const [problem, setProblem] = useState<string | null>(null)
  const enter = async ({ email, password }: DemoAccount) => {
    if (pending !== null) return
    setProblem(null)
    setPending(email)
    try {
      const outcome = await currentAccounts().signIn({ email, password })
      if (outcome === 'second-factor') onSecondFactor()
      else leaveForTarget(afterSignIn, returnPath)
    } catch (error) {
      setProblem(identityErrorText(AppError.from(error)))
    } finally {
      setPending(null)
    }
  }
  return (
    <div className="flex flex-col bg-surface-2 p-5 sm:p-8">
      <h2 className="text-lg leading-7 font-semibold">{m.identity_demo_title()}</h2>
      <p className="mt-0.5 text-ink-2">{m.identity_demo_lead()}</p>
      <ul className="card mt-5 divide-y divide-line overflow-hidden">
        {accounts.map((account) => (
          <li key={account.email}>
            <DemoRow account={account} isPending={pending === account.email} onEnter={() => void enter(account)} />
          </li>
        ))}
      </ul>
      {problem !== null && (
        <div className="mt-3">
          <FormProblem>{problem}</FormProblem>
        </div>
      )}
      <p className="mt-4 text-xs text-ink-2">{m.identity_demo_why()}</p>
    </div>
  )
}

interface DemoRowProps {
  account: DemoAccount
  isPending: boolean
  onEnter: () => void
}

function DemoRow({ account: { role, name }, isPending, onEnter }: DemoRowProps) {
  const { icon: Icon, may } = looks[role]
  return (
    <button
      type="button"
      className="flex min-h-[47px] w-full items-center gap-3 px-3 text-start hover:bg-brand-tint focus-visible:-outline-offset-2"
      aria-busy={isPending || undefined}
      onClick={onEnter}
    >
      <span className="grid size-8 shrink-0 place-items-center rounded-lg bg-surface-2 text-ink-2" aria-hidden>
        <Icon size={16} />
      </span>
      <span className="min-w-0 flex-1 py-1 leading-tight">
        <b className="block font-medium text-ink-strong">{roleName(role)}</b>
        <span className="block text-xs leading-4 sm:truncate text-ink-2">
          <bdi>{name}</bdi> · {may()}
        </span>
      </span>
      {isPending ? (
        <span className="spinner" aria-hidden />
      ) : (
        <ArrowRight size={16} className="shrink-0 text-ink-2 rtl:-scale-x-100" aria-hidden />
      )}
    </button>
  )
}
