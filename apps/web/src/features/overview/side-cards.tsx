import { Link } from '@tanstack/react-router'
import type { ReadinessCheck } from '@tour-ops/contract/departures/departures'
import type { AttentionItem, Overview } from '@tour-ops/contract/overview/overview'
import { CircleCheck, FileClock } from 'lucide-react'
import type { ReactNode } from 'react'
import { certificateName } from '../field-staff/index.ts'
import { DepartureLink } from '../../records/departure-link.tsx'
import { ReadinessFix } from '../../records/readiness-fix.tsx'
import { m } from '../../paraglide/messages.js'
import { classNames } from '../../ui/class-names.ts'
import { addDays, formatDate, formatLocalDay, formatPercent, formatWeekday, formatLocalTime } from '../../ui/format.ts'
import { Ltr } from '../../ui/ltr.tsx'
import { weekdayOf } from '../../ui/month.ts'
import { ZoneNote } from '../../ui/zone-note.tsx'
import { checkLooks } from './overview-labels.ts'

interface SideCardProps {
  id: string
  icon?: ReactNode
  title: string
  count?: ReactNode
  children: ReactNode
}

/** A card of the side column: title line of 44 px, then rows. */
function SideCard({ id, icon, title, count, children }: SideCardProps) {
  return (
    <section className="card overflow-hidden" aria-labelledby={id}>
      <div className="flex h-11 items-center gap-2 px-4">
        {icon}
        <h2 id={id} className="text-base font-semibold">
          {title}
        </h2>
        <span className="num text-ink-2">{count}</span>
      </div>
      {children}
    </section>
  )
}

const toneClass = { gap: 'text-gap', warn: 'text-warn' } as const

/** What the day after the one shown still lacks. */
export function TomorrowCard({ overview, isToday }: { overview: Overview; isToday: boolean }) {
  const { tomorrow, figures } = overview
  return (
    <SideCard
      id="tomorrow-title"
      icon={<CircleCheck size={16} className="text-ink-2" aria-hidden />}
      title={isToday ? m.overview_tomorrow() : formatLocalDay(addDays(overview.localDate, 1))}
      count={
        figures.tomorrowTotal > 0 &&
        m.overview_ready_count({ ready: figures.tomorrowReady, total: figures.tomorrowTotal })
      }
    >
      {tomorrow.length === 0 ? (
        <p className="border-t border-line px-4 py-3 text-ink-2">
          {figures.tomorrowTotal > 0 ? m.overview_all_ready() : m.overview_none_next()}
        </p>
      ) : (
        <ul className="lg:max-h-[320px] lg:overflow-y-auto">
          {tomorrow.map(({ id, startsAt, timeZone, startTimeLocal, tourName, failing }) => (
            <li
              key={id}
              className="relative flex min-h-10 items-center gap-2 border-t border-line px-4 py-2 hover:bg-surface-2"
            >
              <DepartureLink
                id={id}
                className="flex min-w-0 flex-1 gap-2 self-start after:absolute after:inset-0 after:-outline-offset-2"
              >
                <span className="grid content-start">
                  <Ltr className="font-semibold text-ink-strong">{formatLocalTime(startTimeLocal)}</Ltr>
                  <ZoneNote moment={startsAt} zone={timeZone} />
                </span>
                <span className="min-w-0 flex-1 font-medium text-ink-strong">{tourName}</span>
              </DepartureLink>
              <FailingChecks departureId={id} failing={failing} />
            </li>
          ))}
        </ul>
      )}
    </SideCard>
  )
}

/** Each check leads to its fix; elsewhere the row leads to the departure. */
const FailingChecks = ({ departureId, failing }: { departureId: string; failing: readonly ReadinessCheck[] }) => (
  <ul className="flex flex-col items-end gap-2">
    {failing.map((check) => {
      const { label, icon: Icon, tone } = checkLooks[check]
      return (
        <li
          key={check}
          className={classNames(
            'relative inline-flex items-center gap-1.5 text-xs font-medium whitespace-nowrap',
            toneClass[tone],
          )}
        >
          <Icon size={14} aria-hidden />
          <ReadinessFix departureId={departureId} check={check} className="underline-offset-2 hover:underline">
            {label()}
          </ReadinessFix>
        </li>
      )
    })}
  </ul>
)

/** Bands of load; the number says the same. See docs/screens.md, "Tours". */
function bandOf(share: number): string {
  if (share <= 0) return 'bg-surface text-ink-2'
  if (share < 0.35) return 'bg-surface-2 text-ink'
  if (share < 0.95) return 'bg-brand-tint text-ink-strong'
  return 'bg-brand-strong text-on-brand'
}

/** Seats sold on fourteen days; each day leads to its departures. */
export function LoadStrip({ load }: { load: Overview['load'] }) {
  return (
    <SideCard id="load-title" title={m.overview_load_title()}>
      <ol className="grid grid-cols-7 gap-1 px-3 pb-3">
        {load.map(({ localDate, departures, seats, taken }) => {
          const share = seats > 0 ? taken / seats : 0
          const day = formatLocalDay(localDate)
          return (
            <li key={localDate}>
              <Link
                to="/tours/all"
                search={{ show: 'departures', 'f.dates': `${localDate},${localDate}` }}
                className={classNames(
                  'num flex h-12 flex-col items-center justify-center rounded-md border border-line text-2xs',
                  bandOf(share),
                )}
                aria-label={
                  departures > 0
                    ? m.overview_load_cell({ day, taken, seats, departures })
                    : m.overview_load_cell_none({ day })
                }
                title={day}
              >
                <span>
                  {formatWeekday(weekdayOf(localDate))} {Number(localDate.slice(8))}
                </span>
                <b className="text-xs">{departures > 0 ? formatPercent(share) : '–'}</b>
              </Link>
            </li>
          )
        })}
      </ol>
    </SideCard>
  )
}

/** Certificates and inspections that end within thirty days. */
export function DocumentsCard({ items, now }: { items: readonly AttentionItem[]; now: number }) {
  if (items.length === 0) return null
  return (
    <SideCard
      id="papers-title"
      icon={<FileClock size={16} className="text-ink-2" aria-hidden />}
      title={m.overview_papers()}
      count={items.length}
    >
      <ul>
        {items.map((item) => (
          <li key={item.key} className="flex min-h-10 items-center gap-2 border-t border-line px-4 py-2">
            {item.staff ? (
              <Link to="/field-staff/details/$id" params={{ id: item.staff.id }} className="link min-w-0 flex-1">
                {m.overview_paper_staff({ paper: certificateName(item.title), name: item.staff.name })}
              </Link>
            ) : (
              <span className="min-w-0 flex-1 text-ink-strong">
                {m.overview_paper_vehicle({ vehicle: item.title })}
              </span>
            )}
            {item.due && (
              <span className="num text-xs whitespace-nowrap text-warn">
                {Date.parse(item.due) < now
                  ? m.overview_paper_ended({ date: formatDate(item.due, 'UTC') })
                  : m.overview_paper_ends({ date: formatDate(item.due, 'UTC') })}
              </span>
            )}
          </li>
        ))}
      </ul>
    </SideCard>
  )
}
