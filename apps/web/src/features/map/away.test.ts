import type { DutySession } from '@tour-ops/contract/tracking/duty'
import { expect, test } from 'vitest'
import { awayOf, isAnybodyOnDuty } from './away.ts'

const now = Date.parse('2030-07-14T15:00:00Z')
const zone = 'Atlantic/Reykjavik'
const session = (name: string, startedAt: string, change: Partial<DutySession> = {}): DutySession => ({
  id: `${name} ${startedAt}`,
  version: 1,
  staff: { id: name, name },
  vehicle: null,
  departure: null,
  status: 'open',
  startedAt: `2030-07-14T${startedAt}:00Z`,
  endedAt: null,
  source: 'app',
  endedBy: null,
  consentVersion: null,
  breakStartedAt: null,
  askedAt: null,
  breakSeconds: 0,
  dutySeconds: 0,
  ...change,
})
const ended = (endedAt: string) => ({ status: 'closed', endedAt }) as const

test('who ended the duty today or has a break is away since then, by name; who is on duty is not', () => {
  expect(
    awayOf(
      [
        session('Nils', '08:00', ended('2030-07-14T14:05:00Z')),
        session('Ada', '08:00', { breakStartedAt: '2030-07-14T13:20:00Z' }),
        session('Björn', '08:00'),
        session('Van 2', '08:00', {
          staff: null,
          vehicle: { id: 'van', name: 'Van 2' },
          ...ended('2030-07-14T12:00:00Z'),
        }),
      ],
      now,
      zone,
    ),
  ).toEqual([
    { id: 'Ada', name: 'Ada', why: 'break', since: '2030-07-14T13:20:00Z' },
    { id: 'Nils', name: 'Nils', why: 'off_duty', since: '2030-07-14T14:05:00Z' },
    { id: 'van', name: 'Van 2', why: 'off_duty', since: '2030-07-14T12:00:00Z' },
  ])
})

test('the latest duty counts, and one that ended on another day of the office does not', () => {
  const first = session('Nils', '06:00', ended('2030-07-14T09:00:00Z'))
  expect(awayOf([session('Nils', '10:00'), first], now, zone)).toEqual([])
  expect(awayOf([first, session('Nils', '10:00', ended('2030-07-14T11:00:00Z'))], now, zone)).toMatchObject([
    { since: '2030-07-14T11:00:00Z' },
  ])
  expect(awayOf([first], now, 'Pacific/Kiritimati')).toEqual([])
})

test('somebody is on duty whose duty lasts without a break, seen or not', () => {
  const away = [
    session('Nils', '08:00', ended('2030-07-14T14:05:00Z')),
    session('Ada', '08:00', { breakStartedAt: '2030-07-14T13:20:00Z' }),
  ]
  expect(isAnybodyOnDuty(away)).toBe(false)
  expect(isAnybodyOnDuty([...away, session('Björn', '08:00')])).toBe(true)
})
