import { createFileRoute } from '@tanstack/react-router'
import { loadPagePayload } from '../../app/page-payload.ts'
import { SignUpPage } from '../../features/identity/sign-up-page.tsx'
import { m } from '../../paraglide/messages.js'

export const Route = createFileRoute('/sign-up/$')({
  staticData: { title: () => m.app_title_sign_up(), layout: 'bare', middleware: ['signed-out'], isPublic: true },
  loader: () => loadPagePayload('/sign-up'),
  component: SignUpPage,
})
