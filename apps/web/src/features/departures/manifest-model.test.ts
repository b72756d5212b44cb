import type { Manifest, ManifestEntry, ManifestParty } from '@tour-ops/contract/bookings/manifest'
import { expect, test } from 'vitest'
import { checkedIn, joiningAt, presentCount, shownGroups, takenBack, totalsOf } from './manifest-model.ts'

const entry = (name: string, status: ManifestEntry['status'] = 'expected'): ManifestEntry => ({
  id: name,
  version: 1,
  bookingId: 'b',
  travelerId: name,
  name,
  unitType: 'adult',
  age: null,
  status,
  flags: [],
  note: null,
  checkInAt: null,
  checkInByName: null,
  seatOrGroup: null,
})

const party = (contactName: string, entries: ManifestEntry[], change: Partial<ManifestParty> = {}): ManifestParty => ({
  bookingId: contactName,
  bookingVersion: 1,
  bookingRef: 'AUR-7K3Q9D',
  contactName,
  contactPhone: '+447700900118',
  status: 'confirmed',
  pax: entries.length,
  unnamed: 0,
  balanceMinor: 0,
  currency: 'EUR',
  paymentStatus: 'paid',
  notes: null,
  entries,
  ...change,
})

const group = (placeName: string, parties: ManifestParty[]): Manifest['groups'][number] => ({
  stopId: placeName,
  placeName,
  at: '2026-11-20T08:40:00.000Z',
  total: parties.reduce((sum, one) => sum + one.entries.length, 0),
  aboard: 0,
  parties,
})

const manifest: Manifest = {
  departureId: 'd',
  code: 'GOLD-261120-0900',
  timeZone: 'Atlantic/Reykjavik',
  localDate: '2026-11-20',
  counts: { total: 5, aboard: 2, toCome: 2, noShow: 1, unnamed: 0 },
  groups: [
    group('Höfðatorg', [party('Weber', [entry('Jonas Weber', 'checked_in'), entry('Anna Weber', 'missing')])]),
    group('BSÍ', [
      party('Ólafsson', [entry('Björn Ólafsson'), entry('Meera Patel')], {
        contactPhone: '+3545551234',
        bookingRef: 'AUR-V3LG8S',
      }),
      party('Reid', [entry('Marcus Reid', 'no_show')]),
    ]),
  ],
  waitlist: [],
  holds: [],
  checkInOpen: true,
}

const names = (groups: Manifest['groups']): string[] =>
  groups.flatMap((one) => one.parties.flatMap((each) => each.entries.map((guest) => guest.name)))

test('groups with guests still expected are on top', () => {
  expect(shownGroups(manifest, 'all', '').map((one) => one.placeName)).toEqual(['BSÍ', 'Höfðatorg'])
})

test('search finds names without their marks, bookings and phones; filters narrow to a state', () => {
  expect(names(shownGroups(manifest, 'all', 'olafs'))).toEqual(['Björn Ólafsson', 'Meera Patel'])
  expect(names(shownGroups(manifest, 'all', 'v3lg'))).toEqual(['Björn Ólafsson', 'Meera Patel'])
  expect(names(shownGroups(manifest, 'all', '555 1234'))).toEqual(['Björn Ólafsson', 'Meera Patel'])
  expect(names(shownGroups(manifest, 'no_show', ''))).toEqual(['Marcus Reid'])
  expect(names(shownGroups(manifest, 'aboard', 'weber'))).toEqual(['Jonas Weber', 'Anna Weber'])
})

test('what search and filter leave nobody of is not shown; seats without a name are, until something is searched', () => {
  const unnamed = party('Agency', [], { unnamed: 2 })
  const withUnnamed = { ...manifest, groups: [...manifest.groups, group('Harpa', [unnamed])] }
  const placesOf = (...asked: ['all' | 'aboard', string]) =>
    shownGroups(withUnnamed, ...asked).map(({ placeName }) => placeName)
  expect(placesOf('all', '')).toContain('Harpa')
  expect(placesOf('all', 'weber')).toEqual(['Höfðatorg'])
  expect(placesOf('aboard', '')).toEqual(['Höfðatorg'])
})

test('a head count looks for those who sit in the vehicle, not for those who are missing', () => {
  expect(presentCount(manifest)).toBe(1)
})

test('a check-in shows at once with its counts, for a no-show who came late too, and can be undone', () => {
  const at = '2026-11-20T08:50:00.000Z'
  const after = checkedIn(manifest, new Set(['Meera Patel', 'Marcus Reid', 'Anna Weber']), at, false)
  expect(after.counts).toMatchObject({ aboard: 4, toCome: 1, noShow: 0 })
  expect(after.groups[1]).toMatchObject({ aboard: 2 })
  const back = takenBack(after, new Set(['Meera Patel', 'Anna Weber']))
  expect(back.counts).toMatchObject({ aboard: 3, toCome: 2 })
  expect(checkedIn(manifest, new Set(['Meera Patel']), at, true).groups[1]?.parties[0]?.entries[1]?.status).toBe(
    'on_tour',
  )
})

test('totals count diets and mobility of those who come, parties and seats without a name', () => {
  const withFlags = (name: string, flags: ManifestEntry['flags'], status?: ManifestEntry['status']) => ({
    ...entry(name, status),
    flags,
  })
  const own: Manifest = {
    ...manifest,
    groups: [
      group('Höfðatorg', [
        party('Weber', [withFlags('Jonas', ['vegan', 'wheelchair']), withFlags('Anna', ['vegan', 'medical'])]),
      ]),
      group('BSÍ', [
        party('Reid', [withFlags('Marcus', ['vegan', 'cane'], 'no_show'), withFlags('Ada', ['nut_allergy'])], {
          unnamed: 2,
        }),
      ]),
    ],
  }
  expect(totalsOf(own)).toEqual({
    parties: 2,
    guests: 5,
    diet: [
      { flag: 'vegan', count: 2 },
      { flag: 'nut_allergy', count: 1 },
    ],
    mobility: [{ flag: 'wheelchair', count: 1 }],
  })
  expect([...joiningAt(own)]).toEqual([
    ['Höfðatorg', 2],
    ['BSÍ', 3],
  ])
})
