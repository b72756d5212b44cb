import { expect, test } from 'vitest'
import type * as z from 'zod/mini'
import { askForAccess } from './members/access-requests.ts'
import { createBooking, defaultHoldMinutes, Guest, offerBooking } from './bookings/bookings.ts'
import { callableNamed } from './callables.ts'
import { scheduleDepartures } from './departures/departure-schedule.ts'
import { DocumentQuery } from './live/documents.ts'
import { copyLink, LinkScopes } from './links/links.ts'
import { monitoringDelayedAfterMs } from './monitoring/alerts.ts'
import { isLocale } from './locales.ts'
import { Geofence } from './places/places.ts'
import { tourPerformance } from './reports/reports.ts'
import { earliestMarkMs } from './departures/run-sheet.ts'
import { saveView } from './saved-views/saved-views.ts'
import { defaultTourSettings, SecuritySettings, TourSettings } from './settings/settings.ts'
import { canBecome, nextStatuses } from './state-machines.ts'
import { TourStop } from './tours/tour-content.ts'
import { createTour, TourFields } from './tours/tours.ts'
import { createTraveler } from './travelers/travelers.ts'
import { TourUnit } from './units.ts'

// What a form may not say although each field by itself may.

/** The fields that an input is refused for, in the order of its rules; none when it is taken. */
const refused = (schema: z.ZodMiniType, input: unknown): string[] => {
  const { error } = schema.safeParse(input)
  return error ? error.issues.map(({ path }) => path.join('.')) : []
}

const settings = (change: Partial<typeof defaultTourSettings>) => ({ ...defaultTourSettings, ...change })

test('late may come together with critical and not after it', () => {
  expect(refused(TourSettings, settings({ runningLateMin: 45, atRiskMin: 45 }))).toEqual([])
  expect(refused(TourSettings, settings({ runningLateMin: 46, atRiskMin: 45 }))).toEqual(['atRiskMin'])
})

test('a code pattern has tour, day and hour, and only letters that a code may have', () => {
  for (const codePattern of ['{TOUR}-{YYMMDD}-{HHMM}', '{HHMM}.{YYYYMMDD}_{TOUR}'])
    expect(refused(TourSettings, settings({ codePattern })), codePattern).toEqual([])
  for (const codePattern of ['{YYMMDD}-{HHMM}', '{TOUR}-{HHMM}', '{TOUR}-{YYMMDD}', '{TOUR} {YYMMDD} {HHMM}'])
    expect(refused(TourSettings, settings({ codePattern })), codePattern).toEqual(['codePattern'])
})

test('seats are held for 60 days at most and 24 hours by default, an offer of the waitlist is valid for 30', () => {
  expect(defaultTourSettings).toMatchObject({ holdMinutes: 1_440, waitlistOfferMinutes: 1_440 })
  expect(refused(TourSettings, settings({ holdMinutes: 86_400, waitlistOfferMinutes: 43_200 }))).toEqual([])
  expect(refused(TourSettings, settings({ holdMinutes: 86_401 }))).toEqual(['holdMinutes'])
  expect(refused(TourSettings, settings({ waitlistOfferMinutes: 43_201 }))).toEqual(['waitlistOfferMinutes'])
  expect(defaultHoldMinutes).toBe(1_440)
  for (const { input } of [createBooking, offerBooking]) {
    expect(refused(input, { holdMinutes: 86_400 })).not.toContain('holdMinutes')
    expect(refused(input, { holdMinutes: 86_401 })).toContain('holdMinutes')
  }
})

test('a required second factor has roles and a first day, or neither', () => {
  expect(refused(SecuritySettings, { secondFactorRoles: [], secondFactorFrom: null })).toEqual([])
  expect(refused(SecuritySettings, { secondFactorRoles: ['admin'], secondFactorFrom: '2026-12-01' })).toEqual([])
  expect(refused(SecuritySettings, { secondFactorRoles: ['admin'], secondFactorFrom: null })).toEqual([
    'secondFactorFrom',
  ])
  expect(refused(SecuritySettings, { secondFactorRoles: [], secondFactorFrom: '2026-12-01' })).toEqual([
    'secondFactorRoles',
  ])
})

const tour = {
  code: 'GOLD',
  name: 'Golden circle',
  kind: 'day',
  timeZone: 'Atlantic/Reykjavik',
  durationMin: 480,
  defaultCapacity: 16,
}

test('a tour fits its smallest group, and its code and color look like one', () => {
  expect(refused(TourFields, { ...tour, minPax: 12, defaultCapacity: 12 })).toEqual([])
  expect(refused(TourFields, { ...tour, minPax: 13, defaultCapacity: 12 })).toEqual(['minPax'])
  for (const code of ['GO', 'G123456789']) expect(refused(TourFields, { ...tour, code }), code).toEqual([])
  for (const code of ['G', '1GO', 'G1234567890', 'G-O'])
    expect(refused(TourFields, { ...tour, code })).toEqual(['code'])
  expect(refused(TourFields, { ...tour, color: '#ff4B00' })).toEqual([])
  expect(refused(TourFields, { ...tour, color: '#ff4' })).toEqual(['color'])
})

test('a unit has its oldest age at or above its youngest', () => {
  const child = { unitType: 'child', priceMinor: 100, currency: 'EUR' }
  for (const ages of [{}, { minAge: 3 }, { maxAge: 3 }, { minAge: 3, maxAge: 3 }])
    expect(refused(TourUnit, { ...child, ...ages })).toEqual([])
  expect(refused(TourUnit, { ...child, minAge: 4, maxAge: 3 })).toEqual(['maxAge'])
})

test('what a form leaves out is the careful choice', () => {
  const stop = {
    dayIndex: 1,
    order: 1,
    placeId: '01a20679-aafa-75c3-b5c3-b2ddea46a921',
    kind: 'visit',
    offsetMin: -720,
  }
  expect(TourStop.parse(stop)).toMatchObject({
    optional: false,
    headcountRequired: false,
    timedEntry: false,
    guestVisible: true,
  })
  expect(refused(TourStop, { ...stop, offsetMin: -721 })).toEqual(['offsetMin'])
  // guests read first names of the crew, never of each other
  expect(LinkScopes.parse({})).toEqual({
    map: true,
    stops: true,
    position: false,
    crew: true,
    contacts: true,
    manifestNames: false,
    checkin: false,
    details: false,
    offer: false,
    feedback: false,
    messages: false,
    documents: false,
    needs: false,
    rooms: false,
    pickups: false,
    money: false,
  })
  expect(createTraveler.input.parse({ lastName: 'Dahl' })).toMatchObject({ marketingConsent: false })
  const view = { screen: 'travelers', name: 'Mine', search: {} }
  expect(saveView.input.parse(view)).toMatchObject({ isShared: false })
  expect(copyLink.input.parse({ id: stop.placeId })).toMatchObject({ rotate: false })
})

test('a page that was refused is a path of this application', () => {
  const ask = (path: string) => refused(askForAccess.input, { permission: 'tours:manage', path })
  expect(ask('/tours/all?q=a')).toEqual([])
  for (const path of ['//evil.example', 'https://evil.example/', 'tours']) expect(ask(path), path).toEqual(['path'])
})

test('somebody leaves a place farther out than they came to it', () => {
  expect(refused(Geofence, { enterM: 100, exitM: 101, dwellS: 0 })).toEqual([])
  expect(refused(Geofence, { enterM: 100, exitM: 100, dwellS: 0 })).toEqual(['exitM'])
})

test('a guest is somebody known or has a name', () => {
  expect(refused(Guest, { unitType: 'adult', lastName: 'Dahl' })).toEqual([])
  expect(refused(Guest, { unitType: 'adult', travelerId: '01a20679-aafa-75c3-b5c3-b2ddea46a921' })).toEqual([])
  expect(refused(Guest, { unitType: 'adult', firstName: 'Iris' })).toEqual(['lastName'])
})

test('a saved view holds 10,000 characters at most', () => {
  const view = (note: string) => ({ screen: 'travelers', name: 'Mine', search: { note } })
  const around = JSON.stringify({ note: '' }).length
  expect(refused(saveView.input, view('x'.repeat(10_000 - around)))).toEqual([])
  expect(refused(saveView.input, view('x'.repeat(10_001 - around)))).toEqual(['search'])
  expect(refused(saveView.input, { ...view(''), screen: 'Travelers' })).toEqual(['screen'])
})

test('a report is about two years at most, first and last day included', () => {
  const to = (last: string) => refused(tourPerformance.input, { from: '2025-01-01', to: last })
  expect(to('2025-01-01')).toEqual([])
  expect(to('2027-01-01')).toEqual([])
  expect(to('2027-01-02')).toEqual(['to'])
  expect(to('2024-12-31')).toEqual(['to'])
})

test('a query names fields of documents, in objects as well, and nothing else', () => {
  const field = (name: string) =>
    refused(DocumentQuery, { collection: 'users/u1/inbox', where: [{ field: name, op: '==', value: 1 }] })
  for (const name of ['a', '_a1', 'readAt', 'a.b', 'a.1', 'a.bc.de']) expect(field(name), name).toEqual([])
  for (const name of ['', '1a', 'a.', '.a', 'a b', 'a..b', 'a;', ' a', 'a-b', 'a.b-c'])
    expect(field(name), name).not.toEqual([])
})

test('moments and limits that screens and server share', () => {
  expect(earliestMarkMs, 'six hours').toBe(21_600_000)
  expect(monitoringDelayedAfterMs, 'a heartbeat and a minute').toBe(70_000)
  expect(['en', 'de', 'es', 'fr', null].filter(isLocale)).toEqual(['en', 'de', 'es'])
})

test('a rule of a schedule is read from its first to its last letter', () => {
  const rule = (rrule: string) => refused(scheduleDepartures.input, { rrule }).includes('rrule')
  for (const rrule of ['FREQ=DAILY', 'FREQ=WEEKLY;BYDAY=MO,WE', 'FREQ=MONTHLY;BYDAY=+1SU;INTERVAL=2'])
    expect(rule(rrule), rrule).toBe(false)
  for (const rrule of [
    'FREQ=HOURLY',
    'xFREQ=DAILY',
    'FREQ=DAILY;',
    'FREQ=DAILY;BYDAY',
    'FREQ=WEEKLY;BYDAY=mo',
    'FREQ=DAILY\nX',
  ])
    expect(rule(rrule), rrule).toBe(true)
})

test('screens offer the next statuses of the table, and a callable is found by its name', () => {
  expect(nextStatuses('departures', 'scheduled')).toEqual(['guaranteed', 'boarding', 'cancelled'])
  expect(canBecome('departures', 'boarding', 'in_progress')).toBe(true)
  expect(canBecome('departures', 'cancelled', 'scheduled')).toBe(false)
  expect(callableNamed('tours-create')).toBe(createTour)
  expect(callableNamed('tours-nothing')).toBeUndefined()
})
