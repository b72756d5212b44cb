import type { Departure, NextStatus } from '@tour-ops/contract/departures/departures'
import { hasStatus, notLeftStatuses } from '@tour-ops/contract/state-machines'
import { Merge, Pencil } from 'lucide-react'
import { createElement } from 'react'
import { useAccess } from '../../identity/access.ts'
import { m } from '../../paraglide/messages.js'
import { Chip } from '../../ui/chip.tsx'
import { formatDayTime, formatTime, localDateOf } from '../../ui/format.ts'
import { onIntent } from '../../ui/load-later.tsx'
import { Menu } from '../../ui/menu.tsx'
import { CombineDialog } from './combine-later.ts'
import {
  actIcon,
  actLabel,
  optionHint,
  storedStatusIcon,
  storedStatusTone,
  storedStatusLabel,
} from './status-labels.ts'

export interface StatusButtonProps {
  departure: Departure
  onChoose: (option: NextStatus) => void
  onCombine: () => void
  onEdit: () => void
}

/** The status as a button: who set it and since when, then only the legal next states, each with its guard or effect. */
export function StatusButton({ departure, onChoose, onCombine, onEdit }: StatusButtonProps) {
  const { can } = useAccess()
  const word = storedStatusLabel(departure.status)
  const icon = storedStatusIcon(departure.status)
  if (!can('departures:dispatch') || departure.nextStatuses.length === 0) {
    const isOver = departure.status === 'cancelled' || departure.status === 'aborted'
    return (
      <Chip large tone="neutral" icon={icon} struck={isOver}>
        {word}
      </Chip>
    )
  }
  return (
    <Menu
      label={m.departures_status_label({ status: word })}
      heading={sinceText(departure)}
      width={300}
      chevron
      className="border-ctl"
      intent={onIntent(CombineDialog)}
      items={[
        ...departure.nextStatuses.map((option) => ({
          key: option.to,
          label: actLabel(departure.status, option.to),
          hint: mayChoose(departure, option, can) ? optionHint(departure, option) : m.departures_needs_manager(),
          icon: actIcon(departure.status, option.to),
          danger: option.to === 'cancelled' || option.to === 'aborted',
          disabled: !option.allowed || !mayChoose(departure, option, can),
          onSelect: () => onChoose(option),
        })),
        ...(hasStatus(notLeftStatuses, departure.status) && can('bookings:manage')
          ? [
              {
                key: 'combine',
                label: m.departures_combine(),
                hint: m.departures_combine_hint(),
                icon: Merge,
                onSelect: onCombine,
              },
            ]
          : []),
        ...(hasStatus(notLeftStatuses, departure.status) && can('departures:manage')
          ? [
              {
                key: 'edit',
                label: m.departures_edit(),
                hint: m.departures_edit_hint(),
                icon: Pencil,
                onSelect: onEdit,
              },
            ]
          : []),
      ]}
    >
      {createElement(icon, { size: 16, className: storedStatusTone(departure.status), 'aria-hidden': true })}
      <span className="sr-only">{m.departures_status()}</span>
      {word}
    </Menu>
  )
}

/** Running below the minimum and reopening are a manager's decisions. See docs/domain.md, "States". */
export const mayChoose = (
  departure: Departure,
  option: NextStatus,
  can: ReturnType<typeof useAccess>['can'],
): boolean => can('departures:manage') || (departure.status !== 'completed' && !option.unmet.includes('below_min_pax'))

function sinceText({ status, statusSince, statusByName, timeZone, localDate }: Departure): string {
  const isSameDay = localDateOf(statusSince, timeZone) === localDate
  const time = isSameDay ? formatTime(statusSince, timeZone) : formatDayTime(statusSince, timeZone)
  const since = m.departures_status_since({ status: storedStatusLabel(status), time })
  return statusByName ? `${since} · ${statusByName}` : since
}
