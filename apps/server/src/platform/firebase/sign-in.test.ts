import { generateKeyPairSync } from 'node:crypto'
import { cert, deleteApp, initializeApp, type App } from 'firebase-admin/app'
import { getAuth } from 'firebase-admin/auth'
import { importSPKI, type JWTVerifyGetKey } from 'jose'
import { pino } from 'pino'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTokens, type TokenStandIn } from '../../../../../e2e/stand-ins/tokens.ts'
import { InvalidIdentityToken, type VerifiedIdentity } from '../identity/identity-verifier.ts'
import { backendTokenVerifier } from './backend-token-verifier.ts'
import { exchangeToken, type ExchangeParts } from './exchange.ts'

const projectId = 'demo-tour'
const clientEmail = `functions@${projectId}.iam.gserviceaccount.com`
const ada: VerifiedIdentity = {
  userId: 'user_ada',
  email: 'ada@example.com',
  name: 'Ada',
  sessionId: 'sess_1',
  orgId: 'org_north',
  orgRole: 'dispatcher',
}

let tokens: TokenStandIn
let app: App
let keys: JWTVerifyGetKey
beforeAll(async () => {
  const account = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const privateKey = account.privateKey.export({ type: 'pkcs8', format: 'pem' })
  app = initializeApp({ credential: cert({ projectId, clientEmail, privateKey }), projectId }, 'sign-in test')
  tokens = await startTokens({ projectId, serviceAccount: clientEmail, keys: account })
  const publicKey = await importSPKI(tokens.publicKey, 'RS256')
  keys = async () => publicKey
})
afterAll(async () => {
  await tokens?.close()
  if (app) await deleteApp(app)
})

const parts = (admit: ExchangeParts['admit'], publish = async (): Promise<void> => undefined): ExchangeParts => ({
  admit,
  publish,
  mint: (userId, claims) => getAuth(app).createCustomToken(userId, claims),
  log: pino({ level: 'silent' }),
})

/** The backend's sign-in as the SDK does it. */
async function signInWith(body: object): Promise<{ status: number; idToken: string }> {
  const response = await fetch(`${tokens.origin}/identitytoolkit.googleapis.com/v1/accounts:signInWithCustomToken`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ ...body, returnSecureToken: true }),
  })
  return { status: response.status, ...((await response.json()) as { idToken: string }) }
}

const projectOf = (id: string) => ({ project: { projectId: id, apiKey: 'demo', storageBucket: 'files' }, local: null })

test('a session token becomes a backend token that says who it is, and nothing about permissions', async () => {
  const seen: string[] = []
  const admit = async (token: string) => {
    seen.push(token)
    return ada
  }
  const { status, body } = await exchangeToken(parts(admit), 'Bearer session.token.here')
  expect(status).toBe(200)
  expect(seen).toEqual(['session.token.here'])
  const { idToken } = await signInWith(body)
  expect(await backendTokenVerifier(projectOf(projectId), keys)(idToken)).toEqual({
    userId: 'user_ada',
    email: 'ada@example.com',
    name: 'Ada',
    sessionId: 'sess_1',
    orgId: 'org_north',
  })
  expect(tokens.verify(idToken)).toMatchObject({ org_role: 'dispatcher' })
})

test('what admitting a person wrote is published before they are answered', async () => {
  const steps: string[] = []
  const admit = async () => {
    steps.push('admitted')
    return ada
  }
  const mint = async () => {
    steps.push('answered')
    return 'token'
  }
  const publish = async () => void steps.push('published')
  await exchangeToken({ ...parts(admit, publish), mint }, 'Bearer t')
  expect(steps).toEqual(['admitted', 'published', 'answered'])
})

test('a person without an organization has no claim of one', async () => {
  const admit = async () => ({ ...ada, orgId: null, orgRole: null })
  const { body } = await exchangeToken(parts(admit), 'Bearer t')
  const claims = tokens.verify((await signInWith(body)).idToken)
  expect(Object.keys(claims ?? {})).not.toContain('org_id')
})

test('no token, and a token of nobody, are unauthenticated', async () => {
  const never = async () => {
    throw new InvalidIdentityToken('not signed by the instance')
  }
  for (const header of [undefined, 'Basic abc', 'Bearer forged']) {
    const { status, body } = await exchangeToken(parts(never), header)
    expect([status, body]).toEqual([401, { error: expect.objectContaining({ status: 'UNAUTHENTICATED' }) as object }])
  }
})

test('an identity service that does not answer is a fault, and its words stay in the log', async () => {
  const broken = async () => {
    throw new Error('connect ECONNREFUSED 10.0.0.7')
  }
  const { status, body } = await exchangeToken(parts(broken), 'Bearer t')
  expect(status).toBe(500)
  expect(JSON.stringify(body)).not.toContain('10.0.0.7')
})

test('backend tokens of another project, of another signer and broken ones are refused', async () => {
  const { idToken } = await signInWith({ token: tokens.mint('user_ada', {}) })
  const verify = backendTokenVerifier(projectOf(projectId), keys)
  expect(await verify(idToken)).toMatchObject({ userId: 'user_ada', orgId: null })
  const refused = { code: 'unauthenticated' }
  await expect(backendTokenVerifier(projectOf('another-project'), keys)(idToken)).rejects.toMatchObject(refused)
  const foreign = generateKeyPairSync('rsa', { modulusLength: 2048 }).publicKey
  await expect(backendTokenVerifier(projectOf(projectId), async () => foreign)(idToken)).rejects.toMatchObject(refused)
  await expect(verify(`${idToken.slice(0, -4)}AAAA`)).rejects.toMatchObject(refused)
  await expect(verify('nothing')).rejects.toMatchObject(refused)
})
