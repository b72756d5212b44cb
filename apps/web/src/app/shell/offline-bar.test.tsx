import { renderToStaticMarkup } from 'react-dom/server'
import { afterEach, expect, test, vi } from 'vitest'
import { formatTime, formatZone, setFormatRegion, viewerZone } from '../../ui/format.ts'
import { OfflineBar } from './offline-bar.tsx'

const lastEventAt = Date.parse('2026-11-20T12:00:00Z')
vi.mock('../../backend/live.ts', () => ({ useLiveState: () => ({ connection: 'offline', lastEventAt }) }))
afterEach(() => setFormatRegion({ firstWeekday: null, units: 'metric', timeZone: null }))

test('from when the data is names the reader’s zone where the office has another', () => {
  setFormatRegion({ firstWeekday: null, units: 'metric', timeZone: viewerZone() })
  expect(renderToStaticMarkup(<OfflineBar />)).toContain(`data from ${formatTime(lastEventAt)}.`)
  setFormatRegion({ firstWeekday: null, units: 'metric', timeZone: 'Asia/Kathmandu' })
  const named = `data from ${formatTime(lastEventAt)} ${formatZone(viewerZone())}.`
  expect(renderToStaticMarkup(<OfflineBar />)).toContain(named)
})
