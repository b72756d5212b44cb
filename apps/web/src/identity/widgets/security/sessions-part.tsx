import { AppError } from '@tour-ops/contract/errors'
import { Monitor, Smartphone } from 'lucide-react'
import { useState } from 'react'
import { useNow } from '../../../ui/clock.ts'
import { m } from '../../../paraglide/messages.js'
import { Button } from '../../../ui/button.tsx'
import { Card } from '../../../ui/card.tsx'
import { ConfirmDialog } from '../../../ui/dialog.tsx'
import { formatPastAge } from '../../../ui/format.ts'
import { Ltr } from '../../../ui/ltr.tsx'
import { toast } from '../../../ui/toast.tsx'
import { currentAccountSecurity, type OwnSession } from '../../account-security-port.ts'
import { FormProblem } from '../identity-card.tsx'
import { identityErrorText } from '../identity-errors.ts'
import { coarseAddress, deviceName } from './device-name.ts'
import { useSecurityRefresh } from './use-security.ts'

/** Where the account is open, with sign-out of one or of all others. Open pages of an ended session leave at once. */
export function SessionsPart({ sessions }: { sessions: readonly OwnSession[] }) {
  const [asksForAll, setAsksForAll] = useState(false)
  const [pending, setPending] = useState<string | null>(null)
  const [problem, setProblem] = useState<string | null>(null)
  const refresh = useSecurityRefresh()
  const run = async (id: string, act: () => Promise<void>, words: string) => {
    setProblem(null)
    setPending(id)
    try {
      await act()
      toast(words)
    } catch (error) {
      setProblem(identityErrorText(AppError.from(error)))
    } finally {
      setPending(null)
      setAsksForAll(false)
      refresh()
    }
  }
  const endOne = ({ id }: OwnSession) =>
    void run(id, () => currentAccountSecurity().endSession(id), m.security_session_signed_out())
  const endOthers = () =>
    void run('all', () => currentAccountSecurity().endOtherSessions(), m.security_sessions_ended())
  return (
    <Card
      padded
      title={m.security_sessions()}
      actions={
        sessions.length > 1 && <Button onClick={() => setAsksForAll(true)}>{m.security_sessions_sign_out()}</Button>
      }
    >
      <p className="text-ink-2">{m.security_sessions_text()}</p>
      <ul className="mt-3 divide-y divide-line border-t border-line" aria-label={m.security_sessions()}>
        {sessions.map((session) => (
          <SessionRow
            key={session.id}
            session={session}
            isPending={pending === session.id}
            onEnd={() => endOne(session)}
          />
        ))}
      </ul>
      <FormProblem>{problem}</FormProblem>
      <ConfirmDialog
        open={asksForAll}
        danger
        onClose={() => setAsksForAll(false)}
        onConfirm={endOthers}
        title={m.security_sessions_sign_out_title()}
        confirmLabel={m.security_sessions_sign_out()}
        pending={pending === 'all'}
      >
        {m.security_sessions_sign_out_text()}
      </ConfirmDialog>
    </Card>
  )
}

interface SessionRowProps {
  session: OwnSession
  isPending: boolean
  onEnd: () => void
}

function SessionRow({ session: { isCurrent, ip, seenAt, userAgent }, isPending, onEnd }: SessionRowProps) {
  const now = useNow(60_000)
  const name = deviceName(userAgent)
  const Icon = /Mobi|Android|iPhone|iPad/.test(userAgent ?? '') ? Smartphone : Monitor
  return (
    <li className="flex min-h-14 items-center gap-3 py-1.5">
      <Icon size={18} className="shrink-0 text-ink-2" aria-hidden />
      <span className="min-w-0 flex-1">
        <span className="block text-ink-strong">{name}</span>
        <span className="num block text-xs text-ink-2">
          {isCurrent ? m.security_session_now() : m.security_session_seen({ age: formatPastAge(seenAt, now) })}
          {ip && (
            <>
              {', '}
              <Ltr>{m.security_session_near({ address: coarseAddress(ip) })}</Ltr>
            </>
          )}
        </span>
      </span>
      {isCurrent ? (
        <span className="text-xs font-medium text-ok">{m.security_session_this()}</span>
      ) : (
        <Button size="sm" pending={isPending} aria-label={m.security_session_sign_out_of({ name })} onClick={onEnd}>
          {m.security_session_sign_out()}
        </Button>
      )}
    </li>
  )
}
