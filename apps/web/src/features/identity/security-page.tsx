import { AppError } from '@tour-ops/contract/errors'
import { ArrowLeft } from 'lucide-react'
import { navigateTo } from '../../addresses/navigate-to.ts'
import { paths } from '../../addresses/paths.ts'
import { useAuth } from '../../identity/access.ts'
import type { SecurityOverview } from '../../identity/account-security-port.ts'
import { IdentityHead } from '../../identity/widgets/identity-card.tsx'
import { identityErrorText } from '../../identity/widgets/identity-errors.ts'
import { AuthenticatorPart } from '../../identity/widgets/security/authenticator-part.tsx'
import { PasskeysPart } from '../../identity/widgets/security/passkeys-part.tsx'
import { PasswordForm } from '../../identity/widgets/security/password-form.tsx'
import { SessionsPart } from '../../identity/widgets/security/sessions-part.tsx'
import { useSecurity, useSecurityRefresh } from '../../identity/widgets/security/use-security.ts'
import { m } from '../../paraglide/messages.js'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { ErrorPanel } from '../../ui/error-panel.tsx'
import { SkeletonRows } from '../../ui/skeleton.tsx'

/** Password, second factor, passkeys and sessions of the own account, where our own server keeps accounts. */
export function SecurityPage() {
  const { organization } = useAuth()
  const { data, error, refetch } = useSecurity()
  const back = () => navigateTo(organization ? paths.overview() : paths.organizations())
  return (
    <div className="w-full max-w-[680px] self-start">
      <Button variant="ghost" icon={ArrowLeft} className="-ms-3 mb-2" onClick={back}>
        {m.security_back()}
      </Button>
      <IdentityHead title={m.security_title()} lead={m.security_lead()} />
      <div className="mt-5 flex flex-col gap-4">
        {data && <Parts overview={data} />}
        {!data && error && (
          <ErrorPanel message={identityErrorText(AppError.from(error))} onRetry={() => void refetch()} />
        )}
        {!data && !error && <SkeletonRows rows={6} />}
      </div>
    </div>
  )
}

function Parts({ overview }: { overview: SecurityOverview }) {
  const refresh = useSecurityRefresh()
  return (
    <>
      {overview.hasPassword && (
        <Card padded title={m.security_password()}>
          <p className="mb-3 text-ink-2">{m.security_password_text()}</p>
          <PasswordForm onChanged={refresh} />
        </Card>
      )}
      <AuthenticatorPart overview={overview} />
      <PasskeysPart overview={overview} />
      <SessionsPart sessions={overview.sessions} />
    </>
  )
}
