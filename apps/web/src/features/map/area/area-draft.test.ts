import type { Area } from '@tour-ops/contract/map/areas'
import { afterEach, expect, test } from 'vitest'
import { setFormatRegion } from '../../../ui/format.ts'
import { draftArea, draftOf } from './area-draft.ts'

afterEach(() => setFormatRegion({ firstWeekday: null, units: 'metric', timeZone: null }))

const circle: Area = { kind: 'circle', center: [-21.94, 64.15], radiusM: 500 }

test('a radius is typed in meters, or in feet where the organization counts in miles, and is the same area in both', () => {
  expect(draftOf(circle).radius).toBe('500')
  expect(draftArea(draftOf(circle))).toEqual(circle)
  setFormatRegion({ firstWeekday: null, units: 'imperial', timeZone: null })
  const feet = { ...draftOf(circle), radius: '900' }
  expect(draftArea(feet)).toEqual({ ...circle, radiusM: 274.32 })
  expect(draftOf(draftArea(feet)).radius).toBe('900')
})

test.each([
  { radius: '0' },
  { radius: '200001' },
  { radius: '' },
  { lat: '91' },
  { lng: '181' },
  { lng: 'east' },
  { lat: '' },
])('what is no area yet is none: %j', (change) => expect(draftArea({ ...draftOf(circle), ...change })).toBeUndefined())
