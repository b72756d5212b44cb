import { type CellReader, keep } from './cell-reader.ts'
import { problem } from './import-problems.ts'
import { keptLine } from './kept-cells.ts'

/** `1.234,50`, `1,234.50`, `€89`: the last mark is the decimal one, unless three digits follow it. */
export function amountOf(text: string): string | undefined {
  const digits = text.replaceAll(/[\s\u00a0'’]|[A-Za-z]{1,3}|\p{Sc}/gu, '')
  if (!/^\d[\d.,]*$/.test(digits)) return undefined
  const at = Math.max(digits.lastIndexOf('.'), digits.lastIndexOf(','))
  const mark = digits[at]
  const isDecimal = at >= 0 && (digits.length - at - 1 !== 3 || digits.includes(mark === '.' ? ',' : '.'))
  const isRepeated = isDecimal && mark !== undefined && digits.indexOf(mark) !== at
  if (isRepeated) return undefined
  const plain = digits.slice(0, isDecimal ? at : undefined).replaceAll(/[.,]/g, '')
  const fraction = isDecimal ? digits.slice(at + 1) : ''
  if (!/^\d{1,12}$/.test(plain) || !/^\d{0,4}$/.test(fraction)) return undefined
  return fraction === '' ? plain : `${plain}.${fraction}`
}

/** Reader of a column of amounts, in the currency next to them where one is. */
export const amount =
  (key: 'total' | 'paid' | 'balance'): CellReader =>
  ({ text, header, values }) => {
    const read = amountOf(text)
    if (read === undefined) return problem('amount_unreadable', header, { value: text })
    values[key] = read
    const currency = currencyIn(text)
    if (currency !== undefined) values.currency ??= currency
    return undefined
  }

const signs: Readonly<Record<string, string>> = {
  '€': 'EUR',
  '£': 'GBP',
  $: 'USD',
  us$: 'USD',
  '¥': 'JPY',
  euro: 'EUR',
}
const currencies = new Set(Intl.supportedValuesOf('currency'))

/** The currency next to an amount; a dollar sign is that of many countries. */
const currencyIn = (text: string): string | undefined => {
  const [sign = ''] = /[€£]|\b[A-Z]{3}\b/.exec(text) ?? []
  return signs[sign] ?? (currencies.has(sign) ? sign : undefined)
}

export const currency: CellReader = ({ text, header, values }) => {
  const code = signs[text.toLowerCase()] ?? text.toUpperCase()
  if (!currencies.has(code)) return problem('currency_unknown', header, { value: text })
  values.currency = code
  return undefined
}

/** The product computes no commissions: an amount or a percentage is kept in the note, with its label. */
export const commission: CellReader = ({ text, header, values }) => {
  keep(values, keptLine(header, text))
  return undefined
}
