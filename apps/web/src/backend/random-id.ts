/** 128 bits of chance as 32 hexadecimal digits. Not `crypto.randomUUID`, which exists in secure contexts only. */
export const randomId = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('')
