import { createECDH, hkdfSync } from 'node:crypto'

/** The pair by which push services know this installation, base64url. Source: RFC 8292. */
export interface VapidKeys {
  readonly publicKey: string
  readonly privateKey: string
}

const curve = 'prime256v1'

/**
 * The pair of an installation, made from the secret that all of its processes share: nothing is stored, and what a backup restores still
 * reaches the browsers. With another secret browsers subscribe anew.
 */
export function vapidKeysOf(secret: string, attempt = 0): VapidKeys {
  const key = Buffer.from(hkdfSync('sha256', secret, '', `web push ${attempt}`, 32))
  const pair = createECDH(curve)
  try {
    pair.setPrivateKey(key)
  } catch {
    // one of 2³² numbers is none of the curve
    return vapidKeysOf(secret, attempt + 1)
  }
  return { publicKey: pair.getPublicKey('base64url'), privateKey: pair.getPrivateKey('base64url').padStart(43, 'A') }
}
