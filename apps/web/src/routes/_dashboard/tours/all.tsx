import { createFileRoute } from '@tanstack/react-router'
import { day, listSearch, oneOf, text } from '../../../addresses/search-shape.ts'
import { ToursPage } from '../../../features/tours/tours-page.tsx'
import { m } from '../../../paraglide/messages.js'

export const Route = createFileRoute('/_dashboard/tours/all')({
  staticData: {
    title: () => m.app_title_tours(),
    layout: 'dashboard-tours',
    middleware: ['signed-in', 'organization', 'permission'],
    permission: 'tours:read',
  },
  validateSearch: listSearch({
    show: oneOf('tours', 'departures'),
    as: oneOf('table', 'month', 'week'),
    on: day,
    schedule: text,
  }),
  component: ToursPage,
})
