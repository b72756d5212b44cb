import { useQuery } from '@tanstack/react-query'
import { listDepartures } from '@tour-ops/contract/departures/departures'
import { awaitedStatuses } from '@tour-ops/contract/state-machines'
import { Coffee, Crosshair, type LucideIcon, Moon, X } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { callQuery } from '../../backend/queries.ts'
import { m } from '../../paraglide/messages.js'
import { Button } from '../../ui/button.tsx'
import { formatPastAge, formatPercent, formatSpeed, formatTime, localDateOf } from '../../ui/format.ts'
import { everyDuty, signalOf } from '../tracking/index.ts'
import { type AwaySubject, awayOf, isAnybodyOnDuty } from './away.ts'
import { containsEach } from './day-groups.ts'
import type { PanelGroup } from './day-panel.tsx'
import { nextTime } from './next-time.ts'
import type { WatchedSubject } from './watched-subjects.ts'
import { signalText } from '../../records/signal-text.ts'

/** The name, or that it is unknown: of somebody whose duty has just ended, for example. */
export const nameOf = ({ name }: Pick<WatchedSubject, 'name'>): string => name || m.map_no_name()

/** How somebody is, in one line: signal and its age, speed, battery. */
function seenText(person: WatchedSubject, now: number): string {
  const { recordedAt, speedMps, batteryPct } = person
  return [
    person.isSilent ? m.tracking_gap_no_signal() : signalText(signalOf(person, now), person.quiet, now),
    formatPastAge(recordedAt, now),
    typeof speedMps === 'number' ? formatSpeed(speedMps) : '',
    typeof batteryPct === 'number' ? m.map_battery({ percent: formatPercent(batteryPct / 100) }) : '',
  ]
    .filter(Boolean)
    .join(' · ')
}

interface SeenProps {
  people: readonly WatchedSubject[]
  now: number
  followedId: string | undefined
  onFollow: (subjectId: string) => void
  /** Comes from the page, whose file it would leave if this one imported it. */
  Group: typeof PanelGroup
}

interface OnDutyProps extends SeenProps {
  /** What names must contain. */
  q: string
  /** Of the office, for those who see everyone's position; others are not told who is off duty. */
  zone: string | undefined
  /** Is shown where there is nobody. */
  nothing: ReactNode
}

const hourMs = 3_600_000
const dayMs = 24 * hourMs

/** Duties of today and of the night before. */
const useDuties = (now: number, isAsked: boolean) =>
  useQuery({
    ...everyDuty({ from: new Date(Math.floor(now / hourMs) * hourMs - dayMs).toISOString() }),
    enabled: isAsked,
  })

/** People and vehicles that the map shows, by name, and those that it does not show. */
export function OnDuty({ q, zone, nothing, ...props }: OnDutyProps) {
  const { people, now, Group } = props
  const { data, isPending } = useDuties(now, zone !== undefined)
  const away = zone === undefined ? [] : awayOf(data?.rows ?? [], now, zone).filter(({ name }) => containsEach(name, q))
  if (people.length + away.length === 0) return zone !== undefined && isPending ? null : nothing
  return (
    <>
      {people.length > 0 && <Seen {...props} />}
      {away.length > 0 && <Away {...{ away, Group }} />}
    </>
  )
}

/** Who is of today and not on the map, and why. Nothing to press: where they are is not known on purpose. */
const Away = ({ away, Group }: { away: readonly AwaySubject[] } & Pick<OnDutyProps, 'Group'>) => (
  <Group title={m.map_group_away()} count={away.length}>
    {away.map(({ id, name, why, since }) => {
      const { icon: Icon, text } = awayLooks[why]
      return (
        <li key={id} className="flex items-center gap-3 border-b border-line px-4 py-2">
          <span className="min-w-0 flex-1">
            <span className="block text-ink">{name}</span>
            <span className="num block text-xs text-ink-2">{text({ time: formatTime(since) })}</span>
          </span>
          <Icon size={16} className="shrink-0 text-ink-2" aria-hidden />
        </li>
      )
    })}
  </Group>
)

interface NobodySeenProps extends Pick<OnDutyProps, 'now' | 'Group'> {
  /** Of the office. */
  zone: string
}

/** Where the map shows nobody: that nobody is on duty, what starts next, and who is off duty as a list that opens. */
export function NobodySeen({ now, zone, Group }: NobodySeenProps) {
  const { data } = useDuties(now, true)
  const [isListed, setListed] = useState(false)
  if (!data) return null
  const away = awayOf(data.rows, now, zone)
  const isNobodyOn = !isAnybodyOnDuty(data.rows)
  // on duty and not seen: of the others there is nothing to say
  if (!isNobodyOn && away.length === 0) return null
  return (
    <>
      <div className="flex flex-wrap items-center justify-between gap-x-3 border-b border-line px-4 py-2">
        {isNobodyOn && <NobodyOnDuty {...{ now, zone }} />}
        {away.length > 0 && (
          <Button size="sm" variant="ghost" aria-expanded={isListed} onClick={() => setListed(!isListed)}>
            <span className="num">{m.map_away({ count: away.length })}</span>
          </Button>
        )}
      </div>
      {isListed && away.length > 0 && <Away {...{ away, Group }} />}
    </>
  )
}

/** As many as a day may have that should have left by now; those come first. */
const nextRows = 50

function NobodyOnDuty({ now, zone }: { now: number; zone: string }) {
  const { data } = useQuery(
    callQuery(listDepartures, {
      filters: { from: localDateOf(now, zone), status: [...awaitedStatuses] },
      sort: [{ by: 'startsAt' }],
      size: nextRows,
    }),
  )
  const next = data?.rows.find(({ startsAt }) => Date.parse(startsAt) > now)
  return (
    <p className="py-1 text-ink-2">
      {m.map_nobody_on_duty()}
      {next && ` ${m.map_next_start({ code: next.tourCode, time: nextTime(next, now) })}`}
    </p>
  )
}

const awayLooks: Record<AwaySubject['why'], { icon: LucideIcon; text: (at: { time: string }) => string }> = {
  break: { icon: Coffee, text: m.map_on_break_since },
  off_duty: { icon: Moon, text: m.map_off_duty_since },
}

/** A press follows one. */
function Seen({ people, now, followedId, onFollow, Group }: SeenProps) {
  return (
    <Group title={m.map_group_on_duty()} count={people.length}>
      {people
        .toSorted((a, b) => a.name.localeCompare(b.name))
        .map((person) => (
          <li key={person.subjectId} className="border-b border-line">
            <button
              type="button"
              className="flex w-full items-center gap-3 px-4 py-2 text-start hover:bg-surface-2"
              aria-pressed={person.subjectId === followedId}
              onClick={() => onFollow(person.subjectId)}
            >
              <span className="min-w-0 flex-1">
                <span className="block font-medium text-ink-strong">{nameOf(person)}</span>
                <span className="num block text-xs text-ink-2">{seenText(person, now)}</span>
              </span>
              <Crosshair size={16} className="shrink-0 text-ink-2" aria-hidden />
            </button>
          </li>
        ))}
    </Group>
  )
}

interface FollowBarProps {
  person: WatchedSubject
  now: number
  onStop: () => void
}

/** Who the map follows, and the way out. Moving the map stops it as well. */
export function FollowBar({ person, now, onStop }: FollowBarProps) {
  return (
    <div className="absolute start-3 end-16 top-3 flex items-center gap-3 rounded-xl border border-line bg-surface py-1.5 ps-4 pe-2 shadow-float max-lg:top-10 lg:start-[412px] lg:end-auto">
      <span className="min-w-0">
        <b role="status" className="block truncate font-medium text-ink-strong">
          {m.map_following({ name: nameOf(person) })}
        </b>
        <span className="num block truncate text-xs text-ink-2">{seenText(person, now)}</span>
      </span>
      <Button size="sm" variant="ghost" icon={X} onClick={onStop}>
        {m.map_follow_stop()}
      </Button>
    </div>
  )
}
