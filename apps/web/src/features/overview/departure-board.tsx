import type { DepartureRow } from '@tour-ops/contract/departures/departures'
import { CalendarOff, UserX } from 'lucide-react'
import type { SignalCells } from './board-signals.tsx'
import { useEffect, useEffectEvent, useRef, type MouseEvent, type ReactNode } from 'react'
import { DepartureLink, useOpenDeparture } from '../../records/departure-link.tsx'
import { DepartureStatus } from '../../records/departure-status.tsx'
import { m } from '../../paraglide/messages.js'
import { classNames } from '../../ui/class-names.ts'
import { isInPopup, isTyping } from '../../ui/drawer.tsx'
import { Empty } from '../../ui/empty.tsx'
import { Flash } from '../../ui/flash.tsx'
import { LoadBar } from '../../ui/load-bar.tsx'
import { Ltr } from '../../ui/ltr.tsx'
import { useIsDesktop } from '../../ui/use-media.ts'
import { ZoneNote } from '../../ui/zone-note.tsx'
import { formatLocalTime, formatTime } from '../../ui/format.ts'

export interface DepartureBoardProps {
  rows: readonly DepartureRow[]
  now: number
  /** Come after the first paint. */
  cells: SignalCells | undefined
  /** Departure whose drawer is open. */
  openId: string | undefined
  /** Shows only the person's own departures. */
  isOwn: boolean
  /** Leads to where departures are planned, for those who may. */
  emptyAction: ReactNode
}

/** The board of a day: time, status, tour first, so that it stays readable next to the drawer. */
export function DepartureBoard({ rows, now, cells, openId, isOwn, emptyAction }: DepartureBoardProps) {
  const isDesktop = useIsDesktop()
  const board = useRef<HTMLElement>(null)
  useStepKeys(board, openId !== undefined)
  return (
    <section ref={board} className="card min-w-0 overflow-hidden" aria-labelledby="board-title">
      <div className="flex h-12 items-center gap-2 px-4">
        <h2 id="board-title" className="text-base font-semibold">
          {m.overview_departures()}
        </h2>
        <span className="num text-ink-2">{rows.length}</span>
        <span className="flex-1" />
        {rows.length > 0 && (
          <span className="text-xs text-ink-2 max-lg:hidden" title={m.overview_keys()}>
            {m.overview_local_times()}
          </span>
        )}
      </div>
      {rows.length === 0 ? (
        <Empty
          icon={CalendarOff}
          title={isOwn ? m.overview_board_empty_own() : m.overview_board_empty()}
          actions={emptyAction}
        >
          {isOwn ? m.overview_board_empty_own_text() : m.overview_board_empty_text()}
        </Empty>
      ) : isDesktop ? (
        <BoardTable {...{ rows, now, cells, openId }} />
      ) : (
        <BoardCards {...{ rows, now, cells }} />
      )}
    </section>
  )
}

/** J and K walk through the departures. With the drawer open they are the drawer's: it steps by itself. */
function useStepKeys(board: { readonly current: HTMLElement | null }, isDrawerOpen: boolean): void {
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    const by = event.key === 'j' ? 1 : event.key === 'k' ? -1 : 0
    if (by === 0 || isDrawerOpen || event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return
    if (isTyping(event.target) || isInPopup(event.target)) return
    const links = [...(board.current?.querySelectorAll<HTMLElement>('[data-departure]') ?? [])]
    const at = links.findIndex((link) => link === document.activeElement)
    const next = links[at === -1 && by === -1 ? links.length - 1 : at + by]
    if (!next) return
    event.preventDefault()
    next.focus()
  })
  useEffect(() => {
    const listen = (event: KeyboardEvent) => onKey(event)
    document.addEventListener('keydown', listen)
    return () => document.removeEventListener('keydown', listen)
  }, [])
}

interface BoardRowsProps {
  rows: readonly DepartureRow[]
  now: number
  cells: SignalCells | undefined
  openId?: string | undefined
}

const headCell = 'px-2 text-start text-xs font-medium whitespace-nowrap text-ink-2 first:ps-4 last:pe-4'

function BoardTable({ rows, now, cells, openId }: BoardRowsProps) {
  const open = useOpenDeparture()
  const press = (event: MouseEvent, id: string) => {
    if (event.target instanceof Element && event.target.closest('a, button')) return
    open(id, { replace: openId !== undefined })
  }
  return (
    <table className="w-full border-collapse">
      <thead>
        <tr className="h-8 border-b border-line">
          {[
            m.overview_starts_col(),
            m.overview_status(),
            m.overview_tour(),
            m.overview_booked(),
            m.overview_guide(),
            m.overview_vehicle(),
          ].map((head) => (
            <th key={head} scope="col" className={headCell}>
              {head}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <tr
            key={row.id}
            aria-current={row.id === openId || undefined}
            className={classNames(
              'h-11 cursor-pointer border-b border-line last:border-0',
              row.id === openId ? 'selected shadow-[inset_3px_0_0_var(--brand)]' : 'hover:bg-surface-2',
            )}
            onClick={(event) => press(event, row.id)}
          >
            <td className="ps-4 pe-2 font-semibold whitespace-nowrap text-ink-strong">
              <StartOf row={row} />
            </td>
            <td data-one-line className="px-2 whitespace-nowrap">
              <Flash value={`${row.status} ${row.delaySeconds}`} className="inline-block">
                <DepartureStatus departure={row} now={now} />
              </Flash>
              {row.status === 'in_progress' && (
                <span className={classNames(smallLine, 'ps-1.5')}>{cells?.basis(row, now)}</span>
              )}
            </td>
            {/* It takes what the others leave: a long name is cut, and when they are next where stands in a second line before that. */}
            <td className="w-full px-2">
              <div className="grid grid-cols-[minmax(140px,1fr)]">
                <DepartureLink id={row.id} data-departure={row.id} className="block font-medium text-ink-strong">
                  <span className="block truncate" title={row.tourName}>
                    {row.tourName}
                  </span>
                </DepartureLink>
                <NextStop row={row} />
              </div>
            </td>
            <td className="px-2 whitespace-nowrap">
              <Flash value={`${row.seatsConfirmed}/${row.capacity}`}>
                <LoadBar value={row.seatsConfirmed} capacity={row.capacity} width={32} />
              </Flash>
            </td>
            <td className="px-2 whitespace-nowrap">
              <Flash value={row.leadGuide?.name ?? null} className="block max-w-[144px] truncate">
                <span title={row.leadGuide?.name}>
                  <GuideOf row={row} />
                </span>
              </Flash>
              <span className={smallLine}>{cells?.heard(row, now)}</span>
            </td>
            <td className="px-2 pe-4 whitespace-nowrap text-ink-2">
              <span className="block max-w-[104px] truncate" title={vehicleOf(row)}>
                {vehicleOf(row)}
              </span>
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

/** Below 1280 px: time, tour with its figures, status. */
function BoardCards({ rows, now, cells }: BoardRowsProps) {
  return (
    <ul>
      {rows.map((row) => (
        <li key={row.id} className="border-t border-line">
          <DepartureLink
            id={row.id}
            data-departure={row.id}
            className="flex min-h-[52px] items-center gap-3 px-4 py-1.5 outline-offset-[-2px] hover:bg-surface-2"
          >
            <span className="w-[calc(50px+var(--hours))] shrink-0 font-semibold text-ink-strong">
              <StartOf row={row} />
            </span>
            <span className="min-w-0 flex-1">
              <b className="block font-medium text-ink-strong">{row.tourName}</b>
              <span className="flex flex-wrap items-center gap-x-1 text-xs text-ink-2">
                <Ltr>
                  <Flash value={row.seatsConfirmed}>
                    {row.seatsConfirmed}/{row.capacity}
                  </Flash>
                </Ltr>
                <span aria-hidden>·</span>
                <GuideOf row={row} />
              </span>
              <NextStop row={row}>
                {cells?.basis(row, now)} {cells?.heard(row, now)}
              </NextStop>
            </span>
            <DepartureStatus departure={row} now={now} />
          </DepartureLink>
        </li>
      ))}
    </ul>
  )
}

const StartOf = ({ row }: { row: DepartureRow }) =>
  row.dayIndex > 1 ? (
    <span className="num">{m.overview_day_n({ number: row.dayIndex })}</span>
  ) : (
    <>
      <Ltr>{formatLocalTime(row.startTimeLocal)}</Ltr> <ZoneNote moment={row.startsAt} zone={row.timeZone} />
    </>
  )

const smallLine = 'block text-xs leading-4 font-normal text-ink-2'

/** `5/7 14:03 Gullfoss` while they are on the way; where they are, without a time. */
function NextStop({ row: { status, nextStop, timeZone }, children }: { row: DepartureRow; children?: ReactNode }) {
  if (status !== 'in_progress' || nextStop === null) return null
  return (
    <span className={smallLine}>
      <Ltr>
        {nextStop.number}/{nextStop.of}
      </Ltr>{' '}
      {!nextStop.isHere && (
        <>
          <Ltr>{formatTime(nextStop.at, timeZone)}</Ltr> <ZoneNote moment={nextStop.at} zone={timeZone} />{' '}
        </>
      )}
      {nextStop.name} {children}
    </span>
  )
}

const isOver = (row: DepartureRow): boolean => ['completed', 'cancelled', 'aborted'].includes(row.status)

function GuideOf({ row }: { row: DepartureRow }) {
  if (row.leadGuide) return row.leadGuide.name
  if (isOver(row)) return <span className="text-ink-2">–</span>
  return (
    <span className="inline-flex items-center gap-1.5 text-xs font-medium text-gap">
      <UserX size={14} aria-hidden />
      {m.overview_no_guide()}
    </span>
  )
}

function vehicleOf(row: DepartureRow): string {
  if (row.vehicle) return row.vehicle.name
  return row.tourKind === 'walking' ? m.overview_on_foot() : '–'
}
