import { createFileRoute } from '@tanstack/react-router'
import { TravelersPage } from '../../../features/travelers/travelers-page.tsx'
import { m } from '../../../paraglide/messages.js'

export const Route = createFileRoute('/_dashboard/travelers/list')({
  staticData: {
    title: () => m.app_title_travelers(),
    layout: 'dashboard-travelers',
    middleware: ['signed-in', 'organization', 'permission'],
    permission: 'travelers:read',
  },
  component: TravelersPage,
})
