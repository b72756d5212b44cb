import { createFileRoute } from '@tanstack/react-router'
import { isEntityId } from '../../../../addresses/entity-id.ts'
import { oneOf, search } from '../../../../addresses/search-shape.ts'
import { drawerTabs } from '../../../../records/drawer-request.ts'
import { FieldStaffDetailsPage } from '../../../../features/field-staff/field-staff-details-page.tsx'
import { m } from '../../../../paraglide/messages.js'

export const Route = createFileRoute('/_dashboard/field-staff/details/$id')({
  staticData: {
    title: () => m.app_title_staff_details(),
    layout: 'dashboard-field-staff',
    middleware: ['signed-in', 'organization', 'permission'],
    permission: 'staff:read',
    validate: ({ id }) => isEntityId(id),
  },
  validateSearch: search({ tab: oneOf('schedule', 'assignments', 'feedback', 'certificates', ...drawerTabs) }),
  component: FieldStaffDetailsPage,
})
