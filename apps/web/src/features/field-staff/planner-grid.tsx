import type { Out } from '@tour-ops/contract/callable'
import type { CalendarBlock, staffPlanner, VehicleBlock } from '@tour-ops/contract/field-staff/staff-planner'
import { Link } from '@tanstack/react-router'
import { BusFront } from 'lucide-react'
import { type DragEvent, Fragment, type ReactNode, useState } from 'react'
import { m } from '../../paraglide/messages.js'
import { Avatar } from '../../ui/avatar.tsx'
import { classNames } from '../../ui/class-names.ts'
import { addDays, formatLocalDay, formatNumber, formatWeekday } from '../../ui/format.ts'
import { Ltr } from '../../ui/ltr.tsx'
import { PlannerBlock, touches } from './planner-block.tsx'
import type { Wanted } from './wanted.ts'
import './planner.css'

type PlannerData = Out<typeof staffPlanner>
type Person = PlannerData['people'][number]
type Vehicle = PlannerData['vehicles'][number]

interface PlannerGridProps {
  planner: PlannerData
  /** First day, `2026-11-21`. */
  first: string
  days: number
  today: string
  /** What is selected or dragged; its days are painted with who fits. */
  wanted: Wanted | null
  isDragging: boolean
  /** Rank by id of a person or a vehicle. */
  fits: ReadonlyMap<string, number>
  onAssign: (wanted: Wanted, id: string) => void
}

/** Rows of people and vehicles, columns of days; a block is on each of the days it touches. */
export function PlannerGrid({ planner, first, days, today, ...assigning }: PlannerGridProps) {
  const dates = Array.from({ length: days }, (_, index) => addDays(first, index))
  const groups = Map.groupBy(planner.people, (person) => person.homeBase?.name ?? m.field_staff_no_base())
  const { timeZone } = planner
  return (
    <div className="card min-h-0 overflow-auto" tabIndex={0} role="region" aria-label={m.field_staff_planner()}>
      <table className="planner">
        <thead>
          <tr>
            <th scope="col" className="planner-name">
              <span className="flex justify-between gap-2">
                {m.field_staff_person_column()} <span>{m.field_staff_hours_column()}</span>
              </span>
            </th>
            {dates.map((date) => (
              <th key={date} scope="col" data-today={date === today || undefined}>
                <span className="block" aria-hidden>
                  {date === today ? m.field_staff_this_week() : weekdayOf(date)}
                </span>
                <span className="num block font-semibold text-ink-strong" aria-hidden>
                  {date === today ? `${weekdayOf(date)} ${Number(date.slice(8))}` : Number(date.slice(8))}
                </span>
                <span className="sr-only">{formatLocalDay(date)}</span>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {[...groups].map(([base, people]) => (
            <Fragment key={base}>
              <GroupRow title={base} count={people.length} columns={days + 1} />
              {people.map((person) => (
                <Row
                  key={person.id}
                  id={person.id}
                  kind="role"
                  name={person.name}
                  head={<PersonHead person={person} />}
                  dates={dates}
                  blocks={planner.blocks.filter((block) => block.staffId === person.id)}
                  timeZone={timeZone}
                  {...assigning}
                />
              ))}
            </Fragment>
          ))}
          {planner.vehicles.length > 0 && (
            <GroupRow title={m.field_staff_vehicles()} count={planner.vehicles.length} columns={days + 1} />
          )}
          {planner.vehicles.map((vehicle) => (
            <Row
              key={vehicle.id}
              id={vehicle.id}
              kind="vehicle"
              name={vehicle.label}
              head={<VehicleHead vehicle={vehicle} />}
              dates={dates}
              blocks={planner.vehicleBlocks.filter((block) => block.vehicleId === vehicle.id)}
              timeZone={timeZone}
              {...assigning}
            />
          ))}
        </tbody>
      </table>
    </div>
  )
}

const GroupRow = ({ title, count, columns }: { title: string; count: number; columns: number }) => (
  <tr>
    <th scope="rowgroup" colSpan={columns} className="planner-group">
      {title} <span className="num font-normal text-ink-2">{count}</span>
    </th>
  </tr>
)

function PersonHead({ person }: { person: Person }) {
  const isOver = person.limitHours !== null && person.hours > person.limitHours
  return (
    <span className="flex items-center gap-2.5">
      <Avatar name={person.name} size={26} />
      <span className="min-w-0 flex-1">
        <Link
          to="/field-staff/details/$id"
          params={{ id: person.id }}
          draggable={false}
          className="block leading-tight font-medium text-ink-strong hover:underline"
        >
          <bdi>{person.name}</bdi>
        </Link>
        <span className="block truncate text-2xs font-normal text-ink-2">
          {person.languages.join(' ').toUpperCase()}
        </span>
      </span>
      <span className={classNames('num text-xs', isOver ? 'font-semibold text-bad' : 'font-normal text-ink-2')}>
        {formatNumber(person.hours, 1)}
      </span>
    </span>
  )
}

const VehicleHead = ({ vehicle }: { vehicle: Vehicle }) => (
  <span className="flex items-center gap-2.5">
    <BusFront size={18} className="mx-1 shrink-0 text-ink-2" aria-hidden />
    <span className="min-w-0 flex-1">
      <span className="block truncate font-medium text-ink-strong">
        <bdi>{vehicle.label}</bdi>
      </span>
      <span className="block truncate text-2xs font-normal text-ink-2">
        <Ltr>{vehicle.plate}</Ltr> · {m.field_staff_vehicle_seats({ count: vehicle.seats })}
      </span>
    </span>
  </span>
)

interface RowProps extends Pick<PlannerGridProps, 'wanted' | 'isDragging' | 'fits' | 'onAssign'> {
  id: string
  /** What can be dropped on it. */
  kind: Wanted['kind']
  name: string
  head: ReactNode
  dates: readonly string[]
  blocks: readonly (CalendarBlock | VehicleBlock)[]
  timeZone: string
}

function Row({ id, kind, name, head, dates, blocks, timeZone, wanted, isDragging, fits, onAssign }: RowProps) {
  const [isOver, setOver] = useState(false)
  const taken = wanted?.kind === kind ? wanted : null
  const rank = taken ? fits.get(id) : undefined
  const isOnDay = (date: string) => taken !== null && touches(taken.of, date, timeZone)
  const firstDay = dates.find(isOnDay)
  const drop =
    isDragging && taken
      ? {
          onDragOver: (event: DragEvent) => {
            event.preventDefault()
            setOver(true)
          },
          onDragLeave: () => setOver(false),
          onDrop: (event: DragEvent) => {
            event.preventDefault()
            setOver(false)
            onAssign(taken, id)
          },
        }
      : {}
  return (
    <tr {...drop} data-over={(isOver && isDragging) || undefined}>
      <th scope="row" className="planner-name">
        {head}
      </th>
      {dates.map((date) => (
        <td key={date} data-wanted={isOnDay(date) || undefined}>
          {blocks
            .filter((block) => touches(block, date, timeZone))
            .map((block, index) => (
              <PlannerBlock key={`${block.id}.${index}`} block={block} date={date} timeZone={timeZone} />
            ))}
          {taken && date === firstDay && rank !== undefined && (
            <button
              type="button"
              className="planner-fit num"
              aria-label={m.field_staff_assign_ranked({ name, rank })}
              onClick={() => onAssign(taken, id)}
            >
              {rank}
            </button>
          )}
        </td>
      ))}
    </tr>
  )
}

const weekdayOf = (date: string): string => formatWeekday(new Date(`${date}T12:00:00Z`).getUTCDay())
