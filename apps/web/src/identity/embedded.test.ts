import { expect, test, vi } from 'vitest'
import { makeHttpClient } from '../backend/http-client.ts'
import { makeEmbeddedIdentity } from './embedded.ts'
import type { IdentityChannel } from './identity-channel.ts'
import { loadingState, signedOutState } from './port.ts'

type Fetch = typeof globalThis.fetch

const session = {
  session: {
    id: 'session-1',
    createdAt: '2026-11-20T08:00:00.000Z',
    expiresAt: '2026-11-27T08:00:00.000Z',
    activeOrganizationId: 'org-1' as string | null,
    impersonatedBy: null as string | null,
  },
  user: {
    id: 'user-1',
    name: 'Íris Jónsdóttir',
    firstName: 'Íris',
    lastName: 'Jónsdóttir',
    email: 'iris@example.com',
    emailVerified: true,
    image: null,
    createdAt: '2026-01-02T00:00:00.000Z',
    lastSignInAt: '2026-11-20T08:00:01.000Z',
  },
}
const organization = {
  id: 'org-1',
  name: 'Aurora & Atlas',
  slug: 'aurora-atlas',
  logo: null,
  createdAt: '2026-01-01T00:00:00.000Z',
  updatedAt: '2026-02-01T00:00:00.000Z',
  role: 'dispatcher' as string | null,
  memberCount: 31,
}

/** Our own identity endpoints, with answers that a test may change. */
function server() {
  const answers: Record<string, () => Response> = {
    '/api/auth/get-session': () => Response.json(session),
    '/api/auth/organization/get-full-organization': () => Response.json(organization),
    '/api/auth/token': () => Response.json({ token: 'jwt-1' }),
    '/api/auth/sign-out': () => Response.json({ success: true }),
    '/api/auth/organization/set-active': () => Response.json(organization),
  }
  const fetch = vi.fn<Fetch>(async (input) => {
    const answer = answers[new URL(input as string).pathname]
    return answer ? answer() : new Response('', { status: 404 })
  })
  const announce = vi.fn<() => void>()
  let otherTab: () => void = () => undefined
  const channel: IdentityChannel = { announce, listen: (run) => (otherTab = run) }
  const identity = makeEmbeddedIdentity(makeHttpClient('https://operator.test/api/auth', fetch), channel)
  const asked = (path: string) => fetch.mock.calls.filter(([url]) => new URL(url as string).pathname === path).length
  return { identity, answers, announce, asked, otherTab: () => otherTab() }
}

test('the state is loading, then holds the fields of the spec', async () => {
  const { identity } = server()
  expect(identity.state()).toBe(loadingState)
  await identity.refresh()
  expect(identity.state()).toMatchObject({
    isLoaded: true,
    isSignedIn: true,
    sessionId: 'session-1',
    userId: 'user-1',
    actor: null,
    orgId: 'org-1',
    orgRole: 'dispatcher',
    orgSlug: 'aurora-atlas',
    user: { primaryEmailAddress: 'iris@example.com', lastSignInAt: new Date('2026-11-20T08:00:01.000Z') },
    organization: { membersCount: 31, updatedAt: new Date('2026-02-01T00:00:00.000Z') },
    client: { activeSessionId: 'session-1' },
  })
  expect(identity.state().orgPermissions).toContain('departures:dispatch')
})

test('nobody is signed in when the server says so', async () => {
  const { identity, answers } = server()
  answers['/api/auth/get-session'] = () => Response.json(null)
  await identity.refresh()
  expect(identity.state()).toEqual(signedOutState)
})

test('while the service does not answer the state stays, and the next look finds it', async () => {
  const { identity, answers } = server()
  const good = answers['/api/auth/get-session']!
  answers['/api/auth/get-session'] = () => new Response('', { status: 502 })
  await identity.refresh()
  expect(identity.state()).toBe(loadingState)
  answers['/api/auth/get-session'] = good
  await identity.refresh()
  expect(identity.state().isSignedIn).toBe(true)
})

test('a suspended or removed member is signed in without an organization', async () => {
  const { identity, answers } = server()
  answers['/api/auth/organization/get-full-organization'] = () => Response.json({ ...organization, role: null })
  await identity.refresh()
  expect(identity.state()).toMatchObject({ isSignedIn: true, orgId: null, organization: null, orgPermissions: null })
  for (const status of [400, 403]) {
    const { identity: removed, answers: since } = server()
    since['/api/auth/organization/get-full-organization'] = () => new Response('{}', { status })
    await removed.refresh()
    expect(removed.state(), String(status)).toMatchObject({ isSignedIn: true, orgId: null })
  }
})

test('a membership that cannot be read is no answer: the state stays', async () => {
  const { identity, answers } = server()
  answers['/api/auth/organization/get-full-organization'] = () => new Response('{}', { status: 502 })
  await identity.refresh()
  expect(identity.state()).toBe(loadingState)
})

test('a session that the service refuses has ended', async () => {
  const { identity, answers } = server()
  await identity.refresh()
  expect(identity.state().isSignedIn).toBe(true)
  answers['/api/auth/get-session'] = () => new Response('{}', { status: 401 })
  await identity.refresh()
  expect(identity.state()).toEqual(signedOutState)
})

test('a name stored in one piece is split at its first space; one word is no last name', async () => {
  const { identity, answers } = server()
  const namesOf = async (name: string) => {
    const user = { ...session.user, name, firstName: null, lastName: null }
    answers['/api/auth/get-session'] = () => Response.json({ ...session, user })
    await identity.refresh()
    const { firstName, lastName, fullName } = identity.state().user ?? {}
    return [firstName, lastName, fullName]
  }
  expect(await namesOf(' Ana Maria Ruiz ')).toEqual(['Ana', 'Maria Ruiz', 'Ana Maria Ruiz'])
  expect(await namesOf('Cher')).toEqual(['Cher', null, 'Cher'])
  expect(await namesOf('')).toEqual([null, null, null])
})

test('somebody acting for another is named', async () => {
  const { identity, answers } = server()
  const acting = { ...session, session: { ...session.session, impersonatedBy: 'support-1' } }
  answers['/api/auth/get-session'] = () => Response.json(acting)
  await identity.refresh()
  expect(identity.state().actor).toEqual({ sub: 'support-1' })
})

test('the token travels together with the membership and is used once', async () => {
  const { identity, asked } = server()
  await identity.refresh()
  expect(asked('/api/auth/token')).toBe(1)
  expect(await identity.sessionToken()).toBe('jwt-1')
  expect(asked('/api/auth/token')).toBe(1)
  expect(await identity.templateToken('integration_firebase')).toBe('jwt-1')
  expect(asked('/api/auth/token')).toBe(2)
})

test("without a token the error is 'No token available from Clerk', without an answer 'Failed to get Firebase token from Clerk'", async () => {
  const { identity, answers } = server()
  answers['/api/auth/token'] = () => Response.json({})
  await identity.refresh()
  await expect(identity.sessionToken()).rejects.toThrow('No token available from Clerk')
  answers['/api/auth/token'] = () => new Response('', { status: 500 })
  await expect(identity.sessionToken()).rejects.toThrow('Failed to get Firebase token from Clerk')
})

test('signing out is announced to the other tabs and to the screen', async () => {
  const { identity, answers, announce } = server()
  await identity.refresh()
  const onChange = vi.fn<() => void>()
  identity.subscribe(onChange)
  answers['/api/auth/get-session'] = () => Response.json(null)
  await identity.signOut()
  expect(announce).toHaveBeenCalledOnce()
  expect(onChange).toHaveBeenCalledOnce()
  expect(identity.state().isSignedIn).toBe(false)
})

test('a session that ended in another tab ends here', async () => {
  const { identity, answers, otherTab } = server()
  await identity.refresh()
  answers['/api/auth/get-session'] = () => Response.json(null)
  otherTab()
  await expect.poll(() => identity.state()).toEqual(signedOutState)
})

test('checks that find the same change nothing and notify nobody', async () => {
  const { identity } = server()
  await identity.refresh()
  const before = identity.state()
  const onChange = vi.fn<() => void>()
  identity.subscribe(onChange)
  await Promise.all([identity.refresh(), identity.refresh()])
  expect(onChange).not.toHaveBeenCalled()
  expect(identity.state()).toBe(before)
})
