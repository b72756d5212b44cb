import type { TravelerRow } from '@tour-ops/contract/travelers/travelers'
import { GuestState } from '../../records/guest-state.tsx'
import { TravelerFlags } from '../../records/traveler-flags.tsx'
import { formatDay, formatTime } from '../../ui/format.ts'
import { Ltr } from '../../ui/ltr.tsx'
import { ZoneNote } from '../../ui/zone-note.tsx'

/** A traveler's status on the trip that the list shows. */
export const TravelerState = ({ row: { trip } }: { row: TravelerRow }) =>
  trip && <GuestState {...trip} isAhead={trip.when === 'next'} />

/** A traveler on a phone: when, who, their status; the day, which tour, what a crew must know. */
export const TravelerCard = ({ row }: { row: TravelerRow }) => (
  <div className="grid grid-cols-[76px_minmax(0,1fr)] gap-x-2">
    <Ltr className="font-semibold text-ink-strong">
      {row.trip ? formatTime(row.trip.startsAt, row.trip.timeZone) : ''}
    </Ltr>
    <span className="flex items-center justify-between gap-2">
      <b className="truncate font-medium text-ink-strong">
        <bdi>{row.name}</bdi> <span className="text-xs font-normal text-ink-2">{row.nationality}</span>
      </b>
      <TravelerState row={row} />
    </span>
    <span className="text-xs text-ink-2">
      {row.trip ? formatDay(row.trip.startsAt, row.trip.timeZone) : ''}{' '}
      {row.trip && <ZoneNote moment={row.trip.startsAt} zone={row.trip.timeZone} />}
    </span>
    <span className="flex flex-wrap items-center gap-2 text-ink-2">
      {row.trip?.tourName} <TravelerFlags flags={row.flags} />
    </span>
  </div>
)
