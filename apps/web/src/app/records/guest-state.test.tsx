import { renderToStaticMarkup } from 'react-dom/server'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { setFormatRegion } from '../../ui/format.ts'
import { GuestState, type GuestStateProps } from './guest-state.tsx'

// On a server the hook that follows the office's zone gives its first state and no other.
vi.mock('react', async (original) => ({
  ...(await original<typeof import('react')>()),
  useSyncExternalStore: <Value,>(_: unknown, read: () => Value) => read(),
}))

beforeEach(() => {
  vi.useFakeTimers({ now: new Date('2026-11-20T12:00:00Z') })
  setFormatRegion({ firstWeekday: 1, units: 'metric', timeZone: 'Atlantic/Reykjavik' })
})
afterEach(() => {
  vi.useRealTimers()
  setFormatRegion({ firstWeekday: null, units: 'metric', timeZone: null })
})

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

test('when somebody came aboard is in the zone of the tour, which is named where the office has another', () => {
  expect(shown('Atlantic/Reykjavik', aboard)).toBe('Aboard 11:40 ')
  expect(shown('Asia/Kathmandu', aboard)).toBe('Aboard 17:25 GMT+5:45')
})

test('until when seats are on hold says the day where it is not today, and the zone where the office has another', () => {
  const held = (expiresAt: string) => ({ bookingStatus: 'on_hold', expiresAt }) as const
  expect(shown('Atlantic/Reykjavik', held('2026-11-20T18:00:00Z'))).toBe('On hold to 18:00')
  expect(shown('Atlantic/Reykjavik', held('2026-11-21T18:00:00Z'))).toBe('On hold to Sat 21 Nov 18:00')
  expect(shown('Asia/Kathmandu', held('2026-11-20T18:00:00Z'))).toBe('On hold to 23:45 Kathmandu')
})
