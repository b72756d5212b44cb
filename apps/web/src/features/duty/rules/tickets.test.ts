import { expect, test } from 'vitest'
import type { DutyDay } from '@tour-ops/contract/duty/duty-phone'
import type { ShownDay, ShownDeparture, ShownEntry, ShownParty } from '../store/shown-day.ts'
import { codeOf, partiesFound, ticketOf } from './tickets.ts'

const guest = (id: string, name: string, status: ShownEntry['status'] = 'expected') =>
  ({ id, name, status, flags: [], isAboard: status === 'checked_in' }) as unknown as ShownEntry
const party = (bookingRef: string, entries: ShownEntry[], status = 'confirmed') =>
  ({ bookingId: bookingRef, bookingRef, contactName: entries[0]?.name ?? '', status, entries }) as unknown as ShownParty
const tour = (id: string, parties: ShownParty[]) =>
  ({
    id,
    groups: [{ stopId: null, placeName: 'BSÍ', at: '2026-11-21T09:00:00Z', parties }],
  }) as unknown as ShownDeparture

const walkers = party('AUR-7K3Q9D', [guest('e1', 'Emma Walker'), guest('e2', 'Tómas Walker', 'checked_in')])
const day = {
  departures: [
    tour('golden', [
      walkers,
      party('AUR-9HD6WF', [guest('e3', 'Anand Patel', 'checked_in')]),
      party('AUR-22BB33', [guest('e5', 'Luis Ortega', 'cancelled')], 'cancelled'),
    ]),
    tour('south', [party('AUR-4MXT2C', [guest('e4', 'Sofie Lang')])]),
  ],
} as unknown as ShownDay
const office = {
  departures: [
    {
      departure: { id: 'golden' },
      manifest: {
        waitlist: [{ bookingRef: 'AUR-WAIT22', contactName: 'Mia Wong' }],
        holds: [{ bookingRef: 'AUR-HQLD22', contactName: 'Ben Hold' }],
      },
    },
  ],
} as unknown as DutyDay
const scanned = (text: string) => ticketOf(text, 'golden', day, office)

test.each([
  ['AUR-7K3Q9D', 'AUR7K3Q9D'],
  [' aur 7k3q9d ', 'AUR7K3Q9D'],
  ['https://tours.example/b/aur-7k3q9d?lang=de#top', 'AUR7K3Q9D'],
  ['https://tours.example/b/AUR-7K3Q9D/', 'AUR7K3Q9D'],
  ['', ''],
])('the code in "%s" is "%s"', (text, code) => expect(codeOf(text)).toBe(code))

test('a ticket of this departure leads to its party, with or without hyphen', () => {
  expect(scanned('aur7k3q9d')).toEqual({ kind: 'here', party: walkers, isIn: false })
  expect(scanned('AUR-9HD6WF')).toMatchObject({ kind: 'here', isIn: true })
})

test('a ticket of another departure says which one', () => {
  expect(scanned('AUR-4MXT2C')).toMatchObject({ kind: 'elsewhere', departure: { id: 'south' } })
})

test('who waits, is on hold or cancelled has no seat', () => {
  expect(scanned('AUR-WAIT22')).toMatchObject({ kind: 'unconfirmed', because: 'waitlist', name: 'Mia Wong' })
  expect(scanned('AUR-HQLD22')).toMatchObject({ kind: 'unconfirmed', because: 'hold' })
  expect(scanned('AUR-22BB33')).toMatchObject({ kind: 'unconfirmed', because: 'cancelled' })
})

test('any other code is unknown, and an empty one fits nobody', () => {
  expect(scanned('AUR-000000')).toEqual({ kind: 'unknown', code: 'AUR000000' })
  expect(scanned('---')).toEqual({ kind: 'unknown', code: '---' })
})

test('a typed name or piece of a reference offers parties, accents aside', () => {
  const golden = day.departures[0] as ShownDeparture
  expect(partiesFound(golden, 'tomas')).toEqual([walkers])
  expect(partiesFound(golden, '9hd').map(({ bookingRef }) => bookingRef)).toEqual(['AUR-9HD6WF'])
  expect(partiesFound(golden, '  ')).toEqual([])
})
