/** 128 bits of chance as 32 hexadecimal digits. Not `crypto.randomUUID`, which exists in secure contexts only. */
export const randomId = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('')

/** A UUID of chance; `crypto.randomUUID` exists in secure contexts only. Source: RFC 9562, version 4. */
export function randomUuid(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16))
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x40
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80
  const hex = Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
  return hex.replaceAll(/(?<=^(?:.{8}|.{12}|.{16}|.{20}))/g, '-')
}
