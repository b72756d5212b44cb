import { createFileRoute } from '@tanstack/react-router'
import { listSearch } from '../../../addresses/search-shape.ts'
import { FieldStaffTrackingPage } from '../../../features/field-staff/field-staff-tracking-page.tsx'
import { m } from '../../../paraglide/messages.js'

export const Route = createFileRoute('/_dashboard/field-staff/tracking')({
  staticData: {
    title: () => m.app_title_staff_tracking(),
    layout: 'dashboard-field-staff',
    middleware: ['signed-in', 'organization', 'permission'],
    permission: 'tracking:read',
  },
  validateSearch: listSearch({}),
  component: FieldStaffTrackingPage,
})
