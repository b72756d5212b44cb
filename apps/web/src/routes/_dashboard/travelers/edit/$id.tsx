import { createFileRoute, redirect } from '@tanstack/react-router'
import { isEntityId } from '../../../../addresses/entity-id.ts'
import { entity, oneOf, search } from '../../../../addresses/search-shape.ts'
import { TravelerEditPage } from '../../../../features/travelers/traveler-edit-page.tsx'
import { m } from '../../../../paraglide/messages.js'

export const Route = createFileRoute('/_dashboard/travelers/edit/$id')({
  staticData: {
    title: () => m.app_title_traveler_edit(),
    layout: 'dashboard-travelers',
    middleware: ['signed-in', 'organization', 'permission'],
    permission: 'travelers:manage',
    validate: ({ id }) => id === 'create' || isEntityId(id),
  },
  validateSearch: search({ section: oneOf('booking'), bookOn: entity }),
  beforeLoad: ({ params, search: { section, bookOn } }) => {
    // where bookings were made before they had their own URL
    if ((section ?? bookOn) === undefined) return
    if (params.id === 'create') throw redirect({ to: '/travelers/book', search: { bookOn }, replace: true })
    throw redirect({ to: '/travelers/book/$id', params, search: { bookOn }, replace: true })
  },
  component: TravelerEditPage,
})
