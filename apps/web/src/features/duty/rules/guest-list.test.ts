import { expect, test } from 'vitest'
import type { ShownDeparture, ShownEntry, ShownGroup } from '../store/shown-day.ts'
import {
  countsOf,
  familyName,
  guestsOf,
  guestWith,
  mayCheckIn,
  narrowed,
  needsOf,
  presentGuests,
} from './guest-list.ts'

const guest = (id: string, name: string, status: ShownEntry['status'] = 'expected', flags: string[] = []) =>
  ({ id, name, status, flags }) as unknown as ShownEntry
const group = (placeName: string, bookingRef: string, entries: ShownEntry[]) =>
  ({
    placeName,
    parties: [{ bookingRef, contactName: entries[0]?.name ?? '', entries }],
  }) as unknown as ShownGroup

const emma = guest('emma', 'Emma Walker', 'expected', ['vegan', 'document_missing'])
const tomas = guest('tomas', 'Tómas Walker', 'checked_in')
const luis = guest('luis', 'Luis Ortega', 'cancelled')
const mia = guest('mia', 'Mia Wong', 'on_tour', ['document_expiring'])
const groups = [group('BSÍ', 'AUR-7K3Q9D', [emma, tomas]), group('Harpa', 'AUR-4MXT2C', [luis, mia])]
const shown = { groups } as unknown as ShownDeparture
const none = { filter: 'all', text: '', held: new Set<string>() } as const
const names = (found: readonly ShownGroup[]) =>
  found.flatMap(({ parties }) => parties.flatMap(({ entries }) => entries.map(({ id }) => id)))

test('who is cancelled is nobody to be looked for', () => {
  expect(guestsOf(shown)).toEqual([emma, tomas, mia])
  expect(guestsOf({ groups: null })).toEqual([])
  expect(presentGuests(shown)).toEqual([tomas, mia])
})

test('documents are not a need of a guest on tour', () => {
  expect([needsOf(emma), needsOf(mia)]).toEqual([['vegan'], []])
  expect(countsOf(shown)).toEqual({ not_in: 1, all: 3, needs: 1 })
})

test('expected guests and no-shows who come late may be checked in, nobody else', () => {
  const statuses = ['expected', 'no_show', 'checked_in', 'on_tour', 'left_early', 'missing', 'cancelled'] as const
  expect(statuses.filter((status) => mayCheckIn({ status }))).toEqual(['expected', 'no_show'])
})

test('filters and words narrow the list; groups without anybody are left out', () => {
  expect(names(narrowed(groups, none))).toEqual(['emma', 'tomas', 'mia'])
  expect(names(narrowed(groups, { ...none, filter: 'needs' }))).toEqual(['emma'])
  expect(narrowed(groups, { ...none, filter: 'not_in' }).map(({ placeName }) => placeName)).toEqual(['BSÍ'])
})

test('who was checked in a moment ago stays under the finger', () => {
  expect(names(narrowed(groups, { ...none, filter: 'not_in', held: new Set(['tomas']) }))).toEqual(['emma', 'tomas'])
})

test.each([
  ['tomas walk', ['tomas']],
  ['WALKER', ['emma', 'tomas']],
  ['4mxt', ['mia']],
  ['walker wong', []],
])('"%s" finds %j: each word in a name or the booking, accents and case aside', (text, found) => {
  expect(names(narrowed(groups, { ...none, text }))).toEqual(found)
})

test('a guest is found with party and pickup', () => {
  expect(guestWith(shown, 'mia')).toMatchObject({ entry: mia, group: { placeName: 'Harpa' } })
  expect(guestWith(shown, 'nobody')).toBeUndefined()
  expect([familyName('Emma Walker'), familyName(' Madonna ')]).toEqual(['Walker', 'Madonna'])
})
