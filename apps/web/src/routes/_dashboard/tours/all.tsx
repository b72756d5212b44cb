import { createFileRoute } from '@tanstack/react-router'
import { ToursPage } from '../../../features/tours/tours-page.tsx'
import { m } from '../../../paraglide/messages.js'

export const Route = createFileRoute('/_dashboard/tours/all')({
  staticData: {
    title: () => m.app_title_tours(),
    layout: 'dashboard-tours',
    middleware: ['signed-in', 'organization', 'permission'],
    permission: 'tours:read',
  },
  component: ToursPage,
})
