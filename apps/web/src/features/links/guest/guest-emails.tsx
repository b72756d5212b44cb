import { useLocation } from '@tanstack/react-router'
import { setGuestEmails, type SharedEmails } from '@tour-ops/contract/links/shared-page'
import { emailsFragment } from '@tour-ops/contract/notifications/opt-outs'
import { useEffect, useRef } from 'react'
import { currentBackend } from '../../../backend/port.ts'
import { refusalText } from '../../../errors/refusal-text.ts'
import { m } from '../../../paraglide/messages.js'
import { Switch } from '../../../ui/choice.tsx'
import { useGuestAct } from './use-guest-act.ts'

interface GuestEmailsProps {
  token: string
  /** A member looks: nothing can be pressed. */
  isPreview: boolean
  emails: SharedEmails
}

/** Which e-mails the party gets: all of them, or only what it must know. */
export function GuestEmails({
  token,
  isPreview,
  emails: { channel, address, isOptedOut, isStopped },
}: GuestEmailsProps) {
  const { mutate, isPending, variables, error } = useGuestAct(
    token,
    (wanted: boolean) => currentBackend().call(setGuestEmails, { token, isOptedOut: wanted }),
    (emails) => ({ emails }),
  )
  const section = useRef<HTMLElement>(null)
  const { hash } = useLocation()
  useEffect(() => {
    // the browser has looked for it before the page was there
    if (hash === emailsFragment) section.current?.scrollIntoView()
  }, [hash])
  return (
    <section
      ref={section}
      id={emailsFragment}
      className="share-block"
      aria-labelledby="guest-emails"
      aria-busy={isPending}
    >
      <h2 id="guest-emails" className="mb-2 text-[17px] font-semibold text-ink-strong">
        {channel === 'email' ? m.links_emails_title() : m.links_texts_title()}
      </h2>
      {isStopped ? (
        <p>{m.links_texts_stopped({ address })}</p>
      ) : (
        <Switch
          label={channel === 'email' ? m.links_emails_fewer() : m.links_texts_fewer()}
          hint={m.links_emails_hint({ address })}
          checked={isPending ? variables : isOptedOut}
          disabled={isPreview || isPending}
          onChange={(event) => mutate(event.target.checked)}
        />
      )}
      {error && (
        <p role="alert" className="mt-3 font-medium text-bad">
          {refusalText(error)}
        </p>
      )}
    </section>
  )
}
