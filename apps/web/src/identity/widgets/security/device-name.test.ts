import { expect, test } from 'vitest'
import { coarseAddress, deviceName } from './device-name.ts'

const agents: readonly (readonly [string, string])[] = [
  [
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/143.0.0.0 Safari/537.36 Edg/143.0.0.0',
    'Edge on Windows',
  ],
  ['Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0', 'Firefox on Linux'],
  [
    'Mozilla/5.0 (iPhone; CPU iPhone OS 19_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/19.0 Mobile/15E148 Safari/604.1',
    'Safari on iPhone',
  ],
  [
    'Mozilla/5.0 (Linux; Android 16; Pixel 9) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/143.0.0.0 Mobile Safari/537.36',
    'Chrome on Android',
  ],
  [
    'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/143.0.0.0 Safari/537.36',
    'Chrome on macOS',
  ],
  ['curl/8.9', 'Unknown device'],
]

test.each(agents)('%s is called by browser and system', (userAgent, name) => {
  expect(deviceName(userAgent)).toBe(name)
})

test('a session without a user agent is an unknown device', () => {
  expect(deviceName(null)).toBe('Unknown device')
})

test('an address is shown without its last part', () => {
  expect(coarseAddress('203.0.113.77')).toBe('203.0.113.…')
  expect(coarseAddress('2001:db8:1234:5678::1')).toBe('2001:db8:1234:…')
  expect(coarseAddress('::1')).toBe('::1')
})
