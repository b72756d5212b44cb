import { createFileRoute } from '@tanstack/react-router'
import { RecordListPage } from '../../../plain-records/record-list-page.tsx'
import { equipmentScreen } from '../../../features/equipment/equipment-screen.ts'
import { m } from '../../../paraglide/messages.js'

export const Route = createFileRoute('/_dashboard/equipment/')({
  staticData: {
    title: () => m.equipment_title(),
    layout: 'dashboard',
    middleware: ['signed-in', 'organization', 'permission'],
    permission: 'staff:read',
  },
  component: () => <RecordListPage screen={equipmentScreen} />,
})
