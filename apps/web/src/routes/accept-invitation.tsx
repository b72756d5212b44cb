import { createFileRoute } from '@tanstack/react-router'
import { AcceptInvitationPage } from '../features/identity/accept-invitation-page.tsx'
import { m } from '../paraglide/messages.js'

export const Route = createFileRoute('/accept-invitation')({
  staticData: { title: () => m.app_title_accept_invitation(), layout: 'bare', middleware: [], isPublic: true },
  component: AcceptInvitationPage,
})
