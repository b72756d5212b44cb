import { createFileRoute } from '@tanstack/react-router'
import { RecordListPage } from '../../../plain-records/record-list-page.tsx'
import { discountScreen } from '../../../features/bookings/discount-screen.tsx'
import { m } from '../../../paraglide/messages.js'

export const Route = createFileRoute('/_dashboard/discount-codes/')({
  staticData: {
    title: () => m.bookings_discounts_title(),
    layout: 'dashboard',
    middleware: ['signed-in', 'organization', 'permission'],
    permission: 'bookings:read',
  },
  component: () => <RecordListPage screen={discountScreen} />,
})
