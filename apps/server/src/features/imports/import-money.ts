import { fractionDigits } from '../../platform/currency-digits.ts'

/** `1234.5` in EUR → 123450. */
export const minorOf = (decimal: string, currency: string): number =>
  Math.round(Number(decimal) * 10 ** fractionDigits(currency))

/** Money as changes show it, until a screen formats it: `4900 EUR`. */
export const shownMoney = (minor: number, currency: string): string => `${minor} ${currency}`
