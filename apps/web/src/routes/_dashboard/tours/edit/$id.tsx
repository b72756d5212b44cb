import { createFileRoute } from '@tanstack/react-router'
import { isEntityId } from '../../../../addresses/entity-id.ts'
import { oneOf, search } from '../../../../addresses/search-shape.ts'
import { TourEditPage } from '../../../../features/tours/tour-edit-page.tsx'
import { m } from '../../../../paraglide/messages.js'

export const Route = createFileRoute('/_dashboard/tours/edit/$id')({
  staticData: {
    title: () => m.app_title_tour_edit(),
    layout: 'dashboard-tours',
    middleware: ['signed-in', 'organization', 'permission'],
    permission: 'tours:read',
    validate: ({ id }) => isEntityId(id),
  },
  validateSearch: search({
    show: oneOf('overview', 'itinerary', 'prices', 'rules', 'departures', 'texts', 'revisions', 'activity'),
  }),
  component: TourEditPage,
})
