import { createFileRoute } from '@tanstack/react-router'
import { UsersPage } from '../../../features/members/users-page.tsx'
import { m } from '../../../paraglide/messages.js'

export const Route = createFileRoute('/_dashboard/user-management/list')({
  staticData: {
    title: () => m.app_title_users(),
    layout: 'dashboard-user-management',
    middleware: ['signed-in', 'organization', 'permission'],
    permission: 'members:read',
  },
  component: UsersPage,
})
