import { vehicleRecord } from '@tour-ops/contract/vehicles/vehicles'
import { recordScreen } from '../../plain-records/record-screen.ts'
import { m } from '../../paraglide/messages.js'
import { DepartureLink } from '../../records/departure-link.tsx'
import { vehicleClassLabels } from '../../records/vehicle-classes.ts'

const inspectionLabels = {
  ok: m.vehicles_inspection_ok,
  expiring: m.vehicles_inspection_expiring,
  expired: m.vehicles_inspection_expired,
  unknown: m.vehicles_inspection_unknown,
}
const inspectionTone = { ok: '', expiring: 'text-warn', expired: 'font-medium text-bad', unknown: 'text-ink-2' }

export const vehicleScreen = recordScreen(vehicleRecord, {
  path: '/vehicles',
  open: (id) => `/vehicles/details/${id}`,
  title: m.vehicles_title,
  add: m.vehicles_add,
  edit: m.vehicles_edit,
  labels: {
    label: m.vehicles_label,
    plate: m.vehicles_plate,
    class: m.vehicles_class,
    seats: m.vehicles_seats,
    wheelchairPlaces: m.vehicles_wheelchair_places,
    childSeats: m.vehicles_child_seats,
    status: m.vehicles_status,
    inspectionValidUntil: m.vehicles_inspection_valid_until,
  },
  choices: {
    class: vehicleClassLabels,
    status: {
      active: m.vehicles_status_active,
      maintenance: m.vehicles_status_maintenance,
      retired: m.vehicles_status_retired,
    },
  },
  columns: {
    label: { width: 160, grow: true },
    plate: { width: 120 },
    class: { width: 110 },
    seats: { width: 80 },
    status: {},
  },
  derived: {
    inspection: {
      label: m.vehicles_inspection,
      width: 130,
      cell: ({ inspection }) => <span className={inspectionTone[inspection]}>{inspectionLabels[inspection]()}</span>,
    },
    next: {
      label: m.vehicles_next,
      width: 200,
      cell: ({ next }) =>
        next && (
          <DepartureLink id={next.departureId} className="link num">
            {next.code}
          </DepartureLink>
        ),
    },
  },
})
