/**
 * Flat addresses, `?q=0123&status=delayed,on_time`: every value is text and stays text, lists are joined by commas. The router's own way
 * writes JSON and turns `q=0123` into a number.
 */
export const parseSearch = (text: string): Record<string, string> => Object.fromEntries(new URLSearchParams(text))

/** Empty values and empty lists are left out. */
export function stringifySearch(values: Record<string, unknown>): string {
  const parameters = new URLSearchParams()
  for (const [name, value] of Object.entries(values)) {
    const text = Array.isArray(value) ? value.join(',') : value
    if (text === undefined || text === null || text === '') continue
    if (typeof text === 'string' || typeof text === 'number' || typeof text === 'boolean')
      parameters.set(name, String(text))
  }
  const written = parameters.toString().replaceAll('%2C', ',')
  return written ? `?${written}` : ''
}
