import { createFileRoute } from '@tanstack/react-router'
import { reportSearch } from '../../../addresses/search-shape.ts'
import { StaffPerformancePage } from '../../../features/reports/staff-performance-page.tsx'
import { m } from '../../../paraglide/messages.js'

export const Route = createFileRoute('/_dashboard/reports/staff-performance')({
  staticData: {
    title: () => m.app_title_report_staff(),
    layout: 'dashboard-reports',
    middleware: ['signed-in', 'organization', 'permission'],
    permission: 'reports:read',
  },
  validateSearch: reportSearch,
  component: StaffPerformancePage,
})
