/** What is stored on the phone: unreadable without the key, which never leaves the browser. */
export interface Sealed {
  readonly iv: Uint8Array<ArrayBuffer>
  readonly data: ArrayBuffer
}

const algorithm = 'AES-GCM'

/** A key that no script can read out; the browser keeps it as an object. */
export const newKey = (): Promise<CryptoKey> =>
  crypto.subtle.generateKey({ name: algorithm, length: 256 }, false, ['encrypt', 'decrypt'])

export async function seal(key: CryptoKey, value: unknown): Promise<Sealed> {
  const iv = crypto.getRandomValues(new Uint8Array(12))
  const data = await crypto.subtle.encrypt(
    { name: algorithm, iv },
    key,
    new TextEncoder().encode(JSON.stringify(value)),
  )
  return { iv, data }
}

/** @throws DOMException where the key is another one. */
export async function open<T>(key: CryptoKey, { iv, data }: Sealed): Promise<T> {
  const text = await crypto.subtle.decrypt({ name: algorithm, iv }, key, data)
  return JSON.parse(new TextDecoder().decode(text)) as T
}
