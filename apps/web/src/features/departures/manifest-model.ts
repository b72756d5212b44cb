import type { Manifest, ManifestEntry, ManifestParty, GuestFlag } from '@tour-ops/contract/bookings/manifest'
import { aboardStatuses, hasStatus, presentStatuses } from '@tour-ops/contract/state-machines'
import { dietFlags, mobilityFlags } from '@tour-ops/contract/travelers/needs'

export const manifestFilters = ['all', 'to_come', 'aboard', 'no_show'] as const
export type ManifestFilter = (typeof manifestFilters)[number]

const isAboard = (entry: ManifestEntry): boolean => hasStatus(aboardStatuses, entry.status)
export const mayCheckIn = (entry: ManifestEntry): boolean => entry.status === 'expected' || entry.status === 'no_show'
export const mayUndo = (entry: ManifestEntry): boolean => entry.status === 'checked_in'
export const mayBeNoShow = (entry: ManifestEntry): boolean => entry.status === 'expected'

export const entriesOf = (manifest: Manifest): ManifestEntry[] =>
  manifest.groups.flatMap((group) => group.parties.flatMap((party) => party.entries))

/** People who must be found by a head count now. */
export const presentCount = (manifest: Manifest): number =>
  entriesOf(manifest).filter((entry) => hasStatus(presentStatuses, entry.status)).length

const matchesFilter: Record<ManifestFilter, (entry: ManifestEntry) => boolean> = {
  all: () => true,
  to_come: (entry) => entry.status === 'expected',
  aboard: isAboard,
  no_show: (entry) => entry.status === 'no_show',
}

/** Letters without diacritics, so that "olafs" finds "Ólafsson". */
const plain = (text: string): string => text.normalize('NFD').replaceAll(/\p{M}/gu, '').toLowerCase()

function matchesWords(party: ManifestParty, entry: ManifestEntry, words: string): boolean {
  if (words === '') return true
  const digits = words.replaceAll(/\D/g, '')
  const isPhone = digits.length > 3 && (party.contactPhone ?? '').replaceAll(/\D/g, '').includes(digits)
  return isPhone || [entry.name, party.contactName, party.bookingRef].some((text) => plain(text).includes(words))
}

export type ManifestGroup = Manifest['groups'][number]

/**
 * The groups with what search and filter leave, guests still expected on top; groups keep their order otherwise.
 * See docs/screens.md, "Records over any screen".
 */
export function shownGroups(manifest: Manifest, filter: ManifestFilter, typed: string): ManifestGroup[] {
  const words = plain(typed.trim())
  const isNarrowed = words !== '' || filter !== 'all'
  return manifest.groups
    .map((group) => ({
      ...group,
      parties: group.parties
        .map((party) => ({
          ...party,
          entries: party.entries.filter((entry) => matchesFilter[filter](entry) && matchesWords(party, entry, words)),
        }))
        .filter((party) => party.entries.length > 0 || (!isNarrowed && party.unnamed > 0)),
    }))
    .filter((group) => group.parties.length > 0)
    .toSorted((a, b) => Number(isComplete(a)) - Number(isComplete(b)))
}

/** Nobody of the group is still to come. */
export const isComplete = (group: ManifestGroup): boolean =>
  group.parties.every((party) => party.entries.every((entry) => entry.status !== 'expected'))

export interface ManifestTotals {
  parties: number
  /** Seats with and without a name, of those who have not stayed away. */
  guests: number
  diet: { flag: GuestFlag; count: number }[]
  mobility: { flag: GuestFlag; count: number }[]
}

const isTravelling = (entry: ManifestEntry): boolean => entry.status !== 'no_show' && entry.status !== 'cancelled'

/** What kitchen, vehicle and crew have to reckon with; who did not come is left out. */
export function totalsOf(manifest: Manifest): ManifestTotals {
  const parties = manifest.groups.flatMap((group) => group.parties)
  const entries = parties.flatMap((party) => party.entries).filter(isTravelling)
  const countOf = (flags: readonly GuestFlag[]) =>
    flags
      .map((flag) => ({ flag, count: entries.filter((entry) => entry.flags.includes(flag)).length }))
      .filter(({ count }) => count > 0)
  return {
    parties: parties.length,
    guests: entries.length + parties.reduce((sum, party) => sum + party.unnamed, 0),
    diet: countOf(dietFlags),
    mobility: countOf([...mobilityFlags, 'child_seat']),
  }
}

/** Guests who join at each stop, by its id. */
export const joiningAt = (manifest: Manifest): ReadonlyMap<string | null, number> =>
  new Map(manifest.groups.map((group) => [group.stopId, totalsOf({ ...manifest, groups: [group] }).guests]))

const withEntries = (
  manifest: Manifest,
  ids: ReadonlySet<string>,
  change: (entry: ManifestEntry) => ManifestEntry,
): Manifest => {
  const groups = manifest.groups.map((group) => {
    const parties = group.parties.map((party) => ({
      ...party,
      entries: party.entries.map((entry) => (ids.has(entry.id) ? change(entry) : entry)),
    }))
    return { ...group, parties, aboard: parties.reduce((sum, party) => sum + party.entries.filter(isAboard).length, 0) }
  })
  const entries = groups.flatMap((group) => group.parties.flatMap((party) => party.entries))
  return {
    ...manifest,
    groups,
    counts: {
      ...manifest.counts,
      aboard: entries.filter(isAboard).length,
      toCome: entries.filter((entry) => entry.status === 'expected').length,
      noShow: entries.filter((entry) => entry.status === 'no_show').length,
    },
  }
}

/** What a person sees at once, before the server has answered. */
export const checkedIn = (manifest: Manifest, ids: ReadonlySet<string>, at: string, isUnderWay: boolean): Manifest =>
  withEntries(manifest, ids, (entry) =>
    mayCheckIn(entry) ? { ...entry, status: isUnderWay ? 'on_tour' : 'checked_in', checkInAt: at } : entry,
  )

export const takenBack = (manifest: Manifest, ids: ReadonlySet<string>): Manifest =>
  withEntries(manifest, ids, (entry) =>
    mayUndo(entry) ? { ...entry, status: 'expected', checkInAt: null, checkInByName: null } : entry,
  )
