import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto'

const algorithm = 'aes-256-gcm'
const nonceBytes = 12
const tagBytes = 16

/** Encrypts short secrets (document numbers) for a column; whoever reads the database alone cannot read them. */
export class SealedText {
  readonly #key: Buffer

  /** @param secret The installation's secret; a purpose-bound key is derived from it (HKDF, RFC 5869). */
  constructor(secret: string) {
    this.#key = Buffer.from(hkdfSync('sha256', secret, '', 'sealed-text', 32))
  }

  /** Nonce, tag and ciphertext in one value. */
  seal(text: string): Buffer {
    const nonce = randomBytes(nonceBytes)
    const cipher = createCipheriv(algorithm, this.#key, nonce)
    const body = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
    return Buffer.concat([nonce, cipher.getAuthTag(), body])
  }

  /** @throws Error when the value was changed or sealed with another secret. */
  open(sealed: Buffer): string {
    const decipher = createDecipheriv(algorithm, this.#key, sealed.subarray(0, nonceBytes))
    decipher.setAuthTag(sealed.subarray(nonceBytes, nonceBytes + tagBytes))
    return decipher.update(sealed.subarray(nonceBytes + tagBytes), undefined, 'utf8') + decipher.final('utf8')
  }
}
