import { createFileRoute } from '@tanstack/react-router'
import { listSearch, text } from '../../../addresses/search-shape.ts'
import { UsersPage } from '../../../features/members/users-page.tsx'
import { m } from '../../../paraglide/messages.js'

export const Route = createFileRoute('/_dashboard/user-management/list')({
  staticData: {
    title: () => m.app_title_users(),
    layout: 'dashboard-user-management',
    middleware: ['signed-in', 'organization', 'permission'],
    permission: 'members:read',
  },
  validateSearch: listSearch({ person: text }),
  component: UsersPage,
})
