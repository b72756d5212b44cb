import { createFileRoute } from '@tanstack/react-router'
import { matching, search } from '../../../addresses/search-shape.ts'
import { dayPattern } from '../../../features/overview/day-shown.ts'
import { OverviewPage } from '../../../features/overview/overview-page.tsx'
import { m } from '../../../paraglide/messages.js'

export const Route = createFileRoute('/_dashboard/dashboard/overview')({
  staticData: {
    title: () => m.app_title_overview(),
    layout: 'dashboard-main',
    middleware: ['signed-in', 'organization', 'permission'],
    permission: 'dashboard:read',
  },
  validateSearch: search({ day: matching(dayPattern) }),
  component: OverviewPage,
})
