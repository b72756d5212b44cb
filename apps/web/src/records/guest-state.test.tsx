import { renderToStaticMarkup } from 'react-dom/server'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { GuestState, type GuestStateProps } from './guest-state.tsx'

beforeEach(() => void vi.useFakeTimers({ now: new Date('2026-11-20T12:00:00Z') }))
afterEach(() => void vi.useRealTimers())

const shown = (timeZone: string, props: Partial<GuestStateProps>): string =>
  renderToStaticMarkup(
    <GuestState
      bookingStatus="confirmed"
      departureStatus="boarding"
      entryStatus="expected"
      checkInAt={null}
      expiresAt={null}
      waitlistRank={null}
      timeZone={timeZone}
      {...props}
    />,
  ).replaceAll(/<[^>]*>/g, '')

const aboard = { entryStatus: 'checked_in', checkInAt: '2026-11-20T11:40:00Z' } as const

test('when somebody came aboard is by the clocks of the tour', () => {
  expect(shown('Atlantic/Reykjavik', aboard)).toBe('Aboard 11:40')
  expect(shown('Asia/Kathmandu', aboard)).toBe('Aboard 17:25')
})

/** The icon and the tone of what is shown: neutral states have no tint. */
const looks = (props: Partial<GuestStateProps>): string[] => {
  const markup = renderToStaticMarkup(
    <GuestState
      bookingStatus="confirmed"
      departureStatus="scheduled"
      entryStatus="expected"
      checkInAt={null}
      expiresAt={null}
      waitlistRank={null}
      timeZone="UTC"
      {...props}
    />,
  )
  return [/lucide-([a-z-]+)/.exec(markup)?.[1] ?? '', /tone-([a-z]+)/.exec(markup)?.[1] ?? 'calm']
}

test.each<[string, Partial<GuestStateProps>, string[]]>([
  ['expected', {}, ['circle-dashed', 'calm']],
  ['confirmed before the day', { isAhead: true }, ['check', 'calm']],
  ['aboard', { entryStatus: 'checked_in' }, ['check-check', 'calm']],
  ['on tour', { entryStatus: 'on_tour' }, ['check-check', 'calm']],
  ['back', { entryStatus: 'finished' }, ['flag', 'calm']],
  ['left early', { entryStatus: 'left_early' }, ['log-out', 'calm']],
  ['cancelled', { entryStatus: 'cancelled' }, ['circle-x', 'calm']],
  ['no-show', { entryStatus: 'no_show' }, ['user-round-x', 'bad']],
  ['missing', { entryStatus: 'missing' }, ['user-round-x', 'bad']],
  ['of a cancelled departure', { departureStatus: 'cancelled' }, ['circle-x', 'bad']],
  ['waitlisted', { bookingStatus: 'waitlisted' }, ['hourglass', 'info']],
  ['on hold', { bookingStatus: 'on_hold' }, ['clock', 'warn']],
  ['requested', { bookingStatus: 'requested' }, ['clock', 'info']],
  ['expired', { bookingStatus: 'expired' }, ['clock', 'calm']],
  ['rejected', { bookingStatus: 'rejected' }, ['circle-x', 'calm']],
])('a guest %s has this icon, tinted where somebody is needed', (_state, props, [icon, tone]) => {
  expect(looks(props)).toEqual([icon, tone])
})

test('until when seats are on hold is a time today and a date on other days, as the tour counts them', () => {
  const held = (expiresAt: string) => ({ bookingStatus: 'on_hold', expiresAt }) as const
  expect(shown('Atlantic/Reykjavik', held('2026-11-20T18:30:00Z'))).toBe('Held until 18:30')
  expect(shown('Atlantic/Reykjavik', held('2026-11-21T18:30:00Z'))).toBe('Held until 21 Nov')
  expect(shown('Asia/Kathmandu', held('2026-11-20T18:30:00Z'))).toBe('Held until 21 Nov')
})
