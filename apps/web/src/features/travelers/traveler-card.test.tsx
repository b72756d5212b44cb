import type { TravelerRow } from '@tour-ops/contract/travelers/travelers'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { TravelerCard } from './traveler-card.tsx'

const amara: TravelerRow = {
  id: '018f0000-0000-7000-8000-000000000001',
  version: 1,
  firstName: 'Amara',
  lastName: 'Okafor',
  name: 'Amara Okafor',
  nationality: 'NG',
  languages: ['en'],
  email: 'amara@example.org',
  phone: '+44 7700 900201',
  flags: ['vegan', 'nut_allergy', 'document_expiring'],
  tags: ['vip'],
  toursTaken: 2,
  trip: {
    departureId: '018f0000-0000-7000-8000-000000000002',
    code: 'GOLD-261120-0900',
    tourName: 'Golden Circle',
    startsAt: '2026-11-20T09:00:00Z',
    endsAt: '2026-11-20T17:00:00Z',
    timeZone: 'Asia/Kathmandu',
    when: 'next',
    bookingId: '018f0000-0000-7000-8000-000000000004',
    bookingRef: 'AB12CD',
    bookingStatus: 'confirmed',
    departureStatus: 'scheduled',
    entryStatus: 'expected',
    checkInAt: null,
    expiresAt: null,
    waitlistRank: null,
  },
}

const said = (row: TravelerRow): string =>
  renderToStaticMarkup(<TravelerCard row={row} />)
    .replaceAll(/<[^>]*>/g, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim()

test('a card says when and on which tour, by the clocks of the tour, and the status of the guest', () => {
  expect(said(amara)).toMatch(/^14:45 Amara Okafor NG Confirmed Fri 20 Nov .*Golden Circle/)
})

test('what can harm or stop somebody comes first, and the rest is a number', () => {
  expect(said(amara)).toMatch(/Golden Circle Nut allergy Document expiring \+1 Vegan$/)
})

test('contacts are not for a glance, and somebody without a trip is a name', () => {
  expect(said(amara)).not.toMatch(/7700|example\.org|AB12CD/)
  expect(said({ ...amara, trip: null, flags: [] })).toBe('Amara Okafor NG')
})
