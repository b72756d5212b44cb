import { useQuery } from '@tanstack/react-query'
import { assignVehicle, vehicleRecord } from '@tour-ops/contract/vehicles/vehicles'
import { useState } from 'react'
import { callQuery, useCall } from '../../backend/queries.ts'
import { m } from '../../paraglide/messages.js'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { ErrorPanel } from '../../ui/error-panel.tsx'
import { Field, Select } from '../../ui/field.tsx'
import { Ltr } from '../../ui/ltr.tsx'
import { SkeletonRows } from '../../ui/skeleton.tsx'
import { toast } from '../../ui/toast.tsx'
import type { CrewDialogProps } from './assign-dialog.tsx'
import { warningLabel } from '../field-staff/index.ts'
import { refusalText } from '../../errors/refusal-text.ts'

/** Crew who can drive: everyone with a binding assignment. */
const binding = ['accepted', 'on_duty']

/** Puts a vehicle on the departure; only those that are free at that time are listed. */
export function VehicleDialog({ departure, onClose }: CrewDialogProps) {
  const [driverId, setDriverId] = useState('')
  const { data, error, refetch } = useQuery(
    callQuery(vehicleRecord.list, { filters: { freeForDepartureId: departure.id }, size: 200 }),
  )
  const assign = useCall(assignVehicle, {
    onSuccess: ({ warnings }) => {
      toast(
        warnings.length > 0
          ? m.departures_vehicle_assigned_warning({ warning: warnings.map(warningLabel).join(' ') })
          : m.departures_vehicle_assigned(),
      )
      onClose()
    },
  })
  const drivers = departure.crew.filter((one) => binding.includes(one.status))
  const pax = departure.seatsConfirmed
  return (
    <Dialog
      open
      onClose={onClose}
      title={m.departures_vehicle_assign()}
      description={`${departure.tourName} · ${m.departures_guests({ count: pax })}`}
      locked={assign.isPending}
    >
      <div className="grid gap-3">
        {drivers.length > 0 && (
          <Field label={m.departures_driver_label()}>
            <Select
              value={driverId}
              placeholder={m.departures_driver_none()}
              onChange={(event) => setDriverId(event.target.value)}
              options={drivers.map((one) => ({ value: one.staffId, label: one.name }))}
            />
          </Field>
        )}
        {assign.error && (
          <p role="alert" className="note tone-bad font-medium">
            {refusalText(assign.error)}
          </p>
        )}
        {error && (
          <ErrorPanel message={refusalText(error)} requestId={error.details.requestId} onRetry={() => void refetch()} />
        )}
        {!data && !error && <SkeletonRows rows={4} />}
        {data?.rows.length === 0 && <NoVehicle />}
        {data && data.rows.length > 0 && (
          <ul className="rounded-lg border border-line">
            {data.rows.map((vehicle) => (
              <li
                key={vehicle.id}
                className="flex min-h-12 items-center gap-3 border-t border-line px-3 py-1.5 first:border-t-0"
              >
                <span className="min-w-0 flex-1">
                  <b className="font-medium text-ink-strong">{vehicle.label}</b>{' '}
                  <Ltr className="text-ink-2">{vehicle.plate}</Ltr>
                  <span className={vehicle.seats - 1 < pax ? 'block text-xs text-warn' : 'block text-xs text-ink-2'}>
                    {m.departures_seats({ count: vehicle.seats })}
                    {vehicle.seats - 1 < pax && ` · ${m.departures_warning_seats()}`}
                    {vehicle.inspection === 'expired' && ` · ${m.departures_warning_inspection()}`}
                  </span>
                </span>
                <Button
                  size="sm"
                  aria-label={m.departures_assign_named({ name: vehicle.label })}
                  pending={assign.isPending && assign.variables.vehicleId === vehicle.id}
                  onClick={() =>
                    assign.mutate({ departureId: departure.id, vehicleId: vehicle.id, driverStaffId: driverId || null })
                  }
                >
                  {m.departures_assign()}
                </Button>
              </li>
            ))}
          </ul>
        )}
      </div>
    </Dialog>
  )
}

/** None is free, or there is none yet. */
function NoVehicle() {
  const { data } = useQuery(callQuery(vehicleRecord.list, { size: 1 }))
  return <p className="text-ink-2">{data?.total === 0 ? m.departures_no_vehicles() : m.departures_no_vehicle_free()}</p>
}
