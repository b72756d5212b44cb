import { Check, CheckCheck, ChevronRight, Minus, UserRoundX } from 'lucide-react'
import { useState } from 'react'
import { Link } from 'wouter'
import { m } from '../../../paraglide/messages.js'
import { guestStatusLabels } from '../../../records/guest-status-labels.ts'
import { TravelerNeed } from '../../../records/traveler-flags.tsx'
import { formatTime } from '../../../ui/format.ts'
import { Ltr } from '../../../ui/ltr.tsx'
import { ConfirmSheet } from '../components/sheet.tsx'
import { undoCheckIn } from '../components/undo-check-in.ts'
import { mayCheckIn, needsOf } from '../rules/guest-list.ts'
import { tapOn, stopOfCheckIn } from '../rules/guest-marks.ts'
import { phone } from '../store/phone.ts'
import type { ShownDeparture, ShownEntry, ShownGroup, ShownParty } from '../store/shown-day.ts'

export interface GuestRowProps {
  shown: ShownDeparture
  group: ShownGroup
  party: ShownParty
  entry: ShownEntry
  onChecked: (ids: readonly string[]) => void
}

/** A guest: the row is the target, the arrow at its start of the line leads to the guest's own page. */
export function GuestRow({ shown, group, party, entry, onChecked }: GuestRowProps) {
  const [isAsked, setAsked] = useState(false)
  const { id, name } = entry
  const undo = () => {
    setAsked(false)
    void undoCheckIn(shown.id, id)
  }
  const tap = () => {
    switch (tapOn(shown, entry, Date.now())) {
      case 'check-in':
        onChecked([id])
        void phone().record({
          kind: 'check_in',
          departureId: shown.id,
          entryId: id,
          stopId: stopOfCheckIn(shown, group),
          method: 'tap',
        })
        break
      case 'undo':
        undo()
        break
      case 'ask-undo':
        setAsked(true)
        break
      case 'closed':
      case 'none':
        break
    }
  }
  // How fresh a check-in is changes what a tap does, and not whether it does something.
  const kind = tapOn(shown, entry, 0)
  const isClosed = kind === 'closed' || kind === 'none'
  const needs = needsOf(entry)
  const label = mayCheckIn(entry) ? m.duty_check_in_one({ name }) : m.duty_undo_one({ name })
  return (
    <div className="duty-guest" data-guest={id}>
      <Link href={`/tours/${shown.id}/guests/${id}`} className="duty-icon" aria-label={m.duty_details_of({ name })}>
        <ChevronRight size={20} aria-hidden />
      </Link>
      <button
        type="button"
        className="flex min-w-0 flex-1 flex-wrap items-center gap-x-3 py-2 pe-3"
        aria-pressed={entry.isAboard}
        aria-disabled={isClosed}
        aria-label={isClosed ? `${name}, ${guestStatusLabels[entry.status]()}` : label}
        onClick={tap}
      >
        <span className="min-w-0 flex-1 basis-40">
          <span className="block font-semibold text-ink-strong">{name}</span>
          <span className="duty-small duty-quiet flex flex-wrap gap-x-3">
            <span>{guestDetail(entry, party)}</span>
            {needs.map((flag) => (
              <TravelerNeed key={flag} flag={flag} />
            ))}
          </span>
        </span>
        <Mark entry={entry} zone={shown.departure.timeZone} />
      </button>
      {isAsked && (
        <ConfirmSheet
          title={m.duty_undo_title({ name })}
          confirm={m.duty_undo()}
          onClose={() => setAsked(false)}
          onConfirm={undo}
        />
      )}
    </div>
  )
}

const guestDetail = ({ age }: ShownEntry, { bookingRef }: ShownParty): string =>
  age !== null && age < 18 ? m.duty_child_age({ age }) : bookingRef

const circles = { none: null, phone: Check, office: CheckCheck } as const

/** When and where it was marked, and the circle. */
function Mark({ entry, zone }: { entry: ShownEntry; zone: string }) {
  const { isAboard, status, mark, checkInAt } = entry
  const isOut = status === 'no_show' || status === 'missing' || status === 'left_early'
  const Icon = isOut ? (status === 'left_early' ? Minus : UserRoundX) : isAboard ? circles[mark] : null
  const tone = mark === 'phone' ? 'text-neutral' : isOut ? 'text-bad' : 'text-ok'
  return (
    <span className="ms-auto flex items-center gap-3">
      {(isAboard || isOut) && (
        <span className={`duty-small text-end ${tone}`}>
          {isOut ? (
            <b className="block">{guestStatusLabels[status]()}</b>
          ) : (
            checkInAt !== null && <Ltr className="block font-semibold">{formatTime(checkInAt, zone)}</Ltr>
          )}
          {mark === 'phone' ? m.duty_on_phone() : m.duty_synced()}
        </span>
      )}
      <span className="duty-circle" data-mark={isOut ? 'bad' : isAboard ? mark : undefined}>
        {Icon && <Icon size={24} aria-hidden />}
      </span>
    </span>
  )
}
