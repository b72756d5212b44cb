import { createFileRoute } from '@tanstack/react-router'
import { RecordListPage } from '../../../plain-records/record-list-page.tsx'
import { vehicleScreen } from '../../../features/vehicles/vehicle-screen.tsx'
import { m } from '../../../paraglide/messages.js'

export const Route = createFileRoute('/_dashboard/vehicles/')({
  staticData: {
    title: () => m.vehicles_title(),
    layout: 'dashboard',
    middleware: ['signed-in', 'organization', 'permission'],
    permission: 'staff:read',
  },
  component: () => <RecordListPage screen={vehicleScreen} />,
})
