import { createSign, createVerify, generateKeyPairSync, randomUUID, type KeyObject } from 'node:crypto'
import http, { type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { allowEveryOrigin, textOf } from './firestore.ts'

export type Claims = Readonly<Record<string, unknown>>

export interface TokenStandIn {
  readonly origin: string
  /** What was asked for, as `POST accounts:signInWithCustomToken`, with the refusal where there was one. */
  readonly log: readonly string[]
  /** Key that verifies the backend tokens, PEM. */
  readonly publicKey: string
  /** Claims of a backend token that this stand-in signed and that has not ended; undefined for any other. */
  verify(idToken: string): Claims | undefined
  /** A custom token as the service account of the installation mints it. */
  mint(userId: string, claims: Claims, overrides?: Partial<CustomToken>): string
  close(): Promise<void>
  /** Backend tokens of the next sign-ins were issued this long ago. */
  issueAged(seconds: number): void
}

interface CustomToken {
  iss: string
  sub: string
  aud: string
  iat: number
  exp: number
  uid: string
  claims: Claims
}

export interface TokenOptions {
  readonly projectId: string
  readonly serviceAccount: string
  /** Key of the service account; a new pair when left out. */
  readonly keys?: { readonly privateKey: KeyObject; readonly publicKey: KeyObject }
  readonly port?: number
}

/** @see https://firebase.google.com/docs/auth/admin/create-custom-tokens, "third-party JWT library" */
const customAudience = 'https://identitytoolkit.googleapis.com/google.identity.identitytoolkit.v1.IdentityToolkit'
const longestLifeSeconds = 3_600

class Refused extends Error {
  override readonly name = 'Refused'
}

/**
 * The token endpoints of the hosted backend. Stricter than the vendor's own emulator, which takes unsigned and expired
 * custom tokens: here RS256, audience, issuer, subject, expiry and a life of at most an hour are checked. Test equipment.
 */
export async function startTokens(options: TokenOptions): Promise<TokenStandIn> {
  const account = options.keys ?? generateKeyPairSync('rsa', { modulusLength: 2048 })
  const own = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const sessions = new Map<string, { userId: string; claims: Claims }>()
  const log: string[] = []
  let ageSeconds = 0

  const idTokenOf = (userId: string, claims: Claims): string => {
    const now = nowSeconds() - ageSeconds
    return sign(own.privateKey, {
      ...claims,
      iss: `https://securetoken.google.com/${options.projectId}`,
      aud: options.projectId,
      auth_time: now,
      user_id: userId,
      sub: userId,
      iat: now,
      exp: now + longestLifeSeconds,
      firebase: { identities: {}, sign_in_provider: 'custom' },
    })
  }
  const answers: Record<string, (body: Record<string, string>) => object> = {
    // where servers look up the keys of backend tokens
    'GET jwk/securetoken@system.gserviceaccount.com': () => ({
      keys: [{ ...own.publicKey.export({ format: 'jwk' }), alg: 'RS256', use: 'sig' }],
    }),
    'POST accounts:signInWithCustomToken': ({ token = '' }) => {
      const { uid, claims } = checkCustomToken(token, account.publicKey, options.serviceAccount)
      const refreshToken = randomUUID()
      sessions.set(refreshToken, { userId: uid, claims })
      return { idToken: idTokenOf(uid, claims), refreshToken, expiresIn: String(longestLifeSeconds), isNewUser: false }
    },
    'POST accounts:lookup': ({ idToken = '' }) => {
      const claims = verified(idToken, own.publicKey)
      if (!claims) throw new Refused('INVALID_ID_TOKEN')
      return { users: [{ localId: claims['sub'], createdAt: '0', lastLoginAt: '0', customAuth: true }] }
    },
    'POST token': ({ refresh_token: refreshToken = '' }) => {
      const session = sessions.get(refreshToken)
      if (!session) throw new Refused('INVALID_REFRESH_TOKEN')
      const idToken = idTokenOf(session.userId, session.claims)
      return {
        access_token: idToken,
        id_token: idToken,
        refresh_token: refreshToken,
        expires_in: String(longestLifeSeconds),
        token_type: 'Bearer',
        user_id: session.userId,
        project_id: options.projectId,
      }
    },
  }

  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    allowEveryOrigin(request, response)
    if (request.method === 'OPTIONS') return void response.writeHead(204).end()
    const name = `${request.method} ${new URL(request.url ?? '/', 'http://x').pathname.split('/v1/')[1]}`
    response.setHeader('content-type', 'application/json')
    try {
      const run = answers[name]
      if (!run) throw new Refused('NOT_FOUND')
      const result = run(bodyOf(request, await textOf(request)))
      log.push(name)
      response.end(JSON.stringify(result))
    } catch (error) {
      if (!(error instanceof Refused)) throw error
      log.push(`${name} ${error.message}`)
      response.writeHead(400)
      response.end(JSON.stringify({ error: { code: 400, message: error.message, errors: [] } }))
    }
  }

  const server = http.createServer((request, response) => void answer(request, response))
  await new Promise<void>((resolve) => server.listen(options.port ?? 0, '127.0.0.1', resolve))
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    log,
    publicKey: own.publicKey.export({ type: 'spki', format: 'pem' }),
    verify: (idToken) => verified(idToken, own.publicKey),
    mint: (uid, claims, overrides) => {
      const iat = nowSeconds()
      const { serviceAccount: iss } = options
      const token = { iss, sub: iss, aud: customAudience, iat, exp: iat + longestLifeSeconds, uid, claims }
      return sign(account.privateKey, { ...token, ...overrides })
    },
    issueAged: (seconds) => {
      ageSeconds = seconds
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

const nowSeconds = (): number => Math.floor(Date.now() / 1000)
const encode = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url')

function sign(key: KeyObject, payload: object): string {
  const head = `${encode({ alg: 'RS256', typ: 'JWT' })}.${encode(payload)}`
  return `${head}.${createSign('RSA-SHA256').update(head).sign(key).toString('base64url')}`
}

/** The claims of a token with a good RS256 signature that has not ended. */
function verified(token: string, key: KeyObject): Claims | undefined {
  const [head = '', payload = '', signature = ''] = token.split('.')
  try {
    const { alg } = decode(head)
    const verifier = createVerify('RSA-SHA256').update(`${head}.${payload}`)
    if (alg !== 'RS256' || !verifier.verify(key, Buffer.from(signature, 'base64url'))) return undefined
    const claims = decode(payload)
    return Number(claims['exp']) > nowSeconds() ? claims : undefined
  } catch {
    return undefined
  }
}

const decode = (part: string): Claims => JSON.parse(Buffer.from(part, 'base64url').toString('utf8')) as Claims

function checkCustomToken(token: string, key: KeyObject, serviceAccount: string): CustomToken {
  const claims = verified(token, key)
  if (!claims) throw new Refused('INVALID_CUSTOM_TOKEN : not signed by the service account, or over')
  const { iss, sub, aud, iat, exp, uid, claims: developer } = claims as Claims & CustomToken
  if (aud !== customAudience || iss !== serviceAccount || sub !== serviceAccount)
    throw new Refused('CREDENTIAL_MISMATCH')
  if (exp - iat > longestLifeSeconds) throw new Refused('INVALID_CUSTOM_TOKEN : longer than an hour')
  if (typeof uid !== 'string' || uid === '' || uid.length > 128) throw new Refused('INVALID_CUSTOM_TOKEN : uid')
  return { iss, sub, aud, iat, exp, uid, claims: developer }
}

function bodyOf({ headers }: IncomingMessage, text: string): Record<string, string> {
  return headers['content-type']?.includes('urlencoded')
    ? Object.fromEntries(new URLSearchParams(text))
    : (JSON.parse(text || '{}') as Record<string, string>)
}
