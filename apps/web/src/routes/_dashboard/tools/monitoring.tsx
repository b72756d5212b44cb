import { createFileRoute } from '@tanstack/react-router'
import { listSearch, oneOf } from '../../../addresses/search-shape.ts'
import { MonitoringPage } from '../../../features/monitoring/monitoring-page.tsx'
import { m } from '../../../paraglide/messages.js'

export const Route = createFileRoute('/_dashboard/tools/monitoring')({
  staticData: {
    title: () => m.app_title_monitoring(),
    layout: 'dashboard',
    middleware: ['signed-in', 'organization', 'permission'],
    permission: 'monitoring:read',
  },
  validateSearch: listSearch({ show: oneOf('alerts', 'incidents') }),
  component: MonitoringPage,
})
