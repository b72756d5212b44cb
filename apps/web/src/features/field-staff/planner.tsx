import { useQuery } from '@tanstack/react-query'
import { suggestStaff } from '@tour-ops/contract/field-staff/assignments'
import { staffPlanner } from '@tour-ops/contract/field-staff/staff-planner'
import { assignVehicle, vehicleRecord } from '@tour-ops/contract/vehicles/vehicles'
import { ChevronLeft, ChevronRight } from 'lucide-react'
import { useState } from 'react'
import { useAssigning } from './use-assigning.tsx'
import { warningLabel } from './crew-labels.ts'
import { useToday } from '../../app/shell/today.ts'
import { useUrlState } from '../../addresses/url-state.ts'
import { refusalText } from '../../errors/refusal-text.ts'
import { callQuery, useCall } from '../../backend/queries.ts'
import { useAccess } from '../../identity/access.ts'
import { m } from '../../paraglide/messages.js'
import { Button } from '../../ui/button.tsx'
import { ErrorPanel } from '../../ui/error-panel.tsx'
import { addDays, formatLocalDay } from '../../ui/format.ts'
import { IconButton } from '../../ui/icon-button.tsx'
import { weekStartOf } from '../../ui/month.ts'
import { SkeletonRows } from '../../ui/skeleton.tsx'
import { toast } from '../../ui/toast.tsx'
import { NobodyYet } from './nobody-yet.tsx'
import { OpenWork } from './open-work.tsx'
import { PlannerGrid } from './planner-grid.tsx'
import { type Wanted, wantedKey } from './wanted.ts'

const days = 7
/** People and vehicles by days of a week, with what is still unassigned next to them: drag it to a row, or choose it and press there. */
export function Planner() {
  const [{ from, role }, setAddress] = useUrlState('/_dashboard/field-staff/list')
  const { can } = useAccess()
  const today = useToday()
  const first = weekStartOf(from ?? today)
  const query = useQuery(callQuery(staffPlanner, { from: first, days }))
  const [dragged, setDragged] = useState<Wanted | null>(null)
  const move = (by: number) => setAddress({ from: addDays(first, by), role: undefined })
  const planner = query.data
  const mayAssign = can('departures:dispatch')
  const open: Wanted[] = [
    ...(planner?.open ?? []).map((of) => ({ kind: 'role' as const, of })),
    ...(planner?.openVehicles ?? []).map((of) => ({ kind: 'vehicle' as const, of })),
  ].toSorted((a, b) => a.of.startsAt.localeCompare(b.of.startsAt))
  const selected = (mayAssign && open.find((one) => wantedKey(one) === role)) || null
  const select = (next: Wanted | null) => setAddress({ role: next ? wantedKey(next) : undefined })
  const nameOf = (id: string) => planner?.people.find((person) => person.id === id)?.name ?? ''
  const assigning = usePlannerAssigning(dragged ?? selected, nameOf, () => select(null))
  return (
    <div className="flex min-h-0 flex-1 flex-col gap-3">
      <div className="flex flex-wrap items-center gap-x-5 gap-y-2">
        <Legend />
        <span className="flex-1" />
        <span className="flex items-center gap-1">
          <IconButton label={m.field_staff_previous_week()} icon={ChevronLeft} onClick={() => move(-days)} />
          <Button onClick={() => setAddress({ from: undefined, role: undefined })}>{m.field_staff_this_week()}</Button>
          <span className="num px-2 font-medium text-ink-strong">
            {formatLocalDay(first)} – {formatLocalDay(addDays(first, days - 1))}
          </span>
          <IconButton label={m.field_staff_next_week()} icon={ChevronRight} onClick={() => move(days)} />
        </span>
      </div>
      {query.error && !planner && (
        <ErrorPanel
          message={refusalText(query.error)}
          requestId={query.error.details.requestId}
          onRetry={() => void query.refetch()}
        />
      )}
      {assigning.error && (
        <p role="alert" className="note tone-bad font-medium">
          {m.field_staff_refused({ reason: refusalText(assigning.error) })}
        </p>
      )}
      {!planner && !query.error && <SkeletonRows rows={10} />}
      {planner?.people.length === 0 && planner.vehicles.length === 0 && (
        <div className="card">
          <NobodyYet />
        </div>
      )}
      {planner && planner.people.length + planner.vehicles.length > 0 && (
        <div className="grid min-h-0 flex-1 gap-4 lg:grid-cols-[minmax(0,1fr)_304px]">
          <PlannerGrid
            planner={planner}
            first={first}
            days={days}
            today={today}
            wanted={dragged ?? selected}
            isDragging={dragged !== null}
            fits={assigning.ranks}
            onAssign={(wanted, id) => {
              setDragged(null)
              assigning.assign(wanted, id)
            }}
          />
          {mayAssign && <OpenWork open={open} selected={selected} onSelect={select} onDrag={setDragged} />}
        </div>
      )}
      {assigning.question}
    </div>
  )
}

/** Assigns the person or vehicle of a row to the open duty; ranks those who fit. */
function usePlannerAssigning(wanted: Wanted | null, nameOf: (staffId: string) => string, onDone: () => void) {
  // After a drop nothing is dragged, and the question why a rule is broken still needs the figures.
  const [last, setLast] = useState<Wanted | null>(null)
  const looked = wanted ?? last
  const role = looked?.kind === 'role' ? looked.of : null
  const suggested = useQuery({
    ...callQuery(suggestStaff, { departureId: role?.departureId ?? '', role: role?.role ?? 'lead_guide' }),
    enabled: role !== null,
  })
  const vehicle = looked?.kind === 'vehicle' ? looked.of : null
  const free = useQuery({
    ...callQuery(vehicleRecord.list, { filters: { freeForDepartureId: vehicle?.departureId ?? '' }, size: 200 }),
    enabled: vehicle !== null,
  })
  const fits = role ? (suggested.data?.fits ?? []) : []
  const people = useAssigning({
    fits,
    onAssigned: (staffId) => {
      toast(m.field_staff_assigned({ name: nameOf(staffId), code: last?.of.departureCode ?? '' }))
      onDone()
    },
    onOffered: onDone,
  })
  const vehicles = useCall(assignVehicle, {
    onSuccess: ({ warnings }) => {
      const warning = warnings.map(warningLabel).join(' ')
      toast(warning ? m.departures_vehicle_assigned_warning({ warning }) : m.departures_vehicle_assigned())
      onDone()
    },
  })
  const ranked =
    wanted?.kind === 'vehicle' ? (free.data?.rows ?? []).map(({ id }) => id) : fits.map(({ staffId }) => staffId)
  return {
    ranks: new Map(wanted ? ranked.map((id, index) => [id, index + 1]) : []),
    error: people.error ?? vehicles.error,
    question: people.question,
    assign: (what: Wanted, id: string) => {
      setLast(what)
      if (what.kind === 'role') {
        vehicles.reset()
        people.assign(what.of, id)
      } else {
        vehicles.mutate({ departureId: what.of.departureId, vehicleId: id, driverStaffId: null })
      }
    },
  }
}

const Legend = () => (
  <ul className="flex flex-wrap gap-4 text-ink-2">
    <li className="flex items-center gap-2">
      <span className="planner-block h-3 w-6" data-look="accepted" aria-hidden />
      {m.field_staff_legend_accepted()}
    </li>
    <li className="flex items-center gap-2">
      <span className="planner-block h-3 w-6" data-look="offered" aria-hidden />
      {m.field_staff_legend_offered()}
    </li>
    <li className="flex items-center gap-2">
      <span className="planner-block h-3 w-6" data-look="done" aria-hidden />
      {m.field_staff_legend_done()}
    </li>
  </ul>
)
