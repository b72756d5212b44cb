import { createFileRoute } from '@tanstack/react-router'
import { RecordCreatePage } from '../../../plain-records/record-form-page.tsx'
import { vehicleScreen } from '../../../features/vehicles/vehicle-screen.tsx'
import { m } from '../../../paraglide/messages.js'

export const Route = createFileRoute('/_dashboard/vehicles/create')({
  staticData: {
    title: () => m.vehicles_add(),
    layout: 'dashboard',
    middleware: ['signed-in', 'organization', 'permission'],
    permission: 'staff:manage',
  },
  component: () => <RecordCreatePage screen={vehicleScreen} />,
})
