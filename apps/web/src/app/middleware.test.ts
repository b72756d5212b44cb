import { describe, expect, test } from 'vitest'
import { initialRecords, type OrganizationRecord } from '../identity/auth-store.ts'
import { runGuards, type RouterContext } from './guards.ts'
import { runMiddleware, type GuardContext } from './middleware.ts'
import type { RouteData } from './route-data.ts'

const organization: OrganizationRecord = {
  id: 'org-1',
  name: 'Aurora & Atlas',
  slug: null,
  role: 'viewer',
  imageUrl: null,
  createdAt: null,
  updatedAt: null,
  memberCount: 31,
}

const redirects: RouterContext['redirects'] = {
  afterSignIn: '/',
  afterSignUp: '/organizations',
  afterSignOut: '/sign-in',
  afterCreateOrganization: '/',
  afterSelectOrganization: '/',
  afterLeaveOrganization: '/organizations',
  afterJoinWaitlist: '/waitlist',
}

const context = (changes: Partial<GuardContext> = {}): GuardContext => ({
  auth: { isAuthenticated: true, organization },
  href: '/travelers/list?q=a',
  permission: undefined,
  redirects,
  origin: 'https://operator.test',
  ...changes,
})
const nobody = { isAuthenticated: false, organization: null }

describe('named middleware', () => {
  test('an unregistered name is an internal error', () => {
    for (const name of ['admin-only', 'toString', '__proto__']) {
      expect(() => runMiddleware([name], context())).toThrow('Unknown route middleware')
    }
  })

  test('signed out leads to sign-in and back afterwards', () => {
    expect(runMiddleware(['signed-in'], context({ auth: nobody }))).toEqual({
      kind: 'redirect',
      path: '/sign-in?redirect_url=%2Ftravelers%2Flist%3Fq%3Da',
    })
    expect(runMiddleware(['signed-in'], context({ auth: nobody, href: '/' }))).toEqual({
      kind: 'redirect',
      path: '/sign-in',
    })
    expect(runMiddleware(['signed-in'], context())).toEqual({ kind: 'pass' })
  })

  test('an organization that asks for a second factor leads to its set-up, and back afterwards', () => {
    const auth = { isAuthenticated: true, organization: null, needsSecondFactor: true }
    expect(runMiddleware(['signed-in', 'organization', 'permission'], context({ auth }))).toEqual({
      kind: 'redirect',
      path: '/account/second-factor?redirect_url=%2Ftravelers%2Flist%3Fq%3Da',
    })
    expect(runMiddleware(['signed-in'], context({ auth }))).toEqual({ kind: 'pass' })
  })

  test('without an organization the choice of one comes first', () => {
    const auth = { isAuthenticated: true, organization: null }
    expect(runMiddleware(['signed-in', 'organization'], context({ auth }))).toEqual({
      kind: 'redirect',
      path: '/organizations',
    })
  })

  test('a signed-in person does not see sign-in but goes where they were going', () => {
    const path = (href: string) => runMiddleware(['signed-out'], context({ href }))
    expect(path('/sign-in?redirect_url=%2Ftours%2Fall')).toEqual({ kind: 'redirect', path: '/tours/all' })
    expect(path('/sign-in')).toEqual({ kind: 'redirect', path: '/' })
    expect(path('/sign-up')).toEqual({ kind: 'redirect', path: '/organizations' })
    expect(path('/sign-in?redirect_url=https%3A%2F%2Fevil.test')).toEqual({ kind: 'redirect', path: '/' })
    expect(runMiddleware(['signed-out'], context({ auth: nobody }))).toEqual({ kind: 'pass' })
  })

  test('a permission that the role lacks is named', () => {
    expect(runMiddleware(['permission'], context({ permission: 'staff:manage' }))).toEqual({
      kind: 'refused',
      permission: 'staff:manage',
    })
    expect(runMiddleware(['permission'], context({ permission: 'staff:read' }))).toEqual({ kind: 'pass' })
  })
})

describe('guards of a route', () => {
  const location = { pathname: '/tours/edit/x', href: '/tours/edit/x' }
  const routerContext = (isInitialized: boolean): RouterContext => ({
    auth: () => ({ ...initialRecords, isInitialized }),
    redirects,
    origin: 'https://operator.test',
  })
  const match = (staticData: RouteData) => ({ params: { id: 'x' }, staticData })

  test("a failing validity check is 'Page Not Found: {path}' with status 404, before anything is known of the person", () => {
    const guard = () => runGuards([match({ validate: () => false })], location, routerContext(false))
    expect(guard).toThrow('Page Not Found: /tours/edit/x')
    expect(guard).toThrow(expect.objectContaining({ status: 404 }))
  })

  test('the middleware waits for the end of the start-up', () => {
    const matches = [match({ middleware: ['signed-in'] })]
    expect(runGuards(matches, location, routerContext(false))).toBeUndefined()
    expect(runGuards(matches, location, routerContext(true))).toBe('/sign-in?redirect_url=%2Ftours%2Fedit%2Fx')
  })
})
