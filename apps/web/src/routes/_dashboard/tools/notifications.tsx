import { createFileRoute } from '@tanstack/react-router'
import { NotificationsPage } from '../../../features/notifications/notifications-page.tsx'
import { m } from '../../../paraglide/messages.js'

export const Route = createFileRoute('/_dashboard/tools/notifications')({
  staticData: {
    title: () => m.app_title_notifications(),
    layout: 'dashboard',
    middleware: ['signed-in', 'organization', 'permission'],
    permission: 'notifications:read',
  },
  component: NotificationsPage,
})
