import { createFileRoute } from '@tanstack/react-router'
import { RecordCreatePage } from '../../../plain-records/record-form-page.tsx'
import { equipmentScreen } from '../../../features/equipment/equipment-screen.ts'
import { m } from '../../../paraglide/messages.js'

export const Route = createFileRoute('/_dashboard/equipment/create')({
  staticData: {
    title: () => m.equipment_add(),
    layout: 'dashboard',
    middleware: ['signed-in', 'organization', 'permission'],
    permission: 'staff:manage',
  },
  component: () => <RecordCreatePage screen={equipmentScreen} />,
})
