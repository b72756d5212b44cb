import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { formatDay, formatTime, formatZone, setFormatRegion, viewerZone } from '../../ui/format.ts'
import { finishedText } from './import-step.tsx'
import { startedText } from './progress-card.tsx'

const inZone = (timeZone: string) => setFormatRegion({ firstWeekday: null, units: 'metric', timeZone })
const at = '2026-11-20T12:00:00Z'

beforeEach(() => void vi.useFakeTimers({ now: new Date('2026-11-20T12:01:00Z') }))
afterEach(() => {
  vi.useRealTimers()
  setFormatRegion({ firstWeekday: null, units: 'metric', timeZone: null })
})

test('when an import began and ended names the reader’s zone where the office has another', () => {
  inZone(viewerZone())
  expect(startedText(at, null)).toBe(`Started ${formatTime(at)}`)
  expect(finishedText({ appliedAt: at, tookMs: null })).toBe(`Finished ${formatTime(at)}`)
  inZone('Asia/Kathmandu')
  expect(startedText(at, null)).toBe(`Started ${formatTime(at)} ${formatZone(viewerZone())}`)
  expect(finishedText({ appliedAt: at, tookMs: null })).toBe(`Finished ${formatTime(at)} ${formatZone(viewerZone())}`)
})

test('an import that ended on another day says which', () => {
  vi.setSystemTime('2026-11-22T12:00:00Z')
  expect(finishedText({ appliedAt: at, tookMs: null })).toBe(`Finished ${formatDay(at)} ${formatTime(at)}`)
})
