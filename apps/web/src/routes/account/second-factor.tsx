import { createFileRoute } from '@tanstack/react-router'
import { PageNotFound } from '../../app/page-error.ts'
import { returnParameter } from '../../addresses/navigate-to.ts'
import { search, text } from '../../addresses/search-shape.ts'
import { SecondFactorPage } from '../../features/identity/second-factor-page.tsx'
import { accountSecurity } from '../../identity/account-security-port.ts'
import { m } from '../../paraglide/messages.js'

export const Route = createFileRoute('/account/second-factor')({
  staticData: { title: () => m.security_factor_title(), layout: 'bare', middleware: ['signed-in'] },
  beforeLoad: ({ location }) => {
    // a hosted identity service asks by itself
    if (!accountSecurity()) throw new PageNotFound(location.pathname)
  },
  validateSearch: search({ [returnParameter]: text }),
  component: SecondFactorPage,
})
