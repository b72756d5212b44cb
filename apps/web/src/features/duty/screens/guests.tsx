import { isRunning } from '@tour-ops/contract/state-machines'
import { Check, CheckCheck, ScanLine, Search } from 'lucide-react'
import { useState } from 'react'
import { Link, useSearch } from 'wouter'
import { m } from '../../../paraglide/messages.js'
import { useNow } from '../../../ui/clock.ts'
import { formatTime } from '../../../ui/format.ts'
import { DutyPage } from '../components/page.tsx'
import { countsOf, familyName, type GuestFilter, guestFilters, mayCheckIn, narrowed } from '../rules/guest-list.ts'
import { stopOfCheckIn } from '../rules/guest-marks.ts'
import { nextStepOf } from '../rules/next-step.ts'
import { stopInFront, wayOf } from '../rules/way.ts'
import { phone } from '../store/phone.ts'
import type { ShownDay, ShownDeparture, ShownGroup, ShownParty } from '../store/shown-day.ts'
import { GuestRow } from './guest-row.tsx'
import { StepPanel } from './step-panel.tsx'

const filterLabels: Record<GuestFilter, () => string> = {
  not_in: m.duty_filter_not_in,
  all: m.duty_filter_all,
  needs: m.duty_filter_needs,
}

/** The check-in: everybody by pickup and booking; a row is one tap. See docs/screens.md, "The guide's phone". */
export function Guests({ day, shown }: { day: ShownDay; shown: ShownDeparture }) {
  const isNeedsFirst = new URLSearchParams(useSearch()).get('show') === 'needs'
  const [filter, setFilter] = useState<GuestFilter>(isNeedsFirst ? 'needs' : 'all')
  const [held, setHeld] = useState<ReadonlySet<string>>(new Set())
  const [words, setWords] = useState<string | null>(null)
  const { departure, groups } = shown
  const counts = countsOf(shown)
  const choose = (next: GuestFilter) => {
    setFilter(next)
    setHeld(new Set())
  }
  const hold = (ids: readonly string[]) => setHeld(new Set([...held, ...ids]))
  const place = stopInFront(wayOf(shown))?.placeName
  const time = formatTime(departure.startsAt, departure.timeZone)
  const list = groups && narrowed(groups, { filter, text: words ?? '', held })
  return (
    <DutyPage
      title={m.duty_check_in()}
      context={[`${departure.tourName} ${time}`, place].filter(Boolean).join(' · ')}
      back={`/tours/${shown.id}`}
      actions={
        <button
          type="button"
          className="duty-icon"
          aria-expanded={words !== null}
          aria-label={m.duty_search()}
          onClick={() => setWords(words === null ? '' : null)}
        >
          <Search size={22} aria-hidden />
        </button>
      }
      foot={
        isRunning(departure) &&
        shown.can.mark && (
          <div className="duty-foot">
            <Link href={`/tours/${shown.id}/scan`} className="duty-btn duty-btn-main">
              <ScanLine size={22} aria-hidden />
              {m.duty_scan()}
            </Link>
          </div>
        )
      }
    >
      <div className="grid gap-3 bg-surface px-4 pt-1 pb-3">
        <CheckInProgress shown={shown} />
        {words !== null && (
          <input
            type="search"
            className="duty-field"
            aria-label={m.duty_search_label()}
            placeholder={m.duty_search_label()}
            autoComplete="off"
            value={words}
            onChange={({ target }) => setWords(target.value)}
          />
        )}
        <div className="duty-chips" role="group" aria-label={m.duty_filter()}>
          {guestFilters.map((one) => (
            <button
              key={one}
              type="button"
              className="duty-chip"
              aria-pressed={filter === one}
              onClick={() => choose(one)}
            >
              {filterLabels[one]()}
              <span className="num">{counts[one]}</span>
            </button>
          ))}
        </div>
      </div>
      <ClosedNote day={day} shown={shown} />
      {list?.map((group) => (
        <PickupGroup
          key={group.stopId ?? group.at}
          shown={shown}
          group={group}
          isNamed={(groups?.length ?? 0) > 1}
          onChecked={hold}
        />
      ))}
      {list?.length === 0 && <p className="p-4">{emptyText(counts.all, filter, words ?? '')}</p>}
      {!list && <p className="p-4">{m.duty_guests_after_accept()}</p>}
    </DutyPage>
  )
}

function emptyText(all: number, filter: GuestFilter, words: string): string {
  if (all === 0) return m.duty_nobody_booked()
  return filter === 'not_in' && words === '' ? m.duty_everybody_in() : m.duty_nobody_found()
}

/** How many are in; what only this phone knows has a separate tone and number. */
function CheckInProgress({ shown: { counts } }: { shown: ShownDeparture }) {
  const { aboard, total, aboardOnPhone: phoneOnly } = counts
  const parts = [
    { is: 'office', count: aboard - phoneOnly },
    { is: 'phone', count: phoneOnly },
    { is: undefined, count: total - aboard },
  ]
  return (
    <div>
      <div className="flex flex-wrap items-baseline justify-between gap-x-3">
        <p>
          <b className="num me-2 text-[2.25rem]/[2.5rem] text-ink-strong">{aboard}</b>
          {m.duty_in_of({ total })}
        </p>
        {phoneOnly > 0 ? (
          <p className="duty-small flex flex-wrap items-center gap-x-2">
            <span className="duty-need text-neutral">
              <Check size={18} aria-hidden />
              {m.duty_count_on_phone({ count: phoneOnly })}
            </span>
            <span className="duty-need text-ok">
              <CheckCheck size={18} aria-hidden />
              <span className="num">{aboard - phoneOnly}</span>
            </span>
          </p>
        ) : (
          aboard > 0 && (
            <p className="duty-small duty-need text-ok">
              <CheckCheck size={18} aria-hidden />
              {m.duty_all_synced()}
            </p>
          )
        )}
      </div>
      <div className="duty-progress mt-1" role="img" aria-label={m.duty_in_label({ aboard, total, phone: phoneOnly })}>
        {parts.map(
          ({ is, count }) => count > 0 && <span key={is ?? 'open'} data-is={is} style={{ flexGrow: count }} />,
        )}
      </div>
    </div>
  )
}

/** Before boarding and after the end nobody is checked in; who leads opens the boarding here. */
function ClosedNote({ day, shown }: { day: ShownDay; shown: ShownDeparture }) {
  const now = useNow(60_000)
  const { status } = shown.departure
  if (isRunning(shown.departure) || !shown.groups) return null
  const isOver = status === 'completed' || status === 'cancelled' || status === 'aborted'
  const step = nextStepOf(shown, day.asOf, now)
  return (
    <div className="grid gap-3 border-t border-line bg-surface pt-3">
      <p className="px-4 pb-3">{isOver ? m.duty_over() : m.duty_closed()}</p>
      {step?.to === 'boarding' && <StepPanel shown={shown} step={step} isMain />}
    </div>
  )
}

interface GroupProps {
  shown: ShownDeparture
  group: ShownGroup
  isNamed: boolean
  onChecked: (ids: readonly string[]) => void
}

const PickupGroup = ({ shown, group, isNamed, onChecked }: GroupProps) => (
  <section>
    {isNamed && (
      <h2 className="duty-group font-semibold text-ink-strong">
        {group.placeName}
        <span className="num">{formatTime(group.at, shown.departure.timeZone)}</span>
      </h2>
    )}
    {group.parties.map((party) => (
      <Party key={party.bookingId} shown={shown} group={group} party={party} onChecked={onChecked} />
    ))}
  </section>
)

function Party({ shown, group, party, onChecked }: Omit<GroupProps, 'isNamed'> & { party: ShownParty }) {
  const open = party.entries.filter(mayCheckIn)
  const isOpen = isRunning(shown.departure) && shown.can.mark
  const all = () => {
    onChecked(open.map(({ id }) => id))
    const stopId = stopOfCheckIn(shown, group)
    void phone().record(
      ...open.map(
        ({ id }) => ({ kind: 'check_in', departureId: shown.id, entryId: id, stopId, method: 'bulk' }) as const,
      ),
    )
  }
  return (
    <section>
      <div className="duty-group">
        <h3 className="font-normal text-ink-2">
          {m.duty_party({ name: familyName(party.contactName), count: party.entries.length })}
        </h3>
        {isOpen && open.length > 1 && (
          <button type="button" className="duty-link" onClick={all}>
            {m.duty_check_in_all({ count: open.length })}
          </button>
        )}
      </div>
      {party.entries.map((entry) => (
        <GuestRow key={entry.id} shown={shown} group={group} party={party} entry={entry} onChecked={onChecked} />
      ))}
      {party.unnamed > 0 && (
        <p className="duty-small duty-quiet border-t border-line bg-surface px-4 py-2">
          {m.duty_unnamed({ count: party.unnamed })}
        </p>
      )}
    </section>
  )
}
