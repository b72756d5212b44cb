import { createFileRoute } from '@tanstack/react-router'
import { PageNotFound } from '../../app/page-error.ts'
import { SecurityPage } from '../../features/identity/security-page.tsx'
import { accountSecurity } from '../../identity/account-security-port.ts'
import { m } from '../../paraglide/messages.js'

export const Route = createFileRoute('/account/security')({
  staticData: { title: () => m.security_title(), layout: 'bare', middleware: ['signed-in'] },
  beforeLoad: ({ location }) => {
    // a hosted identity service has its own page for it
    if (!accountSecurity()) throw new PageNotFound(location.pathname)
  },
  component: SecurityPage,
})
