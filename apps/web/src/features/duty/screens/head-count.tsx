import { Bus, Clock, Lock, Minus, Plus, TriangleAlert } from 'lucide-react'
import { useId, useState } from 'react'
import { useLocation } from 'wouter'
import { m } from '../../../paraglide/messages.js'
import { TextLimit } from '../../../ui/text-limit.tsx'
import { Avatar } from '../../../ui/avatar.tsx'
import { useNow } from '../../../ui/clock.ts'
import { formatList, formatTime } from '../../../ui/format.ts'
import { DutyPage } from '../components/page.tsx'
import { Sheet } from '../components/sheet.tsx'
import { guestWith, presentGuests } from '../rules/guest-list.ts'
import {
  afterCountOf,
  headCountEvents,
  type CountReason,
  countReasons,
  isBlocked,
  statusOfMissing,
} from '../rules/head-count.ts'
import { nextStepOf } from '../rules/next-step.ts'
import { phone } from '../store/phone.ts'
import type { ShownDay, ShownDeparture, ShownEntry, ShownStop } from '../store/shown-day.ts'
import { CallIcon } from './departure-facts.tsx'

const reasonLabels: Record<CountReason, () => string> = {
  stays: m.duty_reason_stays,
  left: m.duty_reason_left,
  office: m.duty_reason_office,
  other: m.duty_reason_other,
}

/** Counts heads before a stop is left. A number that differs locks "Depart" until there is a reason. See docs/domain.md, "Head counts". */
export function HeadCount({ day, shown, stop }: { day: ShownDay; shown: ShownDeparture; stop: ShownStop }) {
  const id = useId()
  const now = useNow(15_000)
  const [, navigate] = useLocation()
  const present = presentGuests(shown)
  const expected = present.length
  const [counted, setCounted] = useState(expected)
  const [missingIds, setMissingIds] = useState<readonly string[]>([])
  const [isTicking, setTicking] = useState(false)
  const [kind, setKind] = useState<CountReason | null>(null)
  const [typed, setTyped] = useState('')
  const reason = kind === null ? '' : kind === 'other' ? typed.trim() : reasonLabels[kind]()
  const differs = counted !== expected
  const blocked = isBlocked({ counted, expected, reason })
  const after = afterCountOf(shown, stop, nextStepOf(shown, day.asOf, now))
  const missing = differs && counted < expected ? present.filter((entry) => missingIds.includes(entry.id)) : []
  const step = (by: number) => {
    setCounted(Math.min(2000, Math.max(0, counted + by)))
    setMissingIds([])
  }
  const back = `/tours/${shown.id}`
  const send = () => {
    if (blocked) return
    void phone().record(...headCountEvents(shown, stop, { counted, expected, reason, kind, missing }, after))
    navigate(back)
  }
  const time = formatTime(shown.departure.startsAt, shown.departure.timeZone)
  return (
    <DutyPage
      title={m.duty_count_title()}
      context={`${stop.placeName} · ${shown.departure.tourName} ${time}`}
      back={back}
      foot={
        <div className="duty-foot">
          <button
            type="button"
            className="duty-btn duty-btn-main"
            aria-disabled={blocked}
            aria-describedby={`${id}-cause`}
            onClick={send}
          >
            {blocked ? <Lock size={20} aria-hidden /> : <Bus size={22} aria-hidden />}
            {buttonLabel(after, counted, blocked)}
          </button>
          <p id={`${id}-cause`} className="duty-small duty-quiet text-center">
            {blocked
              ? m.duty_blocked({ counted, expected })
              : differs && [m.duty_office_alert(), markedText(shown, missing, kind)].filter(Boolean).join(' ')}
          </p>
        </div>
      }
    >
      <div className="flex items-center justify-between gap-2 border-b border-line bg-surface px-4 py-3">
        <button type="button" className="duty-step" aria-label={m.duty_one_less()} onClick={() => step(-1)}>
          <Minus size={24} aria-hidden />
        </button>
        <p className="flex flex-wrap items-baseline justify-center gap-x-2" role="status">
          <span className="sr-only">{m.duty_counted()}</span>
          <b className="num text-[3.5rem]/[3.75rem] text-ink-strong">{counted}</b>
          <span className="text-[1.25rem] text-ink-2">{m.duty_of_expected({ expected })}</span>
        </p>
        <button type="button" className="duty-step" aria-label={m.duty_one_more()} onClick={() => step(1)}>
          <Plus size={24} aria-hidden />
        </button>
      </div>
      {differs && (
        <p className="duty-bar tone-bad py-3" role="alert">
          <TriangleAlert size={22} aria-hidden />
          <span className="text-ink">
            <b>
              {counted < expected
                ? m.duty_missing_guests({ count: expected - counted })
                : m.duty_extra_guests({ count: counted - expected })}
            </b>{' '}
            {counted < expected ? m.duty_missing_guests_text() : m.duty_extra_guests_text()}
          </span>
        </p>
      )}
      <div className="grid gap-4 p-4">
        <div>
          <div className="flex min-h-11 flex-wrap items-center justify-between gap-x-3">
            <h2 className="text-ink-2">{differs && counted < expected ? m.duty_who_missing() : ''}</h2>
            <button type="button" className="duty-link" onClick={() => setTicking(true)}>
              {m.duty_tick_names()}
            </button>
          </div>
          {missing.length > 0 && (
            <div className="duty-card duty-rows overflow-hidden">
              {missing.map((entry) => (
                <MissingGuest key={entry.id} shown={shown} entry={entry} />
              ))}
            </div>
          )}
        </div>
        {differs && (
          <fieldset>
            <legend className="text-ink-2">
              {counted < expected ? m.duty_count_reason() : m.duty_count_reason_extra()}
            </legend>
            <div className="duty-card duty-rows mt-1 overflow-hidden">
              {(counted < expected ? countReasons : (['other'] as const)).map((one) => (
                <label key={one} className="duty-choice">
                  <input type="radio" name={`${id}-reason`} checked={kind === one} onChange={() => setKind(one)} />
                  {reasonLabels[one]()}
                </label>
              ))}
            </div>
            {kind === 'other' && (
              <TextLimit>
                <textarea
                  className="duty-field mt-2"
                  rows={3}
                  maxLength={200}
                  aria-label={m.duty_reason()}
                  placeholder={m.duty_reason()}
                  value={typed}
                  onChange={({ target }) => setTyped(target.value)}
                />
              </TextLimit>
            )}
          </fieldset>
        )}
        <Overdue day={day} shown={shown} stop={stop} now={now} />
      </div>
      {isTicking && (
        <TickSheet
          guests={present}
          onClose={() => setTicking(false)}
          onTicked={(ids) => {
            setTicking(false)
            setCounted(ids.length)
            setMissingIds(present.map((entry) => entry.id).filter((one) => !ids.includes(one)))
          }}
        />
      )}
    </DutyPage>
  )
}

function buttonLabel(after: ReturnType<typeof afterCountOf>, counted: number, isBlocked: boolean): string {
  if (after === 'stay') return m.duty_save_count()
  if (isBlocked) return after === 'depart' ? m.duty_depart() : m.duty_step_start()
  return after === 'depart' ? m.duty_depart_with({ counted }) : m.duty_set_out_with({ counted })
}

function markedText(shown: ShownDeparture, missing: readonly ShownEntry[], kind: CountReason | null): string {
  const to = shown.departure.status === 'in_progress' ? statusOfMissing(kind) : null
  if (to === null || missing.length === 0) return ''
  const names = formatList(missing.map(({ name }) => name))
  return to === 'missing' ? m.duty_marks_missing({ names }) : m.duty_marks_left({ names })
}

function MissingGuest({ shown, entry }: { shown: ShownDeparture; entry: ShownEntry }) {
  const party = guestWith(shown, entry.id)?.party
  const size = party?.entries.length ?? 1
  return (
    <div className="duty-row">
      <Avatar name={entry.name} size={36} />
      <span className="min-w-0 flex-1">
        <b className="block text-ink-strong">{entry.name}</b>
        <span className="duty-small duty-quiet">
          {size > 1 ? m.duty_travels_in_party({ count: size }) : m.duty_travels_alone()}
        </span>
      </span>
      {party?.contactPhone && <CallIcon name={entry.name} number={party.contactPhone} />}
    </div>
  )
}

interface TickSheetProps {
  guests: readonly ShownEntry[]
  onClose: () => void
  onTicked: (ids: readonly string[]) => void
}

/** Everybody who must be here, to be ticked one by one. */
function TickSheet({ guests, onClose, onTicked }: TickSheetProps) {
  const [ticked, setTicked] = useState<readonly string[]>([])
  const toggle = (id: string) => setTicked(ticked.includes(id) ? ticked.filter((one) => one !== id) : [...ticked, id])
  return (
    <Sheet title={m.duty_tick_text()} onClose={onClose}>
      <div className="duty-card duty-rows">
        {guests.map(({ id, name }) => (
          <label key={id} className="duty-choice">
            <input type="checkbox" checked={ticked.includes(id)} onChange={() => toggle(id)} />
            {name}
          </label>
        ))}
      </div>
      <button type="button" className="duty-btn duty-btn-main sticky bottom-2" onClick={() => onTicked(ticked)}>
        {m.duty_tick_done()} · {ticked.length} {m.duty_of_expected({ expected: guests.length })}
      </button>
    </Sheet>
  )
}

/** How long they wait past the plan, and the office one tap away. */
function Overdue({ day, shown, stop, now }: { day: ShownDay; shown: ShownDeparture; stop: ShownStop; now: number }) {
  const minutes = Math.floor((now - Date.parse(stop.plannedDepartAt)) / 60_000)
  const office = day.organization.phone
  return (
    <div className="flex flex-wrap items-center justify-between gap-x-3">
      {minutes > 0 && (
        <p className="flex items-center gap-2">
          <Clock size={18} className="shrink-0 text-ink-2" aria-hidden />
          {m.duty_waiting_min({ count: minutes, time: formatTime(stop.plannedDepartAt, shown.departure.timeZone) })}
        </p>
      )}
      {office !== null && (
        <a href={`tel:${office}`} className="duty-link">
          {m.duty_call_office()}
        </a>
      )}
    </div>
  )
}
