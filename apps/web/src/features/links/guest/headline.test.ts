import type { SharedPage } from '@tour-ops/contract/links/shared-page'
import { expect, test } from 'vitest'
import { headlineOf } from './headline.ts'

type Stop = SharedPage['stops'][number]

const stop = (name: string, change: Partial<Stop> = {}): Stop => ({
  id: '019e0000-0000-7000-8000-000000000000',
  name,
  kind: 'visit',
  status: 'planned',
  plannedAt: '2030-07-14T12:15:00Z',
  etaAt: null,
  arrivedAt: null,
  departedAt: null,
  leavesAt: null,
  stayMin: 60,
  travelMode: null,
  lat: null,
  lng: null,
  ...change,
})

const page = (change: Partial<SharedPage> = {}): SharedPage => ({
  kind: 'departure_guest',
  now: '2030-07-14T08:30:00Z',
  language: null,
  organization: { name: 'Aurora & Atlas', phone: null, officeHours: { from: '08:00', to: '18:00' }, timeFormat: '24h' },
  state: 'before',
  departure: {
    code: 'GOLD-300714-0900',
    tourName: 'Golden Circle',
    startsAt: '2030-07-14T09:00:00Z',
    endsAt: '2030-07-14T17:00:00Z',
    startedAt: null,
    onTimeToleranceMin: 5,
    timeZone: 'Atlantic/Reykjavik',
    localDate: '2030-07-14',
    delaySeconds: 0,
    vehicleName: null,
  },
  meeting: {
    placeName: 'BSÍ',
    address: null,
    at: '2030-07-14T09:00:00Z',
    expectedAt: '2030-07-14T09:00:00Z',
    isPickup: false,
    isPast: false,
    stopsBefore: 0,
    lat: null,
    lng: null,
  },
  position: null,
  stops: [],
  crew: [],
  meetingNote: null,
  whatToBring: null,
  guests: [],
  bookingRef: null,
  rollCall: null,
  party: null,
  offer: null,
  proposal: null,
  feedback: null,
  news: [],
  documents: [],
  payment: null,
  thread: null,
  emails: null,
  ownTours: [],
  isPreview: false,
  expiresAt: '2030-07-14T19:00:00Z',
  ...change,
})

const at = (time: string): number => Date.parse(`2030-07-14T${time}:00Z`)

test('before the tour the meeting time is shown, and lateness is shown with the planned time', () => {
  expect(headlineOf(page(), at('08:00'))).toMatchObject({ time: '2030-07-14T09:00:00Z', isLate: false })
  const meeting = page().meeting
  const late = page({ meeting: meeting && { ...meeting, expectedAt: '2030-07-14T09:18:00Z' } })
  expect(headlineOf(late, at('08:30'))).toMatchObject({ time: '2030-07-14T09:18:00Z', isLate: true })
  expect(headlineOf(late, at('08:30')).notes.join()).toContain('18')
})

test('at a stop the message turns round: when to be back, and how long that is', () => {
  const stops = [
    stop('Geysir', { status: 'arrived', arrivedAt: '2030-07-14T12:15:00Z', leavesAt: '2030-07-14T13:30:00Z' }),
    stop('Gullfoss'),
  ]
  const { time, label, notes } = headlineOf(page({ state: 'during', stops }), at('13:00'))
  expect({ time, label }).toEqual({ time: '2030-07-14T13:30:00Z', label: 'Geysir' })
  expect(notes.join()).toContain('30')
})

test('between stops the next one counts, by its estimate', () => {
  const stops = [stop('Geysir', { status: 'departed' }), stop('Gullfoss', { etaAt: '2030-07-14T14:03:00Z' })]
  expect(headlineOf(page({ state: 'during', stops }), at('13:50'))).toMatchObject({
    time: '2030-07-14T14:03:00Z',
    label: 'Gullfoss',
  })
})

test('a tour that has set out no longer leaves, though nobody marked a stop', () => {
  const stops = [stop('BSÍ', { kind: 'start' }), stop('Geysir', { etaAt: '2030-07-14T12:15:00Z' })]
  const started = page({ state: 'during', stops })
  started.departure.startedAt = '2030-07-14T09:00:00Z'
  expect(headlineOf(started, at('10:30'))).toMatchObject({ time: '2030-07-14T12:15:00Z', label: 'Geysir' })
})

test('what is over, cancelled or waited for has no time', () => {
  expect(headlineOf(page({ state: 'waiting' }), at('08:00')).time).toBeNull()
  expect(headlineOf(page({ state: 'after' }), at('18:00')).time).toBeNull()
  expect(headlineOf(page({ state: 'cancelled' }), at('08:00')).time).toBeNull()
})

test('what comes next on another day says the day, as the clocks of the tour count it', () => {
  const stops = [stop('Ghorepani', { status: 'departed' }), stop('Tadapani', { plannedAt: '2030-07-15T01:15:00Z' })]
  const trek = page({ state: 'during', stops })
  trek.departure.timeZone = 'Asia/Kathmandu'
  expect(headlineOf(trek, at('17:30')).notes).toEqual(['Tomorrow, Monday 15 July'])
  // A quarter to one at night there.
  expect(headlineOf(trek, at('19:00')).notes).toEqual([])
  expect(headlineOf(trek, at('23:15')).notes.join()).toContain('2 h')
})
