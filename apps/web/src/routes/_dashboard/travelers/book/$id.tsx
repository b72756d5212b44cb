import { createFileRoute } from '@tanstack/react-router'
import { isEntityId } from '../../../../addresses/entity-id.ts'
import { entity, search } from '../../../../addresses/search-shape.ts'
import { NewBookingOfTravelerPage } from '../../../../features/bookings/new-booking-page.tsx'
import { m } from '../../../../paraglide/messages.js'

export const Route = createFileRoute('/_dashboard/travelers/book/$id')({
  staticData: {
    title: () => m.bookings_new(),
    layout: 'dashboard-travelers',
    middleware: ['signed-in', 'organization', 'permission'],
    permission: 'bookings:manage',
    validate: ({ id }) => isEntityId(id),
  },
  validateSearch: search({ bookOn: entity }),
  component: NewBookingOfTravelerPage,
})
