import { createFileRoute } from '@tanstack/react-router'
import { loadPagePayload } from '../../app/page-payload.ts'
import { returnParameter } from '../../addresses/navigate-to.ts'
import { search, text } from '../../addresses/search-shape.ts'
import { SignUpPage } from '../../features/identity/sign-up-page.tsx'

/** The steps of a hosted service's form are addresses below this one; the form must stay where it is while they change. */
export const Route = createFileRoute('/sign-up')({
  loader: () => loadPagePayload('/sign-up'),
  validateSearch: search({ setup: text, email: text, [returnParameter]: text }),
  component: SignUpPage,
})
