import { expect, test } from 'vitest'
import { readPublishableKey } from './publishable-key.ts'

/** `clerk.tours.example$` in base64. */
const encodedHost = 'Y2xlcmsudG91cnMuZXhhbXBsZSQ'

test('the prefix decides production or development, the rest names the Frontend API', () => {
  expect(readPublishableKey(`pk_live_${encodedHost}`)).toEqual({
    instance: 'production',
    frontendApi: 'clerk.tours.example',
  })
  expect(readPublishableKey(`pk_test_${encodedHost}`).instance).toBe('development')
})

test('any other prefix is refused, and so is a key that was cut off', () => {
  expect(() => readPublishableKey(`sk_live_${encodedHost}`)).toThrow('begins with "pk_live_"')
  expect(() => readPublishableKey('pk_live_')).toThrow('not complete')
  expect(() => readPublishableKey(`pk_live_${encodedHost.slice(0, 20)}`)).toThrow('not complete')
  expect(() => readPublishableKey('pk_test_%%%')).toThrow('not complete')
  // a host with something before or behind it, `/clerk.tours.example$` and `clerk.tours.example$x`
  expect(() => readPublishableKey('pk_test_L2NsZXJrLnRvdXJzLmV4YW1wbGUk')).toThrow('not complete')
  expect(() => readPublishableKey('pk_test_Y2xlcmsudG91cnMuZXhhbXBsZSR4')).toThrow('not complete')
})
