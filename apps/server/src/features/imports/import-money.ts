const digitsOf = new Map<string, number>()

/** Digits after the point: two for most, none for ISK and JPY. */
function fractionDigits(currency: string): number {
  const known = digitsOf.get(currency)
  if (known !== undefined) return known
  const { maximumFractionDigits = 2 } = new Intl.NumberFormat('en', { style: 'currency', currency }).resolvedOptions()
  digitsOf.set(currency, maximumFractionDigits)
  return maximumFractionDigits
}

/** `1234.5` in EUR → 123450. */
export const minorOf = (decimal: string, currency: string): number =>
  Math.round(Number(decimal) * 10 ** fractionDigits(currency))

/** Money as changes show it, until a screen formats it: `4900 EUR`. */
export const shownMoney = (minor: number, currency: string): string => `${minor} ${currency}`
