import { createFileRoute } from '@tanstack/react-router'
import { UserCreatePage } from '../../../features/members/user-create-page.tsx'
import { m } from '../../../paraglide/messages.js'

export const Route = createFileRoute('/_dashboard/user-management/create')({
  staticData: {
    title: () => m.app_title_user_create(),
    layout: 'dashboard-user-management',
    middleware: ['signed-in', 'organization', 'permission'],
    permission: 'members:manage',
  },
  component: UserCreatePage,
})
