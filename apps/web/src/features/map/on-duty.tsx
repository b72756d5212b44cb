import { Crosshair, X } from 'lucide-react'
import { m } from '../../paraglide/messages.js'
import { Button } from '../../ui/button.tsx'
import { formatPastAge, formatPercent, formatSpeed } from '../../ui/format.ts'
import { type SeenSubject, signalOf } from '../tracking/index.ts'
import type { PanelGroup } from './day-panel.tsx'
import { linkStateLabels } from '../../records/link-state-labels.ts'

/** The name, or that it is unknown: of somebody whose duty has just ended, for example. */
export const nameOf = ({ name }: Pick<SeenSubject, 'name'>): string => name || m.map_no_name()

/** How somebody is, in one line: signal and its age, speed, battery. */
function seenText(person: SeenSubject, now: number): string {
  const { recordedAt, speedMps, batteryPct } = person
  return [
    linkStateLabels[signalOf(person, now)](),
    formatPastAge(recordedAt, now),
    typeof speedMps === 'number' ? formatSpeed(speedMps) : '',
    typeof batteryPct === 'number' ? m.map_battery({ percent: formatPercent(batteryPct / 100) }) : '',
  ]
    .filter(Boolean)
    .join(' · ')
}

interface OnDutyProps {
  people: readonly SeenSubject[]
  now: number
  followedId: string | undefined
  onFollow: (subjectId: string) => void
  /** Comes from the page, whose file it would leave if this one imported it. */
  Group: typeof PanelGroup
}

/** People and vehicles that the map shows, by name. A press follows one. */
export function OnDuty({ people, now, followedId, onFollow, Group }: OnDutyProps) {
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
  person: SeenSubject
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
