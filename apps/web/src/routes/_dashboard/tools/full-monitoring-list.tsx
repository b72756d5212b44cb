import { createFileRoute } from '@tanstack/react-router'
import { listSearch } from '../../../addresses/search-shape.ts'
import { FullMonitoringListPage } from '../../../features/monitoring/full-monitoring-list-page.tsx'
import { m } from '../../../paraglide/messages.js'

export const Route = createFileRoute('/_dashboard/tools/full-monitoring-list')({
  staticData: {
    title: () => m.app_title_monitoring_list(),
    layout: 'dashboard',
    middleware: ['signed-in', 'organization', 'permission'],
    permission: 'monitoring:read',
  },
  validateSearch: listSearch({}),
  component: FullMonitoringListPage,
})
