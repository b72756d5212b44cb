import { createFileRoute, redirect } from '@tanstack/react-router'
import { isEntityId } from '../../../addresses/entity-id.ts'
import { listSearch, text } from '../../../addresses/search-shape.ts'
import { TravelersPage } from '../../../features/travelers/travelers-page.tsx'
import { m } from '../../../paraglide/messages.js'

export const Route = createFileRoute('/_dashboard/travelers/list')({
  staticData: {
    title: () => m.app_title_travelers(),
    layout: 'dashboard-travelers',
    middleware: ['signed-in', 'organization', 'permission'],
    permission: 'travelers:read',
  },
  validateSearch: listSearch({ import: text }),
  beforeLoad: ({ search }) => {
    // where imports were before they had addresses of their own; links in old notifications still work
    if (search.import === undefined) return
    if (!isEntityId(search.import)) throw redirect({ to: '/travelers/import', replace: true })
    throw redirect({ to: '/travelers/import/$id', params: { id: search.import }, replace: true })
  },
  component: TravelersPage,
})
