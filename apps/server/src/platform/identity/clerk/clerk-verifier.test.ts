import { createLocalJWKSet, type JSONWebKeySet } from 'jose'
import { expect, test } from 'vitest'
import { clerkStandIn } from '../../../../../../e2e/stand-ins/clerk/stand-in.ts'
import { Outage } from '../../outages.ts'
import { InvalidIdentityToken } from '../identity-verifier.ts'
import { clerkVerifier } from './clerk-verifier.ts'

const origin = 'https://tours.example'
const service = clerkStandIn({ origin })
const { tokens, state } = service
const keys = createLocalJWKSet(tokens.jwks as JSONWebKeySet)
const verifier = clerkVerifier({ issuer: tokens.issuer, authorizedParties: [origin], keys })

const now = () => Math.floor(Date.now() / 1000)
/** The claims of a good token, to be spoilt one at a time. */
const good = () => ({
  azp: origin,
  iss: tokens.issuer,
  sub: 'user_1',
  sid: 'sess_1',
  sts: 'active',
  exp: now() + 60,
  nbf: now() - 10,
  v: 2,
  o: { id: 'org_1', rol: 'dispatcher', slg: 'alps' },
})
const refused = async (change: object) => {
  const claims: Record<string, unknown> = { ...good(), ...change }
  await expect(verifier.verify(tokens.sign(claims))).rejects.toBeInstanceOf(InvalidIdentityToken)
}

test('a session token says who it is, in which session and organization', async () => {
  const organization = state.addOrganization({ name: 'Alps' })
  const user = state.addUser({})
  state.addMember(user.id, organization.id, 'org:tour_designer')
  const session = {
    id: 'sess_2',
    userId: user.id,
    status: 'active' as const,
    orgId: organization.id,
    createdAt: 0,
    lastActiveAt: 0,
  }
  expect(await verifier.verify(tokens.sessionToken(session, origin))).toEqual({
    userId: user.id,
    sessionId: 'sess_2',
    orgId: organization.id,
    orgRole: 'tour_designer',
    email: null,
    name: null,
  })
})

test('version 1 of the claims, and what an instance adds to its tokens, are understood', async () => {
  const claims = {
    ...good(),
    v: undefined,
    o: undefined,
    org_id: 'org_2',
    org_role: 'org:guide',
    email: 'Ann@x.example',
  }
  expect(await verifier.verify(tokens.sign(claims))).toMatchObject({
    orgId: 'org_2',
    orgRole: 'guide',
    email: 'ann@x.example',
  })
})

test('expired, not yet valid, from another issuer or page, or with a task left: refused', async () => {
  await refused({ exp: now() - 6 })
  await refused({ nbf: now() + 60 })
  await refused({ iss: 'https://clerk.other.example' })
  await refused({ azp: 'https://evil.example' })
  await refused({ azp: undefined })
  await refused({ sts: 'pending' })
  await refused({ sub: undefined })
  await refused({ sid: undefined })
  await refused({ exp: undefined })
  await expect(verifier.verify(tokens.sign(good()))).resolves.toMatchObject({ userId: 'user_1' })
})

test("another instance's signature, no signature and nonsense are refused", async () => {
  const other = clerkStandIn({ origin }).tokens
  await expect(verifier.verify(other.sign(good()))).rejects.toBeInstanceOf(InvalidIdentityToken)
  const [, body] = tokens.sign(good()).split('.')
  const unsigned = `${Buffer.from('{"alg":"none"}').toString('base64url')}.${body}.`
  await expect(verifier.verify(unsigned)).rejects.toBeInstanceOf(InvalidIdentityToken)
  await expect(verifier.verify('nonsense')).rejects.toBeInstanceOf(InvalidIdentityToken)
})

test('keys that cannot be fetched are no verdict about the token', async () => {
  const unreachable = clerkVerifier({
    issuer: tokens.issuer,
    authorizedParties: [origin],
    keys: () => Promise.reject(new TypeError('fetch failed')),
  })
  await expect(unreachable.verify(tokens.sign(good()))).rejects.toBeInstanceOf(Outage)
})
