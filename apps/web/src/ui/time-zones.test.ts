import { isTimeZone } from '@tour-ops/contract/fields'
import { expect, test } from 'vitest'
import { timeZones } from './time-zones.ts'

test('zones have the names that people look for, and UTC is one', () => {
  const zones = timeZones()
  expect(zones).toEqual(
    expect.arrayContaining([
      'UTC',
      'Asia/Kathmandu',
      'Asia/Kolkata',
      'Europe/Kyiv',
      'Atlantic/Reykjavik',
      'America/Nuuk',
    ]),
  )
  expect(zones).not.toContain('Asia/Katmandu')
  expect(zones.filter((zone) => !isTimeZone(zone))).toEqual([])
  expect(new Set(zones).size).toBe(zones.length)
})
