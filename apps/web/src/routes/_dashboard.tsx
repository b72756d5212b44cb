import { Outlet, createFileRoute } from '@tanstack/react-router'
import { lazy } from 'react'
import { DashboardLayout } from '../app/layouts/dashboard-layout.tsx'
import { entity, search, text } from '../addresses/search-shape.ts'
import { RecordDrawers, type RecordDrawerMap } from '../records/record-drawers.tsx'

const DepartureDrawer = lazy(() =>
  import('../features/departures/departure-drawer.tsx').then((loaded) => ({ default: loaded.DepartureDrawer })),
)
const BookingDrawer = lazy(() =>
  import('../features/bookings/booking-drawer.tsx').then((loaded) => ({ default: loaded.BookingDrawer })),
)

const IncidentDrawer = lazy(() =>
  import('../features/monitoring/incident-drawer.tsx').then((loaded) => ({ default: loaded.IncidentDrawer })),
)

/** Records that open over any screen, each loaded when it is first opened. */
const drawers: RecordDrawerMap = {
  departure: (props) => <DepartureDrawer {...props} />,
  booking: (props) => <BookingDrawer {...props} />,
  incident: (props) => <IncidentDrawer {...props} />,
}

export const Route = createFileRoute('/_dashboard')({
  // A frame of a few lines: not worth a separate request.
  codeSplitGroupings: [],
  staticData: { layout: 'dashboard' },
  validateSearch: search({ departure: entity, booking: entity, incident: entity, alert: entity, tab: text }),
  component: () => (
    <DashboardLayout>
      <Outlet />
      <RecordDrawers drawers={drawers} />
    </DashboardLayout>
  ),
})
