import { createFileRoute } from '@tanstack/react-router'
import { entity, search, text } from '../../../addresses/search-shape.ts'
import { MapPage } from '../../../features/map/map-page.tsx'
import { m } from '../../../paraglide/messages.js'

export const Route = createFileRoute('/_dashboard/dashboard/map')({
  staticData: {
    title: () => m.app_title_map(),
    layout: 'dashboard-main',
    middleware: ['signed-in', 'organization', 'permission'],
    permission: 'tracking:read',
  },
  validateSearch: search({ show: text, q: text, base: text, follow: entity, hide: text, area: text, noGo: text }),
  component: MapPage,
})
