/** An amount in minor units as it is entered: null where nothing is, text where it is no amount. */
export type MinorEntry = number | string | null

/** `89,50` and `89.50` → 8950; null when empty; what is no amount stays text, so that the schema refuses it. */
export function minorOf(typed: string, digits: number): MinorEntry {
  const trimmed = typed.replaceAll(/\s/g, '').replace(',', '.')
  if (trimmed === '') return null
  // "12,345" is twelve thousand to one reader and twelve to another: more digits than the currency has are refused.
  const [, whole, fraction = ''] = /^(\d+)(?:\.(\d+))?$/.exec(trimmed) ?? []
  if (whole === undefined || fraction.length > digits) return typed
  return Number(whole + fraction.padEnd(digits, '0'))
}
