import { createFileRoute } from '@tanstack/react-router'
import { search, text } from '../addresses/search-shape.ts'
import { AcceptInvitationPage } from '../features/identity/accept-invitation-page.tsx'
import { m } from '../paraglide/messages.js'

export const Route = createFileRoute('/accept-invitation')({
  staticData: { title: () => m.app_title_accept_invitation(), layout: 'bare', middleware: [], isPublic: true },
  validateSearch: search({ id: text }),
  component: AcceptInvitationPage,
})
