import { createFileRoute } from '@tanstack/react-router'
import { isEntityId } from '../../../../addresses/entity-id.ts'
import { FieldStaffEditPage } from '../../../../features/field-staff/field-staff-edit-page.tsx'
import { m } from '../../../../paraglide/messages.js'

export const Route = createFileRoute('/_dashboard/field-staff/edit/$id')({
  staticData: {
    title: () => m.app_title_staff_edit(),
    layout: 'dashboard-field-staff',
    middleware: ['signed-in', 'organization', 'permission'],
    permission: 'staff:manage',
    validate: ({ id }) => isEntityId(id),
  },
  component: FieldStaffEditPage,
})
