import { createFileRoute } from '@tanstack/react-router'
import { loadPagePayload } from '../../app/page-payload.ts'
import { returnParameter } from '../../addresses/navigate-to.ts'
import { search, text } from '../../addresses/search-shape.ts'
import { SignInPage } from '../../features/identity/sign-in-page.tsx'

/** The steps of a hosted service's form are addresses below this one; the form must stay where it is while they change. */
export const Route = createFileRoute('/sign-in')({
  loader: () => loadPagePayload('/sign-in'),
  validateSearch: search({ email: text, [returnParameter]: text }),
  component: SignInPage,
})
