import { createHash, createSign, generateKeyPairSync, randomBytes } from 'node:crypto'
import { createOTP } from '@better-auth/utils/otp'

// For tests: an authenticator app and a passkey that are nothing but arithmetic.

const base32 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'

function secretOf(totpUri: string): string {
  const bits = [...(new URL(totpUri).searchParams.get('secret') ?? '')]
    .map((letter) => base32.indexOf(letter).toString(2).padStart(5, '0'))
    .join('')
  return Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2))).toString()
}

/**
 * The code that an authenticator app shows now, or (`ahead` 1) next, which the server accepts as well. Codes of the past are left out: they
 * would run out while a slow test uses them.
 */
export const codeOf = (totpUri: string, ahead: 0 | 1 = 0): Promise<string> =>
  createOTP(secretOf(totpUri)).hotp(Math.floor(Date.now() / 30_000) + ahead)

interface RegistrationOptions {
  readonly challenge: string
  readonly rp: { readonly id: string }
}

interface AuthenticationOptions {
  readonly challenge: string
  readonly rpId: string
}

export interface TestPasskey {
  /** What a browser sends after making the passkey. */
  register(options: unknown, given?: Ceremony): object
  /** What a browser sends to sign in. */
  sign(options: unknown, given?: Ceremony): object
}

interface Ceremony {
  readonly origin?: string
  /** Whether the device was unlocked by its owner. */
  readonly isUnlocked?: boolean
}

const sha256 = (data: string | Buffer): Buffer => createHash('sha256').update(data).digest()
/** User present; with the second bit, user verified. Source: Web Authentication, "Authenticator data". */
const flagsOf = (isUnlocked: boolean, hasKey: boolean): number => 0x01 | (isUnlocked ? 0x04 : 0) | (hasKey ? 0x40 : 0)

/** A passkey with a key of its own, for pages of `origin`. */
export function testPasskey(origin: string): TestPasskey {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const { x = '', y = '' } = publicKey.export({ format: 'jwk' })
  const id = randomBytes(16)
  const clientData = (type: string, challenge: string, page: string): Buffer =>
    Buffer.from(JSON.stringify({ type, challenge, origin: page, crossOrigin: false }))
  const head = (rpId: string, flags: number): Buffer => Buffer.concat([sha256(rpId), Buffer.from([flags, 0, 0, 0, 0])])
  /** CBOR of the key in COSE form: EC2, ES256, P-256, x, y. Source: RFC 9053. */
  const coseKey = Buffer.concat([
    Buffer.from('a5010203262001215820', 'hex'),
    Buffer.from(x, 'base64url'),
    Buffer.from('225820', 'hex'),
    Buffer.from(y, 'base64url'),
  ])
  const answer = (response: object) => ({
    id: id.toString('base64url'),
    rawId: id.toString('base64url'),
    type: 'public-key',
    clientExtensionResults: {},
    response,
  })
  return {
    register(options, { origin: page = origin, isUnlocked = true } = {}) {
      const { challenge, rp } = options as RegistrationOptions
      const authData = Buffer.concat([
        head(rp.id, flagsOf(isUnlocked, true)),
        Buffer.alloc(16),
        Buffer.from([0, id.length]),
        id,
        coseKey,
      ])
      // CBOR of { fmt: 'none', attStmt: {}, authData }
      const attestation = Buffer.concat([
        Buffer.from('a363666d74646e6f6e656761747453746d74a068617574684461746158', 'hex'),
        Buffer.from([authData.length]),
        authData,
      ])
      return answer({
        clientDataJSON: clientData('webauthn.create', challenge, page).toString('base64url'),
        attestationObject: attestation.toString('base64url'),
        transports: ['internal'],
      })
    },
    sign(options, { origin: page = origin, isUnlocked = true } = {}) {
      const { challenge, rpId } = options as AuthenticationOptions
      const data = clientData('webauthn.get', challenge, page)
      const authData = head(rpId, flagsOf(isUnlocked, false))
      const signature = createSign('sha256')
        .update(Buffer.concat([authData, sha256(data)]))
        .sign(privateKey)
      return answer({
        clientDataJSON: data.toString('base64url'),
        authenticatorData: authData.toString('base64url'),
        signature: signature.toString('base64url'),
      })
    },
  }
}
