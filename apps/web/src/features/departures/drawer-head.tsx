import type { Departure, NextStatus } from '@tour-ops/contract/departures/departures'
import { displayedStatus } from '@tour-ops/contract/departures/displayed-status'
import { ChevronDown, ChevronUp, Clock, Link2, Mail, Maximize2, Minimize2, MoreHorizontal, Printer } from 'lucide-react'
import { useState } from 'react'
import { m } from '../../paraglide/messages.js'
import { Chip, StatusChip } from '../../ui/chip.tsx'
import { copyText } from '../../ui/copy-text.ts'
import { foreignZone, formatDuration, formatLanguage, formatTime, formatZone } from '../../ui/format.ts'
import { formatSpan } from '../../ui/format-span.ts'
import { IconButton } from '../../ui/icon-button.tsx'
import { onIntent } from '../../ui/load-later.tsx'
import { LoadBar } from '../../ui/load-bar.tsx'
import { Ltr } from '../../ui/ltr.tsx'
import { Menu } from '../../ui/menu.tsx'
import { useMedia } from '../../ui/use-media.ts'
import { publicAddressOf } from '../../app/public-address.ts'
import { useLateLimits } from '../../app/late-limits.ts'
import { useNow } from '../../ui/clock.ts'
import { MessageDialog, useMayWrite } from '../notifications/index.ts'
import { ReadinessChip } from './readiness-chip.tsx'
import { StatusButton } from './status-button.tsx'
import { hasStatus, notLeftStatuses } from '@tour-ops/contract/state-machines'

/** From here on the head has room for its buttons; below they are in a menu. */
const roomyQuery = '(min-width: 600px)'

export function DrawerTitle({ departure }: { departure: Departure }) {
  return (
    <div className="flex min-w-0 flex-wrap items-baseline gap-x-3">
      <h2 className="truncate text-xl font-semibold tracking-tight">{departure.tourName}</h2>
      <Ltr className="text-ink-2 max-sm:hidden">{departure.code}</Ltr>
    </div>
  )
}

export interface DrawerActionsProps {
  departure: Departure
  onStep: ((by: 1 | -1) => void) | undefined
  isFull: boolean
  onFull: (isFull: boolean) => void
}

export function DrawerActions(props: DrawerActionsProps) {
  const { departure } = props
  const isRoomy = useMedia(roomyQuery)
  const copy = () => {
    const address = new URL(publicAddressOf(location.pathname))
    address.searchParams.set('departure', departure.id)
    void copyText(address.href, m.departures_link_copied())
  }
  const [isWriting, setWriting] = useState(false)
  const buttons = { ...props, onCopy: copy, onPrint: () => window.print(), onWrite: () => setWriting(true) }
  return (
    <>
      {isRoomy ? <ActionButtons {...buttons} /> : <ActionMenu {...buttons} />}
      {/* in either width: what is typed outlives a phone that is turned */}
      {isWriting && <MessageDialog guests={guestsOf(departure)} onClose={() => setWriting(false)} />}
    </>
  )
}

interface ActionProps extends DrawerActionsProps {
  onCopy: () => void
  onPrint: () => void
  onWrite: () => void
}

function ActionMenu({ onCopy, onPrint, onWrite }: ActionProps) {
  const mayWrite = useMayWrite()
  return (
    <Menu
      label={m.departures_more()}
      icon={MoreHorizontal}
      align="end"
      items={[
        ...(mayWrite ? [{ key: 'write', label: m.notifications_write(), icon: Mail, onSelect: onWrite }] : []),
        { key: 'copy', label: m.departures_copy_link(), icon: Link2, onSelect: onCopy },
        { key: 'print', label: m.departures_print(), icon: Printer, onSelect: onPrint },
      ]}
    />
  )
}

function ActionButtons({ onStep, isFull, onFull, onCopy, onPrint, onWrite }: ActionProps) {
  const mayWrite = useMayWrite()
  return (
    <>
      {onStep && (
        <>
          <IconButton
            label={m.departures_previous()}
            title={`${m.departures_previous()} (K)`}
            icon={ChevronUp}
            onClick={() => onStep(-1)}
          />
          <IconButton
            label={m.departures_next()}
            title={`${m.departures_next()} (J)`}
            icon={ChevronDown}
            onClick={() => onStep(1)}
          />
          <span className="mx-1 h-6 w-px bg-line" aria-hidden />
        </>
      )}
      {mayWrite && (
        <IconButton label={m.notifications_write()} icon={Mail} {...onIntent(MessageDialog)} onClick={onWrite} />
      )}
      <IconButton label={m.departures_copy_link()} icon={Link2} onClick={onCopy} />
      <IconButton label={m.departures_print()} icon={Printer} onClick={onPrint} />
      <span className="max-md:hidden">
        <IconButton
          label={isFull ? m.departures_half_page() : m.departures_full_page()}
          icon={isFull ? Minimize2 : Maximize2}
          aria-pressed={isFull}
          onClick={() => onFull(!isFull)}
        />
      </span>
    </>
  )
}

const guestsOf = ({ id }: Departure) => ({ departureIds: [id], bookingIds: [] })

export interface DrawerStatusProps {
  departure: Departure
  onChoose: (option: NextStatus) => void
  onCombine: () => void
  onEdit: () => void
}

/** Under the title: one line about the departure, then status button, delay, readiness and seats. */
export function DrawerStatus({ departure, onChoose, onCombine, onEdit }: DrawerStatusProps) {
  const taken = departure.seatsConfirmed + departure.seatsHeld
  return (
    <>
      <p className="truncate text-ink-2 max-sm:hidden">{lineOf(departure)}</p>
      <p className="truncate text-ink-2 sm:hidden">
        {[whenOf(departure), foreignZone(departure.startsAt, departure.timeZone)].filter(Boolean).join(' ')} ·{' '}
        <Ltr>{departure.code}</Ltr>
      </p>
      <div className="mt-2 mb-1 flex flex-wrap items-center gap-x-3 gap-y-2">
        <StatusButton departure={departure} onChoose={onChoose} onCombine={onCombine} onEdit={onEdit} />
        <TimingChip departure={departure} />
        <TimeThere zone={departure.timeZone} />
        <ReadinessChip departure={departure} />
        <LoadBar className="ms-auto sm:hidden" value={taken} capacity={departure.capacity} hideBar />
        <LoadBar className="ms-auto max-sm:hidden" value={taken} capacity={departure.capacity} />
      </div>
    </>
  )
}

const whenOf = ({ startsAt, endsAt, timeZone }: Departure): string => formatSpan(startsAt, endsAt, timeZone)

/** `Fri 20 Nov, 09:00–17:00 Reykjavik · Björn Ólafsson · Minibus 4 · English`. */
function lineOf(departure: Departure): string {
  const { timeZone, leadGuide, vehicle, language } = departure
  const parts = [
    `${whenOf(departure)} ${formatZone(timeZone)}`,
    leadGuide?.name ?? m.departures_no_guide(),
    vehicle?.name,
    language && formatLanguage(language),
    departure.isPrivate && m.departures_one_party(),
  ]
  return parts.filter(Boolean).join(' · ')
}

/** What the clocks show at the tour, for an office with another time. */
function TimeThere({ zone }: { zone: string }) {
  const now = useNow(15_000)
  if (foreignZone(now, zone) === '') return null
  return <span className="num text-ink-2">{m.departures_now_there({ time: formatTime(now, zone) })}</span>
}

/** A countdown is shown within this time of the start. */
const countdownMs = 3 * 60 * 60 * 1000

/** How late it is, or how soon it starts; nothing where the status says all. */
function TimingChip({ departure }: { departure: Departure }) {
  const now = useNow(15_000)
  const shown = displayedStatus(departure, new Date(now), useLateLimits())
  if (shown.status === 'delayed' || shown.status === 'at_risk' || shown.status === 'on_time')
    return <StatusChip status={shown} />
  const untilMs = Date.parse(departure.startsAt) - now
  const isAhead = hasStatus(notLeftStatuses, departure.status)
  if (!isAhead || untilMs > countdownMs) return null
  const minutes = formatDuration(Math.abs(untilMs) / 60_000)
  return (
    <Chip tone={untilMs < 0 ? 'warn' : 'info'} icon={Clock}>
      {untilMs < 0 ? m.departures_start_overdue({ time: minutes }) : m.departures_starts_in({ time: minutes })}
    </Chip>
  )
}
