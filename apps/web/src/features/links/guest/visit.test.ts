import { afterEach, expect, test, vi } from 'vitest'
import { markAnswered, visitOf } from './visit.ts'

/** What a tab keeps, or a browser that keeps nothing. */
function storage(isOff: boolean) {
  const kept = new Map<string, string>()
  const refuse = (): never => {
    throw new DOMException('The operation is insecure.', 'SecurityError')
  }
  return {
    getItem: (key: string) => (isOff ? refuse() : (kept.get(key) ?? null)),
    setItem: (key: string, value: string) => (isOff ? refuse() : void kept.set(key, value)),
  }
}

afterEach(() => vi.unstubAllGlobals())

test.each([
  ['in a tab that keeps it', false],
  ['where storage is switched off', true],
])('a visit has one id until it is answered, and none afterwards, %s', (_where, isOff) => {
  vi.stubGlobal('sessionStorage', storage(isOff))
  const token = `${isOff}-token-of-a-link`
  const first = visitOf(token)
  expect(first).toMatch(/^[0-9a-f]{32}$/)
  expect(visitOf(token), 'the first answer got lost').toBe(first)
  expect(visitOf(`${isOff}-token-of-another`)).not.toBe(first)
  markAnswered(token)
  expect(visitOf(token)).toBeUndefined()
})

test('another tab is another visit', () => {
  vi.stubGlobal('sessionStorage', storage(false))
  const first = visitOf('token-of-two-tabs')
  vi.stubGlobal('sessionStorage', storage(false))
  expect(visitOf('token-of-two-tabs')).not.toBe(first)
})
