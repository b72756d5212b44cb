import { useQuery } from '@tanstack/react-query'
import { type OpenRole, staffPlanner } from '@tour-ops/contract/field-staff'
import { ChevronLeft, ChevronRight } from 'lucide-react'
import * as z from 'zod/mini'
import { useNow } from '../../app/shell/clock.ts'
import { useUrlState } from '../../app/url-state.ts'
import { callQuery } from '../../backend/queries.ts'
import { useAccess } from '../../identity/access.ts'
import { m } from '../../paraglide/messages.js'
import { Button } from '../../ui/button.tsx'
import { ErrorPanel } from '../../ui/error-panel.tsx'
import { addDays, formatLocalDay, localDateOf, viewerZone } from '../../ui/format.ts'
import { IconButton } from '../../ui/icon-button.tsx'
import { SkeletonRows } from '../../ui/skeleton.tsx'
import { OpenRoles } from './open-roles.tsx'
import { PlannerGrid } from './planner-grid.tsx'

const days = 7
const Address = z.object({
  from: z.catch(z.optional(z.iso.date()), undefined),
  /** The open role that is looked at, `departure.role`. */
  role: z.catch(z.optional(z.string()), undefined),
})

const roleKey = (role: OpenRole): string => `${role.departureId}.${role.role}`

/** People by days, with what is still unassigned beside them. */
export function Planner() {
  const [{ from, role }, setAddress] = useUrlState(Address)
  const { can } = useAccess()
  const today = localDateOf(useNow(60_000), viewerZone())
  const first = from ?? today
  const query = useQuery(callQuery(staffPlanner, { from: first, days }))
  const move = (by: number) => setAddress({ from: addDays(first, by), role: undefined })
  const planner = query.data
  const mayAssign = can('departures:dispatch')
  const selected = (mayAssign && planner?.open.find((open) => roleKey(open) === role)) || null
  return (
    <div className="flex min-h-0 flex-1 flex-col gap-3">
      <div className="flex flex-wrap items-center gap-x-5 gap-y-2">
        <Legend />
        <span className="flex-1" />
        <span className="flex items-center gap-1">
          <IconButton label={m.staff_previous_week()} icon={ChevronLeft} onClick={() => move(-days)} />
          <Button onClick={() => setAddress({ from: undefined, role: undefined })}>{m.staff_this_week()}</Button>
          <span className="num px-2 font-medium text-ink-strong">
            {formatLocalDay(first)} – {formatLocalDay(addDays(first, days - 1))}
          </span>
          <IconButton label={m.staff_next_week()} icon={ChevronRight} onClick={() => move(days)} />
        </span>
      </div>
      {query.error && !planner && (
        <ErrorPanel
          message={query.error.message}
          requestId={query.error.details.requestId}
          onRetry={() => void query.refetch()}
        />
      )}
      {!planner && !query.error && <SkeletonRows rows={10} />}
      {planner && (
        <div className="grid min-h-0 flex-1 gap-4 lg:grid-cols-[minmax(0,1fr)_328px]">
          <PlannerGrid planner={planner} first={first} days={days} today={today} selected={selected} />
          {mayAssign && (
            <OpenRoles
              open={planner.open}
              selected={selected}
              onSelect={(next) => setAddress({ role: next ? roleKey(next) : undefined })}
            />
          )}
        </div>
      )}
    </div>
  )
}

const Legend = () => (
  <ul className="flex flex-wrap gap-4 text-ink-2">
    <li className="flex items-center gap-2">
      <span className="planner-block h-3 w-6" data-look="accepted" aria-hidden />
      {m.staff_legend_accepted()}
    </li>
    <li className="flex items-center gap-2">
      <span className="planner-block h-3 w-6" data-look="offered" aria-hidden />
      {m.staff_legend_offered()}
    </li>
    <li className="flex items-center gap-2">
      <span className="planner-block h-3 w-6" data-look="done" aria-hidden />
      {m.staff_legend_done()}
    </li>
  </ul>
)
