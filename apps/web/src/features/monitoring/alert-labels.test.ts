import { type AlertRow, conditionGoneNote, departureCancelledNote } from '@tour-ops/contract/monitoring/alerts'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { alertTitle } from './alert-title.ts'
import { ageText } from './ages.ts'
import { alertDetail, alertMeasure, alertSubject, resolutionText } from './alert-labels.ts'

beforeEach(() => {
  vi.setSystemTime('2030-07-14T10:00:00Z')
})
afterEach(() => {
  vi.useRealTimers()
})

const alert = (change: Partial<AlertRow>): AlertRow => ({
  id: '019e0000-0000-7000-8000-000000000000',
  version: 1,
  kind: 'running_late',
  severity: 'warning',
  status: 'open',
  title: 'From the server',
  evidence: {},
  subjectType: 'departure',
  subjectId: null,
  departure: {
    id: '019e0000-0000-7000-8000-000000000001',
    code: 'GOLD-300714-0900',
    tourName: 'Golden Circle',
    startsAt: '2030-07-14T09:00:00Z',
    timeZone: 'Atlantic/Reykjavik',
    guests: 17,
    vehicleName: 'AA-04',
  },
  owner: null,
  openedAt: '2030-07-14T13:48:00Z',
  acknowledgedAt: null,
  snoozedUntil: null,
  snoozedStop: null,
  resolvedAt: null,
  resolvedByName: null,
  resolution: null,
  resolutionNote: null,
  resolutionFacts: {},
  escalationLevel: 0,
  incident: null,
  ...change,
})

test('an alert says which departure it is about, and how far over its limit', () => {
  const late = alert({ evidence: { delayMin: 18, limitMin: 15, criticalMin: 45, stopName: 'Geysir' } })
  const noon = Date.parse('2030-07-14T12:00:00Z')
  expect(alertSubject(late, noon)).toBe('Golden Circle 09:00 · AA-04')
  expect(alertSubject(late, noon - 86_400_000)).toBe('Golden Circle Sun 14 Jul 09:00 · AA-04')
  expect(alertMeasure(late)).toEqual({ value: 18, limit: 15, critical: 45 })
  expect(alertMeasure(alert({}))).toBeNull()
})

test('a gap in the crew says who was asked', () => {
  const gap = (evidence: Record<string, unknown>) => alertDetail(alert({ kind: 'no_lead_guide', evidence }))
  expect(gap({})).toBe('Nobody has been asked yet')
  expect(gap({ offeredTo: 'Jonas Berg', respondBy: '2030-07-14T18:00:00Z' })).toBe(
    'Offered to Jonas Berg, reply by 18:00',
  )
})

test('ages are bare numbers', () => {
  const opened = '2030-07-14T12:00:00Z'
  const after = (minutes: number) => ageText(opened, Date.parse(opened) + minutes * 60_000)
  expect([after(-1), after(4), after(72), after(26 * 60)]).toEqual(['0 min', '4 min', '1 h 12', '1 d'])
})

test('an alert that ended with its departure says so', () => {
  const ended = { status: 'resolved' as const, resolution: 'auto' as const, resolvedAt: '2030-07-14T12:00:00Z' }
  const words = (resolutionNote: string | null) =>
    resolutionText(alert({ ...ended, resolutionNote }), 'Atlantic/Reykjavik')
  expect(words(conditionGoneNote)).toBe('12:00 by itself')
  expect(words(departureCancelledNote)).toBe('12:00, departure cancelled')
  // as earlier versions stored it
  expect(words('The departure was cancelled.')).toBe('12:00, departure cancelled')
})

test('a rest that is too short says whose, how long, and what was needed', () => {
  const evidence = { staffName: 'Jonas Berg', restHours: 8.5, limitHours: 11, code: 'NIGHT-300713-2030' }
  const short = alert({ kind: 'rest_violation', evidence })
  expect(alertTitle(short)).toBe('Jonas Berg has 8 h 30 min of rest')
  expect(alertDetail(short)).toBe('After NIGHT-300713-2030; 11 h needed')
})

test('an alert that ended by itself shows the values at that time', () => {
  const over = (kind: AlertRow['kind'], resolutionFacts: Record<string, unknown>, evidence = {}) =>
    resolutionText(
      alert({
        kind,
        evidence,
        status: 'resolved',
        resolution: 'auto',
        resolutionNote: conditionGoneNote,
        resolvedAt: '2030-07-14T14:00:00Z',
        resolutionFacts: { status: 'in_progress', ...resolutionFacts },
      }),
      'Atlantic/Reykjavik',
    )
  expect(over('late_start', { startedAt: '2030-07-14T09:20:00Z' })).toBe('14:00 by itself: set out at 09:20')
  expect(over('running_late', { delayMin: 4 })).toBe('14:00 by itself: 4 min late now')
  expect(over('signal_lost', { heardAt: '2030-07-14T13:58:00Z' })).toBe('14:00 by itself: signal at 13:58')
  expect(over('off_route', { status: 'completed' })).toBe('14:00 by itself: the departure is over')
  expect(over('below_min_pax', { pax: 5, minPax: 4 })).toBe('14:00 by itself: confirmed: 5, needed: 4')
  expect(over('no_lead_guide', { leadName: 'Sigrún' })).toBe('14:00 by itself: Sigrún leads')
  expect(over('battery_low', { batteryPct: 64 })).toBe('14:00 by itself: battery at 64%')
  expect(over('headcount_mismatch', { counted: 42, expected: 42 })).toBe('14:00 by itself: 42 of 42 counted')
  expect(over('no_show', { noShows: 0 })).toBe('14:00 by itself: no guest is marked as no-show now')
  expect(over('no_show', { noShows: 1 })).toBe('14:00 by itself')
  expect(over('service_unconfirmed', { serviceStatus: 'confirmed' })).toBe('14:00 by itself: the service is confirmed')
  expect(over('service_unconfirmed', { serviceStatus: 'requested' })).toBe('14:00 by itself')
  expect(over('hold_expiring', { bookingStatus: 'confirmed' })).toBe('14:00 by itself: the booking is confirmed')
  expect(over('hold_expiring', { bookingStatus: 'expired' })).toBe('14:00 by itself: the hold has expired')
  const held = (heldUntil: string) => over('hold_expiring', { bookingStatus: 'on_hold', heldUntil })
  expect(held('2030-07-14T19:30:00Z')).toBe('14:00 by itself: held until 19:30')
  expect(held('2030-07-14T13:59:00Z')).toBe('14:00 by itself: the hold has expired')
  expect(over('assignment_unanswered', { answer: 'withdrawn' })).toBe('14:00 by itself: the offer was withdrawn')
  expect(over('capacity_conflict', { vehicles: 2, pax: 20, seats: 48 })).toBe(
    '14:00 by itself: confirmed: 20, seats: 48',
  )
  expect(over('capacity_conflict', { vehicles: 0, pax: 20 })).toBe('14:00 by itself: no vehicle is assigned now')
  expect(over('capacity_conflict', { pax: 20 })).toBe('14:00 by itself')
  const papers = (facts: Record<string, unknown>) =>
    over(
      'document_missing',
      { status: 'scheduled', startsAt: '2030-07-16T09:00:00Z', days: 3, guests: 4, lacking: 0, ...facts },
      { guests: 2, startsAt: '2030-07-16T09:00:00Z' },
    )
  expect(papers({})).toBe('14:00 by itself: all 4 guests have a valid passport or identity card')
  expect(papers({ guests: 1 })).toBe('14:00 by itself: the guest has a valid passport or identity card')
  expect(papers({ guests: 0 })).toBe('14:00 by itself: no guest is booked now')
  expect(papers({ days: 1 })).toBe('14:00 by itself: the tour takes one day, which needs no documents')
  expect(papers({ lacking: 2, startsAt: '2030-07-24T09:00:00Z' })).toBe(
    '14:00 by itself: the departure starts Wed 24 Jul 09:00 now',
  )
  expect(papers({ lacking: 2, startsAt: '2030-07-10T09:00:00Z' })).toBe('14:00 by itself: the departure is over')
  expect(papers({ lacking: 2, status: 'in_progress', startedAt: '2030-07-14T09:20:00Z' })).toBe(
    '14:00 by itself: set out at 09:20',
  )
  expect(papers({ status: 'completed' })).toBe('14:00 by itself: the departure is over')
  expect(over('document_missing', { status: 'scheduled' })).toBe('14:00 by itself')
  const rested = (facts: Record<string, unknown>) => over('rest_violation', facts, { staffName: 'Sigrún' })
  expect(rested({ answer: 'accepted', isDutyAhead: true })).toBe('14:00 by itself: Sigrún has enough rest now')
  expect(rested({ answer: 'accepted', isDutyAhead: false })).toBe('14:00 by itself')
  expect(rested({ answer: 'accepted', isDutyAhead: true, isOverridden: true })).toBe(
    '14:00 by itself: the rule was overridden with a reason',
  )
  expect(rested({ answer: 'declined', isDutyAhead: true })).toBe('14:00 by itself: Sigrún has declined')
  const renewed = (facts: Record<string, unknown>) =>
    over('certificate_expiring', facts, { validUntil: '2030-07-20', certificate: 'first_aid' })
  expect(renewed({ holderStatus: 'active', certificates: 2, validUntil: '2032-07-20' })).toBe(
    '14:00 by itself: valid until 20 Jul 2032',
  )
  expect(renewed({ holderStatus: 'active', certificates: 0 })).toBe('14:00 by itself: the certificate was removed')
  expect(renewed({ holderStatus: 'inactive', certificates: 1, validUntil: '2030-07-20' })).toBe(
    '14:00 by itself: not in service any more',
  )
  expect(renewed({ holderStatus: 'active', certificates: 1, validUntil: '2030-07-20' })).toBe('14:00 by itself')
  expect(renewed({})).toBe('14:00 by itself')
})

test('an alert about a message that ended by itself says what became of the message, whether or not its departure is over', () => {
  const over = (resolutionFacts: Record<string, unknown>) =>
    resolutionText(
      alert({
        kind: 'message_failed',
        evidence: { failed: 2 },
        status: 'resolved',
        resolution: 'auto',
        resolutionNote: conditionGoneNote,
        resolvedAt: '2030-07-14T14:00:00Z',
        resolutionFacts: { limitHours: 24, failed: 0, suppressed: 0, ...resolutionFacts },
      }),
      'Atlantic/Reykjavik',
    )
  expect(over({ messageStatus: 'sent', sentAt: '2030-07-14T09:20:00Z' })).toBe('14:00 by itself: sent again at 09:20')
  expect(over({ messageStatus: 'sending' })).toBe('14:00 by itself: it is being sent again')
  expect(over({ messageStatus: 'sent', suppressed: 1 })).toBe('14:00 by itself: no recipient needs it any more')
  expect(over({ messageStatus: 'sent' })).toBe('14:00 by itself')
  expect(over({ messageStatus: 'partly_failed', failed: 2 })).toBe('14:00 by itself: the message is older than 24 h')
  expect(over({ messageStatus: 'failed', failed: 0 })).toBe('14:00 by itself')
  // as earlier versions stored it
  expect(over({ status: 'completed', delayMin: 4 })).toBe('14:00 by itself')
})
