import { AppError } from '@tour-ops/contract/errors'
import { MailCheck } from 'lucide-react'
import { useState, type ReactNode } from 'react'
import { m } from '../../paraglide/messages.js'
import { Button } from '../../ui/button.tsx'
import { toast } from '../../ui/toast.tsx'
import { IdentityCard } from './identity-card.tsx'
import { identityErrorText } from './identity-errors.ts'

export interface EmailSentProps {
  title: string
  children: ReactNode
  /** Sends it once more. */
  onResend?: (() => Promise<void>) | undefined
  actions?: ReactNode
}

/** An e-mail is on its way; the same words whether the address is known or not. */
export function EmailSent({ title, children, onResend, actions }: EmailSentProps) {
  const [problem, setProblem] = useState<string | null>(null)
  const [isPending, setPending] = useState(false)
  const resend = async () => {
    setProblem(null)
    setPending(true)
    try {
      await onResend?.()
      toast(m.identity_email_sent_again())
    } catch (error) {
      setProblem(identityErrorText(AppError.from(error)))
    } finally {
      setPending(false)
    }
  }
  return (
    <IdentityCard
      title={
        <span className="flex items-center gap-2.5">
          <MailCheck size={22} className="text-ok" aria-hidden />
          {title}
        </span>
      }
    >
      <p className="mt-2 text-ink" role="status">
        {children}
      </p>
      {problem !== null && (
        <p role="alert" className="mt-3 text-sm font-medium text-bad">
          {problem}
        </p>
      )}
      <div className="mt-5 flex flex-wrap gap-2">
        {onResend && (
          <Button pending={isPending} onClick={() => void resend()}>
            {m.identity_send_again()}
          </Button>
        )}
        {actions}
      </div>
    </IdentityCard>
  )
}
