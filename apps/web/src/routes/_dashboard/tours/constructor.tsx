import { createFileRoute } from '@tanstack/react-router'
import { TourConstructorPage } from '../../../features/tours/tour-constructor-page.tsx'
import { m } from '../../../paraglide/messages.js'

export const Route = createFileRoute('/_dashboard/tours/constructor')({
  staticData: {
    title: () => m.app_title_tour_constructor(),
    layout: 'dashboard-tours',
    middleware: ['signed-in', 'organization', 'permission'],
    permission: 'tours:manage',
  },
  component: TourConstructorPage,
})
