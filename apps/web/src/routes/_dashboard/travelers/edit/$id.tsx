import { createFileRoute } from '@tanstack/react-router'
import { isEntityId } from '../../../../addresses/entity-id.ts'
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
  component: TravelerEditPage,
})
