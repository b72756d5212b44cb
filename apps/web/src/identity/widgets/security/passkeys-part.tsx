import { AppError } from '@tour-ops/contract/errors'
import { Ellipsis, KeyRound, Plus } from 'lucide-react'
import { useState } from 'react'
import { m } from '../../../paraglide/messages.js'
import { Button } from '../../../ui/button.tsx'
import { Card } from '../../../ui/card.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { Field, TextInput } from '../../../ui/field.tsx'
import { formatDate } from '../../../ui/format.ts'
import { Menu } from '../../../ui/menu.tsx'
import { toast } from '../../../ui/toast.tsx'
import { currentAccountSecurity, type OwnPasskey, type SecurityOverview } from '../../account-security-port.ts'
import { FormProblem } from '../identity-card.tsx'
import { identityErrorText, problemsIn } from '../identity-errors.ts'
import { useAttempt } from '../use-attempt.ts'
import { PasswordQuestion } from './password-question.tsx'
import { canUsePasskeys, isNamedHost } from './passkey-support.ts'
import { useSecurityRefresh } from './use-security.ts'

type Act = { kind: 'add' } | { kind: 'rename' | 'remove'; passkey: OwnPasskey }

const nameOf = ({ name }: OwnPasskey): string => name ?? m.security_passkey_unnamed()

/** Longest name of a passkey, as the database has it. */
const longestName = 80

/** Passkeys of the account. Changing them asks for the password first, unless it was typed a moment ago. */
export function PasskeysPart({ overview }: { overview: SecurityOverview }) {
  const { passkeys, passkeyHost } = overview
  const [act, setAct] = useState<Act | null>(null)
  const obstacle = obstacleOf(passkeyHost)
  return (
    <Card padded title={m.security_passkeys()}>
      <p className="text-ink-2">{m.security_passkeys_text()}</p>
      {passkeys.length === 0 ? (
        <p className="mt-3">{m.security_passkeys_none()}</p>
      ) : (
        <ul className="mt-3 divide-y divide-line border-y border-line" aria-label={m.security_passkeys()}>
          {passkeys.map((passkey) => (
            <PasskeyRow key={passkey.id} passkey={passkey} onAct={(kind) => setAct({ kind, passkey })} />
          ))}
        </ul>
      )}
      {obstacle === null ? (
        <Button className="mt-3" icon={Plus} onClick={() => setAct({ kind: 'add' })}>
          {m.security_passkey_add()}
        </Button>
      ) : (
        <p className="mt-3 text-ink-2">{obstacle}</p>
      )}
      {act && <Confirmed key={act.kind} overview={overview} act={act} onClose={() => setAct(null)} />}
    </Card>
  )
}

/** Why no passkey can be made here, as text; null when one can. */
function obstacleOf(passkeyHost: string | null): string | null {
  if (passkeyHost === null) return m.security_passkey_no_host()
  if (!('PublicKeyCredential' in globalThis) && isNamedHost(location.hostname)) return m.security_passkey_unsupported()
  const { hostname, port, protocol } = location
  const isThere = hostname === passkeyHost || hostname.endsWith(`.${passkeyHost}`)
  if (isThere && canUsePasskeys()) return null
  const address = `${protocol}//${passkeyHost}${port ? `:${port}` : ''}${location.pathname}`
  return m.security_passkey_other_host({ address })
}

function PasskeyRow({ passkey, onAct }: { passkey: OwnPasskey; onAct: (kind: 'rename' | 'remove') => void }) {
  const { createdAt, isSynced } = passkey
  const facts = [
    createdAt && m.security_passkey_added_on({ day: formatDate(createdAt) }),
    isSynced && m.security_passkey_synced(),
  ]
  return (
    <li className="flex min-h-12 items-center gap-3 py-1">
      <KeyRound size={16} className="shrink-0 text-ink-2" aria-hidden />
      <span className="min-w-0 flex-1">
        <bdi className="block truncate text-ink-strong">{nameOf(passkey)}</bdi>
        <span className="block text-xs text-ink-2">{facts.filter(Boolean).join(', ')}</span>
      </span>
      <Menu
        label={m.security_passkey_acts({ name: nameOf(passkey) })}
        icon={Ellipsis}
        align="end"
        items={[
          { key: 'rename', label: m.security_passkey_rename(), onSelect: () => onAct('rename') },
          { key: 'remove', label: m.security_passkey_remove(), danger: true, onSelect: () => onAct('remove') },
        ]}
      />
    </li>
  )
}

interface ActProps {
  overview: SecurityOverview
  act: Act
  onClose: () => void
}

function Confirmed({ overview: { hasPassword, isRecent }, act, onClose }: ActProps) {
  const [isConfirmed, setConfirmed] = useState(isRecent || act.kind === 'rename')
  const refresh = useSecurityRefresh()
  if (!isConfirmed && hasPassword) {
    return (
      <PasswordQuestion
        hasPassword
        title={m.security_confirm_title()}
        confirmLabel={m.security_confirm()}
        onClose={onClose}
        onConfirm={async (password = '') => {
          await currentAccountSecurity().confirm(password)
          setConfirmed(true)
          refresh()
        }}
      >
        <p>{m.security_confirm_text()}</p>
      </PasswordQuestion>
    )
  }
  if (act.kind === 'remove') return <RemoveDialog passkey={act.passkey} onClose={onClose} />
  return <NameDialog passkey={act.kind === 'rename' ? act.passkey : null} onClose={onClose} />
}

/** The name of a new passkey, or another one for a passkey that is there. */
function NameDialog({ passkey, onClose }: { passkey: OwnPasskey | null; onClose: () => void }) {
  const refresh = useSecurityRefresh()
  const attempt = useAttempt({
    fields: ['name'],
    check: ({ name }) => problemsIn({ name: name.trim() === '' ? m.security_passkey_name_empty() : undefined }),
    act: async ({ name }) => {
      if (passkey) await currentAccountSecurity().renamePasskey(passkey.id, name.trim())
      else await currentAccountSecurity().addPasskey(name.trim())
      onClose()
      toast(passkey ? m.identity_saved() : m.security_passkey_added())
      refresh()
    },
  })
  return (
    <Dialog
      open
      onClose={onClose}
      title={passkey ? m.security_passkey_rename_title() : m.security_passkey_add()}
      locked={attempt.isPending}
    >
      <form className="flex flex-col gap-4" noValidate onSubmit={attempt.submit}>
        <Field label={m.security_passkey_name()} hint={m.security_passkey_name_hint()} error={attempt.problems.name}>
          <TextInput name="name" maxLength={longestName} autoComplete="off" defaultValue={passkey?.name ?? ''} />
        </Field>
        <FormProblem>{attempt.problems.form}</FormProblem>
        <div className="flex justify-end gap-2">
          <Button onClick={onClose}>{m.security_cancel()}</Button>
          <Button type="submit" variant="primary" pending={attempt.isPending}>
            {passkey ? m.security_save() : m.security_next()}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}

function RemoveDialog({ passkey, onClose }: { passkey: OwnPasskey; onClose: () => void }) {
  const refresh = useSecurityRefresh()
  const [problem, setProblem] = useState<string | null>(null)
  const [isPending, setPending] = useState(false)
  const remove = async () => {
    setPending(true)
    try {
      await currentAccountSecurity().removePasskey(passkey.id)
      onClose()
      toast(m.security_passkey_removed())
      refresh()
    } catch (error) {
      setProblem(identityErrorText(AppError.from(error)))
      setPending(false)
    }
  }
  return (
    <Dialog
      open
      onClose={onClose}
      title={m.security_passkey_remove_title({ name: nameOf(passkey) })}
      locked={isPending}
      actions={
        <>
          <Button onClick={onClose}>{m.security_cancel()}</Button>
          <Button variant="danger" pending={isPending} onClick={() => void remove()}>
            {m.security_passkey_remove()}
          </Button>
        </>
      }
    >
      <p>{m.security_passkey_remove_text()}</p>
      <FormProblem>{problem}</FormProblem>
    </Dialog>
  )
}
