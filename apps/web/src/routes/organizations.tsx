import { createFileRoute } from '@tanstack/react-router'
import { OrganizationsPage } from '../features/identity/organizations-page.tsx'
import { m } from '../paraglide/messages.js'

export const Route = createFileRoute('/organizations')({
  staticData: { title: () => m.app_title_organizations(), layout: 'bare', middleware: ['signed-in'], isPublic: true },
  component: OrganizationsPage,
})
