import { createFileRoute } from '@tanstack/react-router'
import { isEntityId } from '../../../../addresses/entity-id.ts'
import { RecordEditPage } from '../../../../plain-records/record-form-page.tsx'
import { discountScreen } from '../../../../features/bookings/discount-screen.tsx'
import { m } from '../../../../paraglide/messages.js'

export const Route = createFileRoute('/_dashboard/discount-codes/edit/$id')({
  staticData: {
    title: () => m.bookings_discounts_edit(),
    layout: 'dashboard',
    middleware: ['signed-in', 'organization', 'permission'],
    permission: 'tours:manage',
    validate: ({ id }) => isEntityId(id),
  },
  component: () => <RecordEditPage screen={discountScreen} />,
})
