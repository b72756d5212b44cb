import { randomBytes } from 'node:crypto'
import { secp256k1 } from '@noble/curves/secp256k1.js'
import { keccak_256 } from '@noble/hashes/sha3.js'

/** A nonce for one sign-in message: 24 letters and digits. Source: EIP-4361, "nonce" (at least 8, alphanumeric). */
export const newNonce = (): string => randomBytes(12).toString('hex')

/**
 * Whether `signature` over `message` was made by the key behind `address`.
 *
 * @param signature 65 bytes r, s, v as 0x-prefixed hex, as `personal_sign` answers.
 * @see EIP-191 version 0x45 for the envelope; EIP-4361 for the message.
 */
export function isSignedBy(message: string, signature: string, address: string): boolean {
  try {
    return recoverAddress(message, signature) === address.toLowerCase()
  } catch {
    // not hex, wrong length, no point of the curve: all of these count as "not signed by this address"
    return false
  }
}

function recoverAddress(message: string, signature: string): string {
  const bytes = Buffer.from(signature.replace(/^0x/, ''), 'hex')
  const recovery = recoveryBit(bytes[64])
  if (bytes.length !== 65 || recovery === undefined) throw new Error('A signature has 65 bytes and ends with v.')
  const recovered = secp256k1.Signature.fromBytes(Uint8Array.from([recovery, ...bytes.subarray(0, 64)]), 'recovered')
  const point = recovered.recoverPublicKey(personalMessageHash(message))
  return addressOf(point.toBytes(false))
}

/** v is 27 or 28; some wallets send 0 or 1. */
const recoveryBit = (v: number | undefined): number | undefined =>
  v === 27 || v === 28 ? v - 27 : v === 0 || v === 1 ? v : undefined

/**
 * The origin of the page that a sign-in message names; null where it names none, or more than one. A wallet shows the domain and the URI,
 * and both must be ours.
 *
 * @see EIP-4361, "uri".
 */
export function pageOfMessage(message: string): string | null {
  const [uri, ...more] = message.split(/\r?\n/).flatMap((line) => /^URI: (.*)$/.exec(line)?.[1] ?? [])
  if (uri === undefined || more.length > 0 || !URL.canParse(uri)) return null
  const { origin, username, password } = new URL(uri)
  return username === '' && password === '' ? origin : null
}

/** What a wallet signs for `personal_sign`. Source: EIP-191. */
export function personalMessageHash(message: string): Uint8Array {
  const text = Buffer.from(message)
  return keccak_256(Buffer.concat([Buffer.from(`\x19Ethereum Signed Message:\n${text.length}`), text]))
}

/** The address of an uncompressed public key (65 bytes), in lower case. */
export const addressOf = (publicKey: Uint8Array): string =>
  `0x${Buffer.from(keccak_256(publicKey.slice(1)))
    .subarray(12)
    .toString('hex')}`
