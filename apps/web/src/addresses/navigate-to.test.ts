import { beforeEach, describe, expect, test, vi } from 'vitest'
import { connectNavigation, internalPath, navigateTo } from './navigate-to.ts'

const origin = 'https://operator.test'
const internal = vi.fn<(path: string, options: { replace: boolean }) => void>()
const external = vi.fn<(url: string) => void>()

beforeEach(() => {
  vi.clearAllMocks()
  connectNavigation({ origin, internal, external })
})

test('a path of the application is a client navigation', () => {
  navigateTo('/tours/all?status=published#top')
  expect(internal).toHaveBeenCalledWith('/tours/all?status=published#top', { replace: false })
})

test('our own origin written out is a path', () => {
  navigateTo('https://operator.test/dashboard/map', { replace: true })
  expect(internal).toHaveBeenCalledWith('/dashboard/map', { replace: true })
})

const elsewhere = [
  'https://evil.test/',
  '//evil.test/x',
  String.raw`\\evil.test`,
  String.raw`/\evil.test`,
  'http:evil.test',
  'http://operator.test/',
  'https://operator.test:8443/',
  'https://operator.test@evil.test/',
  'mailto:iris@example.com',
]

describe('another origin is refused unless it is allowed', () => {
  for (const url of elsewhere) {
    test(url, () => {
      expect(() => navigateTo(url)).toThrow('Navigating to an external URL is not allowed by default')
      expect(internal).not.toHaveBeenCalled()
      expect(external).not.toHaveBeenCalled()
      navigateTo(url, { external: true })
      expect(external).toHaveBeenCalledOnce()
    })
  }
})

test('an address that runs code is refused, allowed or not', () => {
  for (const url of [
    'javascript:alert(1)',
    'data:text/html,x',
    'vbscript:x',
    'blob:https://operator.test/x',
    'http://',
  ]) {
    expect(() => navigateTo(url, { external: true })).toThrow()
  }
  expect(external).not.toHaveBeenCalled()
})

test('a return path leads back into the application or nowhere', () => {
  expect(internalPath('/travelers/list?q=a', origin)).toBe('/travelers/list?q=a')
  expect(internalPath('travelers', origin)).toBe('/travelers')
  expect(internalPath('/.//evil.test', origin)).toBe('/evil.test')
  for (const url of [...elsewhere, 'javascript:alert(1)', '', null, undefined])
    expect(internalPath(url, origin)).toBeUndefined()
})
