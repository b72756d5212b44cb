import { Link, useRouterState } from '@tanstack/react-router'
import { LogIn, LogOut, UserPlus } from 'lucide-react'
import { useState } from 'react'
import { signOut } from '../sign-out.ts'
import { readPageConfig } from '../../backend/page-config.ts'
import { m } from '../../paraglide/messages.js'
import { Button, buttonClass, type ButtonLook } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { loadLater, onIntent } from '../../ui/load-later.tsx'
import { serviceWidgets } from '../service-widgets.ts'
import { returnQuery } from './redirects.ts'

/** For the dialog alone, which a hosted identity service brings itself. */
const SignInForm = loadLater(async () => (await import('./sign-in-form.tsx')).SignInForm)

/** Path and query of the present page, to return to. */
const useHere = (): string => useRouterState({ select: ({ location }) => location.href })

export interface SignInButtonProps {
  /** `modal` signs in over the page, which stays; `redirect` goes to the sign-in page and returns. Source: spec, section 2. */
  mode: 'modal' | 'redirect'
  /** Where `redirect` returns to; the present page without it. */
  returnPath?: string | undefined
  look?: ButtonLook | undefined
}

export function SignInButton({ mode, returnPath, look = { variant: 'primary' } }: SignInButtonProps) {
  const here = useHere()
  const service = serviceWidgets()
  const [isOpen, setOpen] = useState(false)
  if (mode === 'redirect') {
    return (
      <Link to="/sign-in" search={returnQuery(returnPath ?? here)} className={buttonClass(look)}>
        <LogIn size={16} aria-hidden />
        {m.identity_sign_in()}
      </Link>
    )
  }
  return (
    <>
      <Button
        icon={LogIn}
        {...look}
        {...(service ? {} : onIntent(SignInForm))}
        onClick={() => (service ? service.openSignIn(here) : setOpen(true))}
      >
        {m.identity_sign_in()}
      </Button>
      <Dialog open={isOpen} onClose={() => setOpen(false)} title={m.identity_sign_in()}>
        <SignInForm payload={readPageConfig()} returnPath={here} />
      </Dialog>
    </>
  )
}

/** Leads to sign-up and back here. */
export function SignUpButton({ look, returnPath }: { look?: ButtonLook; returnPath?: string | undefined }) {
  const here = useHere()
  return (
    <Link to="/sign-up" search={returnQuery(returnPath ?? here)} className={buttonClass(look)}>
      <UserPlus size={16} aria-hidden />
      {m.identity_create_account()}
    </Link>
  )
}

/** Ends the session in all tabs. */
export const SignOutButton = ({ look = { variant: 'ghost' } }: { look?: ButtonLook }) => (
  <Button icon={LogOut} {...look} onClick={() => void signOut()}>
    {m.identity_sign_out()}
  </Button>
)
