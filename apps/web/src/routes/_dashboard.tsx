import { Outlet, createFileRoute } from '@tanstack/react-router'
import { lazy } from 'react'
import { DashboardLayout } from '../app/layouts/dashboard-layout.tsx'
import { RecordDrawers, type RecordDrawerMap } from '../app/record-drawers.tsx'

const DepartureDrawer = lazy(() =>
  import('../app/departure-drawer/departure-drawer.tsx').then((loaded) => ({ default: loaded.DepartureDrawer })),
)
const BookingDrawer = lazy(() =>
  import('../app/booking/booking-drawer.tsx').then((loaded) => ({ default: loaded.BookingDrawer })),
)

const IncidentDrawer = lazy(() =>
  import('../features/tools/monitoring/incident-drawer.tsx').then((loaded) => ({ default: loaded.IncidentDrawer })),
)

/** Records that open over any screen, each loaded when it is first opened. */
const drawers: RecordDrawerMap = {
  departure: (props) => <DepartureDrawer {...props} />,
  booking: (props) => <BookingDrawer {...props} />,
  incident: (props) => <IncidentDrawer {...props} />,
}

export const Route = createFileRoute('/_dashboard')({
  // A frame of a few lines: not worth a request of its own.
  codeSplitGroupings: [],
  staticData: { layout: 'dashboard' },
  component: () => (
    <DashboardLayout>
      <Outlet />
      <RecordDrawers drawers={drawers} />
    </DashboardLayout>
  ),
})
