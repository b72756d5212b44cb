import { createFileRoute } from '@tanstack/react-router'
import { isEntityId } from '../../../../addresses/entity-id.ts'
import { oneOf, search } from '../../../../addresses/search-shape.ts'
import { drawerTabs } from '../../../../records/drawer-request.ts'
import { TravelerDetailsPage } from '../../../../features/travelers/traveler-details-page.tsx'
import { m } from '../../../../paraglide/messages.js'

export const Route = createFileRoute('/_dashboard/travelers/details/$id')({
  staticData: {
    title: () => m.app_title_traveler_details(),
    layout: 'dashboard-travelers',
    middleware: ['signed-in', 'organization', 'permission'],
    permission: 'travelers:read',
    validate: ({ id }) => isEntityId(id),
  },
  validateSearch: search({ tab: oneOf('trips', 'needs', 'documents', 'messages', ...drawerTabs) }),
  component: TravelerDetailsPage,
})
