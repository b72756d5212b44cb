import { createFileRoute } from '@tanstack/react-router'
import { listSearch } from '../../../addresses/search-shape.ts'
import { FeedbackPage } from '../../../features/reports/feedback-page.tsx'
import { m } from '../../../paraglide/messages.js'

export const Route = createFileRoute('/_dashboard/reports/feedback')({
  staticData: {
    title: () => m.app_title_report_feedback(),
    layout: 'dashboard-reports',
    middleware: ['signed-in', 'organization', 'permission'],
    permission: 'reports:read',
  },
  validateSearch: listSearch({}),
  component: FeedbackPage,
})
