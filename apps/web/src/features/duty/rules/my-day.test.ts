import { expect, test } from 'vitest'
import type { ShownDay, ShownDeparture } from '../store/shown-day.ts'
import { currentDeparture, isFirstLook, isOffered, sortedDay } from './my-day.ts'

const now = Date.parse('2026-11-21T12:00:00Z')
type Facts = Partial<ShownDeparture['departure']>
const tour = (id: string, more: Facts = {}, assignment: object | null = { status: 'accepted', seenVersion: 1 }) =>
  ({
    id,
    assignment,
    departure: {
      status: 'scheduled',
      localDate: '2026-11-21',
      timeZone: 'Atlantic/Reykjavik',
      revisionNumber: 1,
      ...more,
    },
  }) as unknown as ShownDeparture
const day = (...departures: ShownDeparture[]) => ({ departures }) as unknown as ShownDay
const sorted = (...departures: ShownDeparture[]) => {
  const { lead, ...lists } = sortedDay(day(...departures), now)
  return {
    lead: lead?.id,
    ...Object.fromEntries(Object.entries(lists).map(([name, list]) => [name, list.map(({ id }) => id)])),
  }
}

test('the tour under way is the message of the page, else the next of today that is not over', () => {
  const over = tour('over', { status: 'completed' })
  const next = tour('next')
  const running = tour('running', { status: 'in_progress' })
  expect(sorted(over, next, running)).toMatchObject({ lead: 'running', today: ['over', 'next'] })
  expect(sorted(over, next)).toMatchObject({ lead: 'next', today: ['over'] })
  expect(sorted(over).lead).toBeUndefined()
})

test('today is that of the tour: in Auckland it is tomorrow already', () => {
  const here = tour('here', { localDate: '2026-11-22' })
  const there = tour('there', { localDate: '2026-11-22', timeZone: 'Pacific/Auckland' })
  expect(sorted(here, there)).toMatchObject({ lead: 'there', later: ['here'] })
})

test('a tour of several days that began is now, whatever its date', () => {
  expect(sorted(tour('long', { localDate: '2026-11-22', status: 'in_progress' }))).toMatchObject({
    lead: 'long',
    later: [],
  })
})

test('what is offered asks for an answer and is no work yet; what is declined is gone', () => {
  const offered = tour('offered', {}, { status: 'offered', seenVersion: null })
  expect(isOffered(offered)).toBe(true)
  expect(sorted(offered, tour('gone', {}, { status: 'declined', seenVersion: 1 }))).toMatchObject({
    lead: undefined,
    offers: ['offered'],
    today: [],
  })
  expect(sorted(tour('void', { status: 'cancelled' }, { status: 'offered' }))).toMatchObject({ offers: [] })
})

test('a newer run sheet than the one seen is announced; one that was never seen, or a link, is not', () => {
  const newer = { revisionNumber: 3 }
  expect(sorted(tour('changed', newer), tour('same'))).toMatchObject({ changed: ['changed'] })
  const unseen = tour('unseen', newer, { status: 'accepted', seenVersion: null })
  expect(sorted(unseen, tour('link', newer, null))).toMatchObject({ changed: [] })
})

test('the first look at a run sheet is reported once, by who has accepted and is not done', () => {
  const planned = { revisionNumber: 3 }
  const isFirst = (status: string, seenVersion: number | null, facts: Facts = planned) =>
    isFirstLook(tour('one', facts, { status, seenVersion }))
  expect([isFirst('accepted', null), isFirst('on_duty', null)]).toEqual([true, true])
  expect([isFirst('accepted', 1), isFirst('accepted', 3)]).toEqual([false, false])
  expect([isFirst('offered', null), isFirst('completed', null)]).toEqual([false, false])
  expect(isFirst('accepted', null, { revisionNumber: null })).toBe(false)
  expect(isFirstLook(tour('link', planned, null))).toBe(false)
})

test('the navigation leads to the departure of now, else to the next one, else to the last of today', () => {
  const over = tour('over', { status: 'completed' })
  const tomorrow = tour('tomorrow', { localDate: '2026-11-22' })
  expect(currentDeparture(day(over, tomorrow), now)?.id).toBe('tomorrow')
  expect(currentDeparture(day(over), now)?.id).toBe('over')
  expect(currentDeparture(day(), now)).toBeUndefined()
})
