import { alertKinds } from '@tour-ops/contract/monitoring/alerts'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { overwriteGetLocale } from '../../paraglide/runtime.js'
import { setFormatLocale } from '../../ui/format.ts'
import { alertKindLabels, alertTitle, type AlertFacts } from './alert-title.ts'

const departure = { startsAt: '2030-07-14T09:00:00Z', timeZone: 'Atlantic/Reykjavik' }

const title = (kind: AlertFacts['kind'], evidence: AlertFacts['evidence'] = {}, change: Partial<AlertFacts> = {}) =>
  alertTitle({ kind, evidence, departure, ...change })

beforeEach(() => {
  vi.setSystemTime('2030-07-14T10:00:00Z')
})
afterEach(() => {
  vi.useRealTimers()
  overwriteGetLocale(() => 'en')
  setFormatLocale(null)
})

test('a title says the fact and not the rule', () => {
  expect(title('running_late', { delayMin: 18, limitMin: 15, stopName: 'Geysir' })).toBe('18 min late after Geysir')
  expect(title('late_start')).toBe('Not started, planned 09:00')
  expect(title('headcount_mismatch', { expected: 42, counted: 41, stopName: 'Vík' })).toBe('1 guest missing at Vík')
  expect(title('headcount_mismatch', { expected: 42, counted: 44 })).toBe('2 guests too many counted')
  expect(title('eta_miss', { stopName: 'Pena Palace', delayMin: 12 })).toBe('12 min late for Pena Palace')
  expect(title('signal_lost', { lastSeenAt: '2030-07-14T09:48:00Z' })).toBe('No signal since 09:48')
  expect(title('no_show', { guests: 1, expected: 5 })).toBe('1 guest did not show up')
  expect(title('document_missing', { guests: 2 })).toBe('2 guests without a valid passport or identity card')
  expect(title('battery_low', { staffName: 'Sigrún', batteryPct: 9 })).toBe('Battery of Sigrún at 9%')
  expect(title('off_route', { meters: 1240, limitM: 500 })).toBe('1.2 km off the route')
  expect(title('long_stop', { minutes: 42 })).toBe('Has not moved for 42 min')
  expect(title('overspeed', { kmh: 112, limitKmh: 100 })).toBe('112 km/h, limit 100 km/h')
  expect(title('geofence_absent', { meters: 640, stopName: 'Geysir' })).toBe('640 m away from Geysir')
  expect(title('no_go_area', { area: 'Avalanche slope' })).toBe('In no-go area Avalanche slope')
  const paper = { certificate: 'first_aid', staffName: 'Jonas Berg', validUntil: '2030-08-01' }
  expect(title('certificate_expiring', paper, { departure: null })).toBe('First aid expires Thu 1 Aug')
})

test('a time of another day has its date', () => {
  expect(title('hold_expiring', { expiresAt: '2030-07-14T18:00:00Z', pax: 2 })).toMatch(/ 18:00$/)
  vi.setSystemTime('2030-07-12T10:00:00Z')
  expect(title('late_start')).toBe('Not started, planned Sun 14 Jul 09:00')
  expect(title('hold_expiring', { expiresAt: '2030-07-14T18:00:00Z', pax: 2 })).toMatch(/ Sun 14 Jul 18:00$/)
})

test('an alert is shown in the reader’s language', () => {
  overwriteGetLocale(() => 'de')
  setFormatLocale('de')
  expect(title('late_start')).toBe('Nicht gestartet, geplant 09:00')
  expect(title('below_min_pax', { pax: 1, minPax: 4 })).toBe('1 Gast, 4 nötig')
  overwriteGetLocale(() => 'es')
  expect(title('no_lead_guide')).toMatch(/^Sin guía principal para /)
  expect(title('running_late', { delayMin: 18 })).toBe('18 min de retraso')
})

test('a kind without a sentence, or evidence of another form, is shown by its kind in the reader’s language', () => {
  overwriteGetLocale(() => 'de')
  for (const kind of alertKinds) expect(title(kind, { delayMin: 'much', validUntil: 7 })).toBeTruthy()
  for (const kind of ['sos', 'running_late'] as const) {
    expect(title(kind, { delayMin: 'much' })).toBe(alertKindLabels[kind]())
  }
  expect(title('late_start', {}, { departure: null })).toBe(alertKindLabels.late_start())
})
