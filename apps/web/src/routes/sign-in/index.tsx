import { createFileRoute } from '@tanstack/react-router'
import { loadPagePayload } from '../../app/page-payload.ts'
import { SignInPage } from '../../features/identity/sign-in-page.tsx'
import { m } from '../../paraglide/messages.js'

export const Route = createFileRoute('/sign-in/')({
  staticData: { title: () => m.app_title_sign_in(), layout: 'bare', middleware: ['signed-out'], isPublic: true },
  loader: () => loadPagePayload('/sign-in'),
  component: SignInPage,
})
