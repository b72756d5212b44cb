import type { Out } from '@tour-ops/contract/callable'
import type { CalendarBlock, OpenRole, staffPlanner } from '@tour-ops/contract/field-staff'
import { useQuery } from '@tanstack/react-query'
import { suggestStaff } from '@tour-ops/contract/field-staff'
import { Link } from '@tanstack/react-router'
import { Fragment } from 'react'
import { useOpenDeparture } from '../../app/records/departure-link.tsx'
import { callQuery } from '../../backend/queries.ts'
import { m } from '../../paraglide/messages.js'
import { Avatar } from '../../ui/avatar.tsx'
import { classNames } from '../../ui/class-names.ts'
import { addDays, formatLocalDay, formatTimeRange, formatWeekday, localDateOf } from '../../ui/format.ts'
import { Ltr } from '../../ui/ltr.tsx'
import './planner.css'

type PlannerData = Out<typeof staffPlanner>
type Person = PlannerData['people'][number]

interface PlannerGridProps {
  planner: PlannerData
  /** First day, `2026-11-21`. */
  first: string
  days: number
  today: string
  /** An open role whose day is painted with who fits. */
  selected: OpenRole | null
}

/** Rows of people, columns of days; a block lies on the days it touches. */
export function PlannerGrid({ planner, first, days, today, selected }: PlannerGridProps) {
  const dates = Array.from({ length: days }, (_, index) => addDays(first, index))
  const groups = Map.groupBy(planner.people, (person) => person.homeBase?.name ?? m.staff_no_base())
  const fits = useFits(selected)
  return (
    <div className="card min-h-0 overflow-auto" tabIndex={0} role="region" aria-label={m.staff_planner()}>
      <table className="planner">
        <thead>
          <tr>
            <th scope="col" className="planner-name">
              <span className="flex justify-between gap-2">
                {m.staff_person_column()} <span>{m.staff_hours_column()}</span>
              </span>
            </th>
            {dates.map((date) => (
              <th key={date} scope="col" data-today={date === today || undefined}>
                <span className="block" aria-hidden>
                  {date === today ? m.staff_this_week() : weekdayOf(date)}
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
              <tr>
                <th scope="rowgroup" colSpan={days + 1} className="planner-group">
                  {base} <span className="num font-normal text-ink-2">{people.length}</span>
                </th>
              </tr>
              {people.map((person) => (
                <PersonRow
                  key={person.id}
                  person={person}
                  dates={dates}
                  blocks={planner.blocks.filter((block) => block.staffId === person.id)}
                  timeZone={planner.timeZone}
                  fit={
                    selected
                      ? { rank: fits.get(person.id), date: localDateOf(selected.startsAt, planner.timeZone) }
                      : null
                  }
                />
              ))}
            </Fragment>
          ))}
        </tbody>
      </table>
    </div>
  )
}

/** Rank of everybody who fits the role that is looked at. */
function useFits(selected: OpenRole | null): ReadonlyMap<string, number> {
  const { data } = useQuery({
    ...callQuery(suggestStaff, { departureId: selected?.departureId ?? '', role: selected?.role ?? 'lead_guide' }),
    enabled: selected !== null,
  })
  return new Map((selected ? (data?.fits ?? []) : []).slice(0, 9).map((fit, index) => [fit.staffId, index + 1]))
}

interface PersonRowProps {
  person: Person
  dates: readonly string[]
  blocks: readonly CalendarBlock[]
  timeZone: string
  fit: { rank: number | undefined; date: string } | null
}

function PersonRow({ person, dates, blocks, timeZone, fit }: PersonRowProps) {
  const isOver = person.limitHours !== null && person.hours > person.limitHours
  return (
    <tr>
      <th scope="row" className="planner-name">
        <span className="flex items-center gap-2.5">
          <Avatar name={person.name} size={26} />
          <span className="min-w-0 flex-1">
            <Link
              to="/field-staff/details/$id"
              params={{ id: person.id }}
              className="block truncate font-medium text-ink-strong hover:underline"
            >
              <bdi>{person.name}</bdi>
            </Link>
            <span className="block truncate text-2xs font-normal text-ink-2">
              {person.languages.join(' ').toUpperCase()}
            </span>
          </span>
          <span className={classNames('num text-xs', isOver ? 'font-semibold text-bad' : 'font-normal text-ink-2')}>
            {Math.round(person.hours)}
          </span>
        </span>
      </th>
      {dates.map((date) => (
        <td key={date}>
          {blocks
            .filter((block) => touches(block, date, timeZone))
            .map((block) => (
              <Block
                key={block.id}
                block={block}
                isFirstDay={localDateOf(block.startsAt, timeZone) === date || date === dates[0]}
              />
            ))}
          {fit?.date === date && fit.rank !== undefined && <span className="planner-fit num">{fit.rank}</span>}
        </td>
      ))}
    </tr>
  )
}

const weekdayOf = (date: string): string => formatWeekday(new Date(`${date}T12:00:00Z`).getUTCDay())

/** `09:00–17:00` as `09–17`: a block has no room for what says nothing. */
const shortRange = (range: string): string => range.replaceAll(/(\d{2}):00/g, '$1')

const touches = (block: CalendarBlock, date: string, timeZone: string): boolean =>
  localDateOf(block.startsAt, timeZone) <= date && date <= localDateOf(block.endsAt, timeZone)

const leaveWords: Partial<Record<CalendarBlock['kind'], () => string>> = {
  time_off: m.staff_leave,
  training: m.staff_training,
  rest: m.staff_rest,
  external_busy: m.staff_busy,
}

function Block({ block, isFirstDay }: { block: CalendarBlock; isFirstDay: boolean }) {
  const open = useOpenDeparture()
  const { assignment } = block
  if (!assignment) {
    return (
      <span className="planner-block hatch" data-look="leave">
        {(leaveWords[block.kind] ?? m.staff_busy)()}
      </span>
    )
  }
  const look =
    assignment.status === 'offered' || assignment.status === 'draft'
      ? 'offered'
      : assignment.status === 'accepted'
        ? 'accepted'
        : 'done'
  return (
    <button
      type="button"
      className="planner-block"
      data-look={look}
      title={assignment.tourName}
      onClick={() => open(assignment.departureId)}
    >
      <b>{assignment.tourCode}</b>
      {isFirstDay && <Ltr>{shortRange(formatTimeRange(block.startsAt, block.endsAt, assignment.timeZone))}</Ltr>}
    </button>
  )
}
