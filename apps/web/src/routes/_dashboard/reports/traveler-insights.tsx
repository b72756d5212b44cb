import { createFileRoute } from '@tanstack/react-router'
import { reportSearch } from '../../../addresses/search-shape.ts'
import { TravelerInsightsPage } from '../../../features/reports/traveler-insights-page.tsx'
import { m } from '../../../paraglide/messages.js'

export const Route = createFileRoute('/_dashboard/reports/traveler-insights')({
  staticData: {
    title: () => m.app_title_report_travelers(),
    layout: 'dashboard-reports',
    middleware: ['signed-in', 'organization', 'permission'],
    permission: 'reports:read',
  },
  validateSearch: reportSearch,
  component: TravelerInsightsPage,
})
