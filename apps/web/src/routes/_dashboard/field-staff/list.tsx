import { createFileRoute } from '@tanstack/react-router'
import { day, listSearch, oneOf, text } from '../../../addresses/search-shape.ts'
import { FieldStaffListPage } from '../../../features/field-staff/field-staff-list-page.tsx'
import { m } from '../../../paraglide/messages.js'

export const Route = createFileRoute('/_dashboard/field-staff/list')({
  staticData: {
    title: () => m.app_title_staff_list(),
    layout: 'dashboard-field-staff',
    middleware: ['signed-in', 'organization', 'permission'],
    permission: 'staff:read',
  },
  validateSearch: listSearch({ show: oneOf('roster', 'planner'), from: day, role: text }),
  component: FieldStaffListPage,
})
