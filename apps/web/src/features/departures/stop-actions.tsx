import type { Departure } from '@tour-ops/contract/departures/departures'
import { type DepartureStop, markStop } from '@tour-ops/contract/departures/run-sheet'
import { Check, Clock, LogOut, MoreHorizontal, SkipForward, Undo2, Users } from 'lucide-react'
import { useState } from 'react'
import { m } from '../../paraglide/messages.js'
import { ConfirmDialog } from '../../ui/dialog.tsx'
import { TimeInput } from '../../ui/date-field.tsx'
import { Field, TextArea } from '../../ui/field.tsx'
import { localTimeOf } from '../../ui/format.ts'
import { Menu, type MenuAction } from '../../ui/menu.tsx'
import { toast } from '../../ui/toast.tsx'
import { useNow } from '../../ui/clock.ts'
import { useDepartureAccess } from './departure-access.ts'
import { markTimeOf } from './mark-time.ts'
import { isUnderWay } from './run-sheet.ts'
import { refusalText } from '../../errors/refusal-text.ts'
import { useDepartureWrite } from './use-departure-write.ts'

/** What a person can do with a stop; `*-at` asks for the time first. */
export type StopAction = 'arrive' | 'arrive-at' | 'depart' | 'depart-at' | 'skip' | 'take-back' | 'count'

export interface StopMenuProps {
  departure: Departure
  stop: DepartureStop
  onAction: (act: StopAction, stop: DepartureStop) => void
}

/** The actions that are legal for a stop now; nothing for those who may not, and nothing once it is over. */
export function StopMenu({ departure, stop, onAction }: StopMenuProps) {
  const { can } = useDepartureAccess(departure)
  const isOpen = stop.status === 'planned' || stop.status === 'approaching'
  if (!can('checkin:write') || !isUnderWay(departure) || (!isOpen && stop.status !== 'arrived')) return null
  const item = (key: StopAction, label: string, icon: MenuAction['icon'], danger = false): MenuAction => ({
    key,
    label,
    icon,
    danger,
    onSelect: () => onAction(key, stop),
  })
  const items = isOpen
    ? [
        item('arrive', m.departures_mark_arrived(), Check),
        item('arrive-at', m.departures_mark_arrived_at(), Clock),
        item('skip', m.departures_skip_stop(), SkipForward),
      ]
    : [
        item('depart', m.departures_mark_departed(), LogOut),
        item('depart-at', m.departures_mark_departed_at(), Clock),
        item('count', m.departures_headcount(), Users),
        item('take-back', m.departures_take_back(), Undo2, true),
      ]
  return (
    <Menu
      label={m.departures_stop_acts({ place: stop.placeName })}
      icon={MoreHorizontal}
      align="end"
      className="icon-btn-sm sm:!w-6"
      items={items}
    />
  )
}

/** Marks a stop at once; a refusal is shown in a toast. */
export const useMarkStop = (onMarked?: (stopId: string, to: DepartureStop['status']) => void) =>
  useDepartureWrite(
    markStop,
    (_, { id, to }) => onMarked?.(id, to),
    (error) => toast(refusalText(error)),
  )

const clockMs = 15_000

const targets = {
  'arrive-at': 'arrived',
  'depart-at': 'departed',
  depart: 'departed',
  skip: 'skipped',
  'take-back': 'planned',
} as const
export type AskedAction = keyof typeof targets

export interface StopDialogProps {
  departure: Departure
  stop: DepartureStop
  act: AskedAction
  onClose: () => void
}

/** Asks for the time or the reason that a mark needs. */
export function StopDialog({ departure, stop, act, onClose }: StopDialogProps) {
  const zone = departure.timeZone
  const [time, setTime] = useState(() => localTimeOf(new Date(), zone))
  const [reason, setReason] = useState('')
  const write = useDepartureWrite(markStop, () => {
    toast(m.departures_stop_marked({ place: stop.placeName }))
    onClose()
  })
  const asksTime = act === 'arrive-at' || act === 'depart-at'
  const needsReason = act === 'skip' || act === 'take-back' || act === 'depart'
  const titles: Record<AskedAction, string> = {
    'arrive-at': m.departures_arrived_title({ place: stop.placeName }),
    'depart-at': m.departures_departed_title({ place: stop.placeName }),
    depart: m.departures_leave_uncounted_title({ place: stop.placeName }),
    skip: m.departures_skip_title({ place: stop.placeName }),
    'take-back': m.departures_take_back_title({ place: stop.placeName }),
  }
  const labels: Record<AskedAction, string> = {
    'arrive-at': m.departures_mark_arrived(),
    'depart-at': m.departures_mark_departed(),
    depart: m.departures_mark_departed(),
    skip: m.departures_skip_stop(),
    'take-back': m.departures_take_back(),
  }
  const now = useNow(clockMs)
  // the clock of this dialog may be one step behind
  const typed = { time, isLeaving: act === 'depart-at', now: new Date(now), clockStepMs: clockMs }
  const { at, day, error } = markTimeOf(departure, stop, typed)
  const timeError = asksTime ? error : undefined
  const send = () =>
    write.mutate({
      id: stop.id,
      version: stop.version,
      to: targets[act],
      ...(asksTime && { at: at.toISOString() }),
      reason: reason.trim() || null,
    })
  return (
    <ConfirmDialog
      open
      onClose={onClose}
      onConfirm={send}
      title={titles[act]}
      confirmLabel={labels[act]}
      danger={act === 'take-back'}
      pending={write.isPending}
      disabledReason={timeError ?? (needsReason && reason.trim() === '' ? m.departures_reason_first() : undefined)}
      error={write.error ? refusalText(write.error) : undefined}
    >
      <div className="grid gap-3">
        {act === 'take-back' && <p>{m.departures_take_back_text()}</p>}
        {asksTime && (
          <Field label={m.departures_time()} hint={day} error={timeError}>
            <TimeInput value={time} onChange={setTime} />
          </Field>
        )}
        {(needsReason || act === 'depart-at') && (
          <Field label={m.departures_reason()} required={needsReason}>
            <TextArea value={reason} maxLength={300} onChange={(event) => setReason(event.target.value)} />
          </Field>
        )}
      </div>
    </ConfirmDialog>
  )
}
