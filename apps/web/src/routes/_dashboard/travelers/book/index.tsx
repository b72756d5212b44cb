import { createFileRoute } from '@tanstack/react-router'
import { day, entity, matching, search } from '../../../../addresses/search-shape.ts'
import { NewBookingPage } from '../../../../features/bookings/new-booking-page.tsx'
import { m } from '../../../../paraglide/messages.js'

export const Route = createFileRoute('/_dashboard/travelers/book/')({
  staticData: {
    title: () => m.bookings_new(),
    layout: 'dashboard-travelers',
    middleware: ['signed-in', 'organization', 'permission'],
    permission: 'bookings:manage',
  },
  // the number of seats arrives as text or, from an address that a person types, as a number
  validateSearch: search({ bookOn: entity, tour: entity, day, edit: entity, seats: matching(/^[1-9]\d?$/) }),
  component: NewBookingPage,
})
