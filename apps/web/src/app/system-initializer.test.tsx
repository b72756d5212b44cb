import { renderToStaticMarkup } from 'react-dom/server'
import { beforeEach, expect, test, vi } from 'vitest'
import { SignedInWrapper } from './system-initializer.tsx'

const store = vi.hoisted(() => ({ isInitialized: true, isAuthenticated: true }))
// On a server the store's own hook gives its first state and no other.
vi.mock('../identity/auth-store.ts', () => ({ useAuthStore: () => store }))
beforeEach(() => Object.assign(store, { isInitialized: true, isAuthenticated: true }))

const shown = (isPublic: boolean): string =>
  renderToStaticMarkup(<SignedInWrapper isPublic={isPublic}>the page</SignedInWrapper>)

test('the signed-in wrapper shows the page to people who are signed in', () => {
  expect(shown(false)).toBe('the page')
})

test('a person without a session sees the bar instead, before the sign-in page is loaded', () => {
  store.isAuthenticated = false
  expect(shown(false)).not.toContain('the page')
  expect(shown(false)).toContain('role="progressbar"')
})

test('a public page is open to everybody, and while it is not known who is signed in the initializer inside decides', () => {
  store.isAuthenticated = false
  expect(shown(true)).toBe('the page')
  store.isInitialized = false
  expect(shown(false)).toBe('the page')
})
