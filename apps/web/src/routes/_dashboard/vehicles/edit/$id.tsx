import { createFileRoute } from '@tanstack/react-router'
import { isEntityId } from '../../../../addresses/entity-id.ts'
import { RecordEditPage } from '../../../../plain-records/record-form-page.tsx'
import { vehicleScreen } from '../../../../features/vehicles/vehicle-screen.tsx'
import { m } from '../../../../paraglide/messages.js'

export const Route = createFileRoute('/_dashboard/vehicles/edit/$id')({
  staticData: {
    title: () => m.vehicles_edit(),
    layout: 'dashboard',
    middleware: ['signed-in', 'organization', 'permission'],
    permission: 'staff:manage',
    validate: ({ id }) => isEntityId(id),
  },
  component: () => <RecordEditPage screen={vehicleScreen} />,
})
