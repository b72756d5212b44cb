import { createSign, generateKeyPairSync } from 'node:crypto'
import { newId, type ClerkState, type Session } from './state.ts'

const keyId = 'ins_stand_in'

export interface TokenIssuer {
  readonly issuer: string
  /** Public keys, as `/.well-known/jwks.json` has them. */
  readonly jwks: object
  /** Signs any claims with the instance's key (RS256). */
  sign(claims: object): string
  /** A session token of version 2, for the page that asked. */
  sessionToken(session: Session, origin: string): string
}

export interface TokenOptions {
  readonly issuer: string
  readonly state: ClerkState
  /** Role keys with the permission keys they hold. */
  readonly roles: Readonly<Record<string, readonly string[]>>
}

/** Life of a session token. Source: the service's own, 60 s. */
const sessionTokenSeconds = 60

/** A key pair of its own for every stand-in: nothing that another one signed is good here. */
export function tokenIssuer({ issuer, state, roles }: TokenOptions): TokenIssuer {
  const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const sign = (claims: object): string => {
    const head = `${encode({ alg: 'RS256', typ: 'JWT', cat: 'cl_B7d4PD111AAA', kid: keyId })}.${encode(claims)}`
    return `${head}.${createSign('RSA-SHA256').update(head).sign(privateKey, 'base64url')}`
  }
  return {
    issuer,
    jwks: { keys: [{ ...publicKey.export({ format: 'jwk' }), kid: keyId, alg: 'RS256', use: 'sig' }] },
    sign,
    sessionToken(session, origin) {
      const now = Math.floor(Date.now() / 1000)
      return sign({
        azp: origin,
        exp: now + sessionTokenSeconds,
        fva: [0, -1],
        iat: now,
        iss: issuer,
        jti: newId('jti'),
        nbf: now - 10,
        sid: session.id,
        sts: session.status,
        sub: session.userId,
        v: 2,
        ...organizationClaims(session, state, roles),
      })
    },
  }
}

const encode = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url')

/** The organization with role and permissions: a bit map of actions per feature; the service's own permissions are not in it. */
function organizationClaims(session: Session, state: ClerkState, roles: TokenOptions['roles']): object {
  const membership = state.membershipOf(session.userId, session.orgId)
  if (!membership) return {}
  const slug = state.organizations.get(membership.orgId)?.slug
  const own = (roles[membership.role] ?? [])
    .filter((key) => !key.startsWith('org:sys_'))
    .map((key) => key.split(':').slice(1) as [feature: string, action: string])
  const features = [...new Set(own.map(([feature]) => feature))]
  const actions = [...new Set(own.map(([, action]) => action))]
  const bitsOf = (feature: string): number =>
    actions.reduce((bits, action, at) => bits + (own.some(([f, a]) => f === feature && a === action) ? 2 ** at : 0), 0)
  return {
    fea: features.map((feature) => `o:${feature}`).join(','),
    o: {
      id: membership.orgId,
      rol: membership.role.replace(/^org:/, ''),
      slg: slug,
      per: actions.join(','),
      fpm: features.map(bitsOf).join(','),
    },
  }
}
