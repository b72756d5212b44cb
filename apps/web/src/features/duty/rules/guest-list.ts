import type { GuestFlag } from '@tour-ops/contract/bookings/manifest'
import { foundOptions } from '../../../ui/matches.ts'
import type { ShownDeparture, ShownEntry, ShownGroup, ShownParty } from '../store/shown-day.ts'
import { hasStatus, presentStatuses } from '@tour-ops/contract/state-machines'

export const guestFilters = ['not_in', 'all', 'needs'] as const
export type GuestFilter = (typeof guestFilters)[number]

/** Documents and records are not a need of a guest on tour. */
const ofRecords: readonly GuestFlag[] = ['document_missing', 'document_expiring', 'possible_duplicate']

/** What the crew has to know about a guest. */
export const needsOf = ({ flags }: Pick<ShownEntry, 'flags'>): GuestFlag[] =>
  flags.filter((flag) => !ofRecords.includes(flag))

/** Everybody of a departure whose booking still counts. */
export const guestsOf = ({ groups }: Pick<ShownDeparture, 'groups'>): ShownEntry[] =>
  (groups ?? []).flatMap(({ parties }) =>
    parties.flatMap(({ entries }) => entries.filter(({ status }) => status !== 'cancelled')),
  )

/** People whom a head count must find now. */
export const presentGuests = (shown: Pick<ShownDeparture, 'groups'>): ShownEntry[] =>
  guestsOf(shown).filter(({ status }) => hasStatus(presentStatuses, status))

/** Who may be checked in: expected ones, and those marked as no-show. */
export const mayCheckIn = ({ status }: Pick<ShownEntry, 'status'>): boolean =>
  status === 'expected' || status === 'no_show'

const matches: Record<GuestFilter, (entry: ShownEntry) => boolean> = {
  not_in: ({ status }) => status === 'expected',
  all: () => true,
  needs: (entry) => needsOf(entry).length > 0,
}

export const countsOf = (shown: ShownDeparture): Record<GuestFilter, number> => {
  const guests = guestsOf(shown)
  const count = (filter: GuestFilter) => guests.filter(matches[filter]).length
  return { not_in: count('not_in'), all: count('all'), needs: count('needs') }
}

export interface Narrowing {
  readonly filter: GuestFilter
  /** Typed words of a name or a booking. */
  readonly text: string
  /** Those who were checked in under the filter "not in": they stay until it is chosen again, so that a tap can be undone. */
  readonly held: ReadonlySet<string>
}

/** The groups with what filter and search leave; their order never changes under the finger. */
export function narrowed(groups: readonly ShownGroup[], { filter, text, held }: Narrowing): ShownGroup[] {
  const isShown = (party: ShownParty) => (entry: ShownEntry) =>
    entry.status !== 'cancelled' && (matches[filter](entry) || held.has(entry.id)) && isFound(party, entry, text)
  return groups
    .map((group) => ({
      ...group,
      parties: group.parties
        .map((party) => ({ ...party, entries: party.entries.filter(isShown(party)) }))
        .filter(({ entries }) => entries.length > 0),
    }))
    .filter(({ parties }) => parties.length > 0)
}

/** Whether each typed word is in a name or the reference, accents and case aside. */
function isFound(party: ShownParty, { id, name }: ShownEntry, words: string): boolean {
  const options = [{ value: id, label: `${name} ${party.contactName} ${party.bookingRef}` }]
  return words.split(/\s+/).every((word) => foundOptions(options, word).length > 0)
}

/** A guest with party and pickup; undefined for an unknown id. */
export function guestWith(
  { groups }: Pick<ShownDeparture, 'groups'>,
  entryId: string,
): { readonly entry: ShownEntry; readonly party: ShownParty; readonly group: ShownGroup } | undefined {
  for (const group of groups ?? []) {
    for (const party of group.parties) {
      const entry = party.entries.find(({ id }) => id === entryId)
      if (entry) return { entry, party, group }
    }
  }
  return undefined
}

/** `Walker` of "Emma Walker": the name of a party in the list. */
export const familyName = (name: string): string => name.trim().split(/\s+/).at(-1) ?? name
