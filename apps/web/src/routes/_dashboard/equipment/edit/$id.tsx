import { createFileRoute } from '@tanstack/react-router'
import { isEntityId } from '../../../../addresses/entity-id.ts'
import { RecordEditPage } from '../../../../plain-records/record-form-page.tsx'
import { equipmentScreen } from '../../../../features/equipment/equipment-screen.ts'
import { m } from '../../../../paraglide/messages.js'

export const Route = createFileRoute('/_dashboard/equipment/edit/$id')({
  staticData: {
    title: () => m.equipment_edit(),
    layout: 'dashboard',
    middleware: ['signed-in', 'organization', 'permission'],
    permission: 'staff:manage',
    validate: ({ id }) => isEntityId(id),
  },
  component: () => <RecordEditPage screen={equipmentScreen} />,
})
