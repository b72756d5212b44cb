import { createFileRoute } from '@tanstack/react-router'
import { RecordCreatePage } from '../../../plain-records/record-form-page.tsx'
import { discountScreen } from '../../../features/bookings/discount-screen.tsx'
import { m } from '../../../paraglide/messages.js'

export const Route = createFileRoute('/_dashboard/discount-codes/create')({
  staticData: {
    title: () => m.bookings_discounts_add(),
    layout: 'dashboard',
    middleware: ['signed-in', 'organization', 'permission'],
    permission: 'tours:manage',
  },
  component: () => <RecordCreatePage screen={discountScreen} />,
})
