import { Link } from '@tanstack/react-router'
import type { Departure } from '@tour-ops/contract/departures/departures'
import type { ManifestEntry, ManifestParty } from '@tour-ops/contract/bookings/manifest'
import { ChevronDown, ChevronRight } from 'lucide-react'
import { useState } from 'react'
import { m } from '../../paraglide/messages.js'
import { Box } from '../../ui/choice.tsx'
import { classNames } from '../../ui/class-names.ts'
import { formatMoney, formatTime } from '../../ui/format.ts'
import { Ltr } from '../../ui/ltr.tsx'
import { BookingLink } from '../../records/booking-link.tsx'
import { unitLabel } from '../../records/unit-labels.ts'
import { isDue } from '../bookings/index.ts'
import { TravelerFlags } from '../../records/traveler-flags.tsx'
import { EntryState } from './entry-state.tsx'
import { isComplete, type ManifestGroup } from './manifest-model.ts'
import { PhoneLink } from './phone-link.tsx'
import type { CheckIns } from './use-check-in.ts'
import type { Selection } from './use-manifest.ts'

interface RowsProps {
  departure: Departure
  selection: Selection
  checkIns: CheckIns
  mayWrite: boolean
}

export interface ManifestGroupRowsProps extends RowsProps {
  group: ManifestGroup
  /** Not folded even when complete: somebody searches, or there is nothing but complete groups. */
  isUnfolded: boolean
}

/** One pickup with its parties; a complete one is folded until somebody opens it. */
export function ManifestGroupRows({ group, isUnfolded, ...rows }: ManifestGroupRowsProps) {
  const [choice, setOpen] = useState<boolean | null>(null)
  const isOpen = choice ?? (isUnfolded || !isComplete(group))
  const Icon = isOpen ? ChevronDown : ChevronRight
  return (
    <section aria-label={group.placeName}>
      <h3>
        <button
          type="button"
          className="sticky top-0 z-[1] flex min-h-9 w-full items-center gap-2 border-b border-line bg-surface-2 px-4 text-sm coarse:min-h-11 lg:px-6"
          aria-expanded={isOpen}
          onClick={() => setOpen(!isOpen)}
        >
          <Icon size={15} className="text-ink-2" aria-hidden />
          <Ltr className="font-semibold text-ink-strong">{formatTime(group.at, rows.departure.timeZone)}</Ltr>
          <span className="min-w-0 truncate font-semibold text-ink-strong">{group.placeName}</span>
          <span className="ms-auto shrink-0 font-normal text-ink-2">
            {rows.departure.status === 'cancelled'
              ? m.departures_guests({ count: group.total })
              : m.departures_aboard_of({ aboard: group.aboard, total: group.total })}
          </span>
        </button>
      </h3>
      {isOpen && group.parties.map((party) => <PartyRows key={party.bookingId} party={party} {...rows} />)}
    </section>
  )
}

function PartyRows({ party, ...rows }: RowsProps & { party: ManifestParty }) {
  const { selection, mayWrite } = rows
  const ids = party.entries.map((entry) => entry.id)
  const chosen = ids.filter((id) => selection.ids.has(id)).length
  const toggle = (isChosen: boolean) => {
    const next = new Set(selection.ids)
    for (const id of ids)
      if (isChosen) next.add(id)
      else next.delete(id)
    selection.set(next)
  }
  const [only] = party.entries
  if (only && party.entries.length === 1 && party.unnamed === 0)
    return <EntryRow entry={only} party={party} isAlone {...rows} />
  return (
    <div>
      <div
        className={classNames(
          'flex min-h-8 items-center gap-3 px-4 pt-1 coarse:min-h-11 lg:px-6',
          chosen > 0 && chosen === ids.length && 'selected',
        )}
      >
        {mayWrite && ids.length > 0 && (
          <Box
            label={m.departures_select_party({ name: party.contactName })}
            checked={chosen > 0 && chosen === ids.length}
            mixed={chosen > 0 && chosen < ids.length}
            onChange={toggle}
          />
        )}
        <span className="min-w-0 truncate text-ink-strong">
          {m.departures_party({ name: party.contactName, count: party.pax })}
        </span>
        <Reference party={party} />
        {party.contactPhone && <PhoneLink name={party.contactName} phone={party.contactPhone} />}
        <Balance party={party} />
      </div>
      {party.entries.map((entry) => (
        <EntryRow key={entry.id} entry={entry} party={party} {...rows} />
      ))}
      {party.unnamed > 0 && (
        <p className="flex min-h-9 items-center border-b border-line px-4 ps-12 text-ink-2 lg:ps-14">
          {m.departures_unnamed({ count: party.unnamed })}
        </p>
      )}
    </div>
  )
}

const Reference = ({ party }: { party: ManifestParty }) => (
  <BookingLink id={party.bookingId} className="shrink-0 text-ink-2 hover:underline">
    <Ltr>{party.bookingRef}</Ltr>
  </BookingLink>
)

function Balance({ party }: { party: ManifestParty }) {
  return (
    <span className={classNames('num ms-auto shrink-0', isDue(party) ? 'font-medium text-warn' : 'text-ink-2')}>
      {isDue(party)
        ? m.departures_due({ amount: formatMoney(party.balanceMinor, party.currency) })
        : m.departures_paid()}
    </span>
  )
}

interface EntryRowProps extends RowsProps {
  entry: ManifestEntry
  party: ManifestParty
  /** The whole party: the booking's reference and balance are in the same row. */
  isAlone?: boolean
}

function EntryRow({ entry, party, isAlone, departure, selection, checkIns, mayWrite }: EntryRowProps) {
  const isChosen = selection.ids.has(entry.id)
  const choose = (isWanted: boolean) => {
    const next = new Set(selection.ids)
    if (isWanted) next.add(entry.id)
    else next.delete(entry.id)
    selection.set(next)
  }
  return (
    <div
      data-entry={entry.id}
      className={classNames(
        'group/row relative flex min-h-9 flex-wrap items-center gap-x-3 border-b border-line px-4 py-0.5 coarse:min-h-12 sm:flex-nowrap lg:px-6',
        !isAlone && 'ps-8 lg:ps-11',
        isChosen && 'selected',
      )}
    >
      {mayWrite && <Box label={m.departures_select_guest({ name: entry.name })} checked={isChosen} onChange={choose} />}
      <span className="flex min-w-0 flex-1 flex-col items-start py-1 sm:flex-row sm:items-center sm:gap-x-3">
        <span className="max-w-full min-w-0 flex-1 truncate">
          <Link
            to="/travelers/details/$id"
            params={{ id: entry.travelerId }}
            className="font-medium text-ink-strong hover:underline"
          >
            <bdi>{entry.name}</bdi>
          </Link>{' '}
          <span className="text-ink-2">
            · {unitLabel(entry.unitType)}
            {entry.age !== null && entry.unitType !== 'adult' && `, ${entry.age}`}
          </span>
          {entry.note && <span className="block text-xs whitespace-pre-line text-ink-2">{entry.note}</span>}
          {isAlone && (
            <span className="ms-3 inline-flex gap-3 max-sm:hidden">
              <Reference party={party} />
              {party.contactPhone && <PhoneLink name={party.contactName} phone={party.contactPhone} />}
            </span>
          )}
        </span>
        <span className="flex min-w-0 flex-wrap items-center gap-x-2 sm:w-[190px] sm:shrink-0">
          <TravelerFlags flags={entry.flags} max={isAlone && isDue(party) ? 1 : 2} />
          {isAlone && (
            <span className="inline-flex items-center gap-2 sm:hidden">
              <Reference party={party} />
              {party.contactPhone && <PhoneLink name={party.contactName} phone={party.contactPhone} />}
            </span>
          )}
          {isAlone && isDue(party) && <Balance party={party} />}
        </span>
      </span>
      <EntryState {...{ entry, departure, checkIns, mayWrite }} bookingId={party.bookingId} />
    </div>
  )
}
