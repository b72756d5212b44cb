import { createFileRoute } from '@tanstack/react-router'
import { FieldStaffCreatePage } from '../../../features/field-staff/field-staff-create-page.tsx'
import { m } from '../../../paraglide/messages.js'

export const Route = createFileRoute('/_dashboard/field-staff/create')({
  staticData: {
    title: () => m.app_title_staff_create(),
    layout: 'dashboard-field-staff',
    middleware: ['signed-in', 'organization', 'permission'],
    permission: 'staff:manage',
  },
  component: FieldStaffCreatePage,
})
