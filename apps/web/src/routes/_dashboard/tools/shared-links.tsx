import { createFileRoute } from '@tanstack/react-router'
import { SharedLinksPage } from '../../../features/links/shared-links-page.tsx'
import { m } from '../../../paraglide/messages.js'

export const Route = createFileRoute('/_dashboard/tools/shared-links')({
  staticData: {
    title: () => m.app_title_shared_links(),
    layout: 'dashboard',
    middleware: ['signed-in', 'organization', 'permission'],
    permission: 'links:read',
  },
  component: SharedLinksPage,
})
