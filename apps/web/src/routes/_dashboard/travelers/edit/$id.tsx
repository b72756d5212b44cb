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
    // where the booking of somebody we know was before it had its own URL
    if (params.id !== 'create' && (section ?? bookOn) !== undefined)
      throw redirect({ to: '/travelers/book/$id', params, search: { bookOn }, replace: true })
  },
  component: TravelerEditPage,
})
