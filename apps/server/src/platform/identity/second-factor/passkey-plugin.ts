import { isIP } from 'node:net'
import { passkey } from '@better-auth/passkey'
import { APIError } from 'better-auth/api'

/** The name for which passkeys are made, and the pages that may ask for them. */
export interface RelyingParty {
  readonly id: string
  readonly origins: readonly string[]
}

/**
 * Passkeys belong to a domain name, never to an address of numbers; on this computer that name is `localhost`, whatever the public address
 * says. Null where there is no name: passkeys are not possible then.
 *
 * @param trustedOrigins Every origin from which a browser may sign in.
 * @see https://www.w3.org/TR/webauthn-3/#relying-party-identifier
 */
export function relyingPartyOf(publicUrl: string, trustedOrigins: readonly string[]): RelyingParty | null {
  const { hostname } = new URL(publicUrl)
  const plain = hostname.replace(/^\[|\]$/g, '')
  const isThisComputer = plain === '::1' || /^127(\.\d{1,3}){3}$/.test(plain)
  if (isIP(plain) !== 0 && !isThisComputer) return null
  const id = isThisComputer ? 'localhost' : hostname
  const isPageOf = (origin: string): boolean => {
    const host = new URL(origin).hostname
    return host === id || host.endsWith(`.${id}`)
  }
  return { id, origins: trustedOrigins.filter(isPageOf) }
}

/**
 * The library's passkey plugin. A passkey signs in by itself, as two factors: the device, and the finger, face or PIN that unlocks it. One
 * that was not unlocked so is refused.
 */
export function passkeyPlugin(relyingParty: RelyingParty | null) {
  return passkey({
    rpName: 'Tour operations',
    // an id that no browser accepts keeps the plugin's paths shut where there is no name
    rpID: relyingParty?.id ?? 'invalid',
    origin: [...(relyingParty?.origins ?? ['https://invalid'])],
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
    registration: {
      afterVerification: ({ verification }) => {
        if (!verification.registrationInfo?.userVerified) throw notUnlocked()
      },
    },
    authentication: {
      afterVerification: ({ verification }) => {
        if (!verification.authenticationInfo.userVerified) throw notUnlocked()
      },
    },
  })
}

const notUnlocked = (): APIError =>
  new APIError('FORBIDDEN', {
    code: 'USER_VERIFICATION_REQUIRED',
    message: 'The passkey was not unlocked with a fingerprint, face or PIN. Use a device that asks for one.',
  })
