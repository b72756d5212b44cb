import { secp256k1 } from '@noble/curves/secp256k1.js'
import { keccak_256 } from '@noble/hashes/sha3.js'

/** Whether `personal_sign` of a wallet made this signature. Source: EIP-191, version 0x45. */
export function isSignedByWallet(message: string, signature: string, wallet: string): boolean {
  const bytes = Buffer.from(signature.slice(2), 'hex')
  if (bytes.length !== 65) return false
  const text = Buffer.from(message)
  const digest = keccak_256(Buffer.concat([Buffer.from(`\x19Ethereum Signed Message:\n${text.length}`), text]))
  const recovered = Buffer.concat([Buffer.from([(bytes[64] ?? 27) - 27]), bytes.subarray(0, 64)])
  const key = secp256k1.recoverPublicKey(recovered, digest, { prehash: false })
  const point = secp256k1.Point.fromBytes(key).toBytes(false)
  return (
    `0x${Buffer.from(keccak_256(point.slice(1)))
      .subarray(12)
      .toString('hex')}` === wallet.toLowerCase()
  )
}
