import { createFileRoute } from '@tanstack/react-router'
import { CreateOrganizationPage } from '../features/identity/create-organization-page.tsx'
import { m } from '../paraglide/messages.js'

export const Route = createFileRoute('/create-organization')({
  staticData: {
    title: () => m.app_title_create_organization(),
    layout: 'bare',
    middleware: ['signed-in'],
    isPublic: true,
  },
  component: CreateOrganizationPage,
})
