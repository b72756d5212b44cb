const digitsOf = new Map<string, number>()

/** Digits after the point of a currency: 2 for EUR, 0 for ISK. Source: ISO 4217 as the runtime knows it. */
export function fractionDigits(currency: string): number {
  const known = digitsOf.get(currency)
  if (known !== undefined) return known
  const { maximumFractionDigits = 2 } = new Intl.NumberFormat('en', { style: 'currency', currency }).resolvedOptions()
  digitsOf.set(currency, maximumFractionDigits)
  return maximumFractionDigits
}
