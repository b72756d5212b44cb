import type { TextEncodingName } from '@tour-ops/contract/imports/import-reading'

/** Text in the bytes of an encoding: what the platform can only read is written here by turning its decoder round. */
export function encoded(text: string, encoding: TextEncodingName, { mark = false } = {}): Buffer {
  if (encoding === 'utf-8') return Buffer.from((mark ? '\uFEFF' : '') + text)
  if (encoding === 'utf-16le' || encoding === 'utf-16be') {
    const bytes = Buffer.from((mark ? '\uFEFF' : '') + text, 'utf16le')
    return encoding === 'utf-16le' ? bytes : bytes.swap16()
  }
  const table = tableOf(encoding)
  return Buffer.from(
    [...text].flatMap((character) => {
      const code = character.codePointAt(0) ?? 0
      const bytes = code < 0x80 ? [code] : table.get(character)
      if (!bytes) throw new Error(`${encoding} has no ${character}`)
      return bytes
    }),
  )
}

const tables = new Map<string, Map<string, readonly number[]>>()

function tableOf(encoding: TextEncodingName): Map<string, readonly number[]> {
  const known = tables.get(encoding)
  if (known) return known
  const decoder = new TextDecoder(encoding)
  const table = new Map<string, readonly number[]>()
  const add = (...bytes: number[]): void => {
    const text = decoder.decode(Uint8Array.from(bytes))
    if ([...text].length === 1 && text !== '\uFFFD' && !table.has(text)) table.set(text, bytes)
  }
  for (let first = 0x80; first <= 0xff; first += 1) add(first)
  if (['gb18030', 'big5', 'shift_jis'].includes(encoding)) {
    for (let first = 0x81; first <= 0xfe; first += 1) {
      for (let second = 0x40; second <= 0xfe; second += 1) add(first, second)
    }
  }
  tables.set(encoding, table)
  return table
}
