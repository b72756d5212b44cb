import { QueryClient } from '@tanstack/react-query'
import { getSession } from '@tour-ops/contract/identity/session'
import { afterEach, expect, test } from 'vitest'
import { callQuery } from '../backend/queries.ts'
import { formatTime, formatTimeThere, setFormatRegion } from '../ui/format.ts'
import { followOrganizationFormats } from './organization-formats.ts'

afterEach(() => setFormatRegion({ firstWeekday: null, units: 'metric', timeZone: null }))

test('zones are named from the moment on at which the session is known, before anything is drawn', () => {
  const cache = new QueryClient()
  followOrganizationFormats(cache)
  const answer = { settings: { weekStart: 1, units: 'metric', timeZone: 'Atlantic/Reykjavik' } }
  cache.setQueryData(callQuery(getSession, {}).queryKey, answer as never)
  expect(formatTimeThere('2026-11-20T12:00:00Z', 'Asia/Kathmandu')).toBe('17:45 Kathmandu')
})

test('times have the hours that the organization chose', () => {
  const cache = new QueryClient()
  followOrganizationFormats(cache)
  const answer = { settings: { weekStart: 1, units: 'metric', timeZone: 'UTC', timeFormat: '12h' } }
  cache.setQueryData(callQuery(getSession, {}).queryKey, answer as never)
  expect(formatTime('2026-11-20T14:30:00Z', 'UTC')).toMatch(/^2:30\spm$/)
})
