import { createFileRoute } from '@tanstack/react-router'
import { listSearch, oneOf, text } from '../../../addresses/search-shape.ts'
import { NotificationsPage } from '../../../features/notifications/notifications-page.tsx'
import { m } from '../../../paraglide/messages.js'

export const Route = createFileRoute('/_dashboard/tools/notifications')({
  staticData: {
    title: () => m.app_title_notifications(),
    layout: 'dashboard',
    middleware: ['signed-in', 'organization', 'permission'],
    permission: 'notifications:read',
  },
  validateSearch: listSearch({ email: text, show: oneOf('log', 'rules', 'templates') }),
  component: NotificationsPage,
})
