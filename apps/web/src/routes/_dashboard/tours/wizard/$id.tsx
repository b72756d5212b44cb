import { createFileRoute } from '@tanstack/react-router'
import { isEntityId } from '../../../../addresses/entity-id.ts'
import { oneOf, search } from '../../../../addresses/search-shape.ts'
import { TourWizardPage } from '../../../../features/tours/tour-wizard-page.tsx'
import { m } from '../../../../paraglide/messages.js'

export const Route = createFileRoute('/_dashboard/tours/wizard/$id')({
  staticData: {
    title: () => m.app_title_tour_wizard(),
    layout: 'dashboard-tours',
    middleware: ['signed-in', 'organization', 'permission'],
    permission: 'tours:manage',
    validate: ({ id }) => isEntityId(id),
  },
  validateSearch: search({
    step: oneOf('basics', 'itinerary', 'capacity', 'prices', 'crew', 'schedule', 'messages'),
  }),
  component: TourWizardPage,
})
