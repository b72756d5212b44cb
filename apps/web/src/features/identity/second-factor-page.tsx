import { Link } from '@tanstack/react-router'
import { AppError } from '@tour-ops/contract/errors'
import { KeyRound } from 'lucide-react'
import { useEffect } from 'react'
import { navigateTo } from '../../addresses/navigate-to.ts'
import { paths } from '../../addresses/paths.ts'
import { signOut } from '../../identity/sign-out.ts'
import { useAuth, useSession } from '../../identity/access.ts'
import { currentAccountSecurity, type SecurityOverview } from '../../identity/account-security-port.ts'
import { FormProblem, IdentityHead } from '../../identity/widgets/identity-card.tsx'
import { identityErrorText } from '../../identity/widgets/identity-errors.ts'
import { useReturnPath } from '../../identity/widgets/redirects.ts'
import { AuthenticatorPart } from '../../identity/widgets/security/authenticator-part.tsx'
import { PasskeysPart } from '../../identity/widgets/security/passkeys-part.tsx'
import { useSecurity } from '../../identity/widgets/security/use-security.ts'
import { useAttempt } from '../../identity/widgets/use-attempt.ts'
import { m } from '../../paraglide/messages.js'
import { Button, buttonClass } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { ErrorPanel } from '../../ui/error-panel.tsx'
import { SkeletonRows } from '../../ui/skeleton.tsx'

/** Where people set up the second factor that their organization asks for, or show the one they have; leads on as soon as that is done. */
export function SecondFactorPage() {
  const { isBackendSignedIn, needsSecondFactor } = useAuth()
  const organization = useSession().organization?.name
  const returnPath = useReturnPath() ?? paths.overview()
  const { data, error, refetch } = useSecurity()
  const isDone = isBackendSignedIn && !needsSecondFactor && data !== undefined && data.secondFactor !== null
  useEffect(() => {
    if (isDone) navigateTo(returnPath, { replace: true })
  }, [isDone, returnPath])
  return (
    <div className="w-full max-w-[680px] self-start">
      <IdentityHead
        title={m.security_factor_title()}
        lead={organization ? m.security_factor_lead({ organization }) : m.security_factor_lead_none()}
      />
      <div className="mt-5 flex flex-col gap-4">
        {data && !isDone && <Ways overview={data} />}
        {!data && error && (
          <ErrorPanel message={identityErrorText(AppError.from(error))} onRetry={() => void refetch()} />
        )}
        {!data && !error && <SkeletonRows rows={6} />}
      </div>
      <div className="mt-5 flex flex-wrap gap-2">
        {needsSecondFactor ? (
          <Link to="/organizations" className={buttonClass({})}>
            {m.security_factor_other_organization()}
          </Link>
        ) : (
          <Button onClick={() => navigateTo(returnPath, { replace: true })}>{m.security_factor_later()}</Button>
        )}
        <Button variant="ghost" onClick={() => void signOut()}>
          {m.security_session_sign_out()}
        </Button>
      </div>
    </div>
  )
}

/** A person with a passkey confirms with it; a password alone must not be enough to add another factor. */
function Ways({ overview }: { overview: SecurityOverview }) {
  const hasUnusedPasskey = overview.passkeys.length > 0 && overview.secondFactor === null
  if (hasUnusedPasskey) return <UsePasskey />
  return (
    <>
      <AuthenticatorPart overview={overview} />
      <PasskeysPart overview={overview} />
    </>
  )
}

function UsePasskey() {
  const attempt = useAttempt({ fields: [], act: () => currentAccountSecurity().signInWithPasskey() })
  return (
    <Card padded title={m.security_passkeys()}>
      <form className="flex flex-col items-start gap-3" noValidate onSubmit={attempt.submit}>
        <p className="text-ink-2">{m.security_factor_use_passkey()}</p>
        <FormProblem>{attempt.problems.form}</FormProblem>
        <Button type="submit" variant="primary" icon={KeyRound} pending={attempt.isPending}>
          {m.security_passkey_sign_in()}
        </Button>
      </form>
    </Card>
  )
}
