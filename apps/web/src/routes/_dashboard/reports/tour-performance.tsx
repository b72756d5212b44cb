import { createFileRoute } from '@tanstack/react-router'
import { reportSearch } from '../../../addresses/search-shape.ts'
import { TourPerformancePage } from '../../../features/reports/tour-performance-page.tsx'
import { m } from '../../../paraglide/messages.js'

export const Route = createFileRoute('/_dashboard/reports/tour-performance')({
  staticData: {
    title: () => m.app_title_report_tours(),
    layout: 'dashboard-reports',
    middleware: ['signed-in', 'organization', 'permission'],
    permission: 'reports:read',
  },
  validateSearch: reportSearch,
  component: TourPerformancePage,
})
