import { Link, useParams } from '@tanstack/react-router'
import { vehicleRecord } from '@tour-ops/contract/vehicles/vehicles'
import { Pencil } from 'lucide-react'
import { useScreenQuery } from '../../app/screen-query.ts'
import { callQuery } from '../../backend/queries.ts'
import { useAccess } from '../../identity/access.ts'
import { m } from '../../paraglide/messages.js'
import { wordOf } from '../../plain-records/record-screen.ts'
import { BackLink } from '../../records/back-link.tsx'
import { buttonClass } from '../../ui/button.tsx'
import { Page } from '../../ui/page.tsx'
import { CalendarFeedCard } from '../calendar-feeds/index.ts'
import { DevicesCard, DutyCard } from '../tracking/index.ts'
import { VehicleCalendar } from './vehicle-calendar.tsx'
import { vehicleScreen } from './vehicle-screen.tsx'

/** "When is this vehicle free?" See docs/screens.md, "Vehicles and equipment". */
export function VehiclePage() {
  const { id } = useParams({ from: '/_dashboard/vehicles/details/$id' })
  const { data: vehicle } = useScreenQuery(callQuery(vehicleRecord.get, { id }))
  const { can } = useAccess()
  const mayManage = can('staff:manage')
  if (!vehicle) return null
  const facts = [
    vehicle.plate,
    wordOf(vehicleScreen, 'class', vehicle.class),
    m.vehicles_seats_count({ count: vehicle.seats }),
    wordOf(vehicleScreen, 'status', vehicle.status),
  ]
  return (
    <Page
      back={<BackLink to="/vehicles">{m.vehicles_title()}</BackLink>}
      title={<bdi>{vehicle.label}</bdi>}
      context={facts.join(' · ')}
      actions={
        mayManage && (
          <Link to="/vehicles/edit/$id" params={{ id }} className={buttonClass({})}>
            <Pencil size={16} aria-hidden />
            {m.vehicles_edit()}
          </Link>
        )
      }
    >
      <VehicleCalendar vehicleId={id} mayManage={mayManage && vehicle.archivedAt === null} />
      <div className="mt-4 grid grid-cols-[minmax(0,1fr)] items-start gap-4 lg:grid-cols-2">
        {can('tracking:read') && (
          <>
            <DevicesCard of={{ vehicleId: id }} />
            <DutyCard of={{ vehicleId: id }} />
          </>
        )}
        {vehicle.archivedAt === null && <CalendarFeedCard of={{ subject: 'vehicle', subjectId: id }} />}
      </div>
    </Page>
  )
}
