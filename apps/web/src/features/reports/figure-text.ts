import type { Figure } from '@tour-ops/contract/reports/reports'
import { m } from '../../paraglide/messages.js'
import { formatDuration, formatFixed, formatMoney, formatNumber, formatPercent } from '../../ui/format.ts'

type Written = Pick<Figure, 'unit' | 'value' | 'currency'>

/** A value as its unit is written; a dash where there is nothing to divide by. */
function figureText({ unit, value, currency }: Written): string {
  if (value === null) return '–'
  switch (unit) {
    case 'share':
      return formatPercent(value)
    case 'money':
      return currency ? formatMoney(Math.round(value), currency) : formatNumber(value)
    case 'seconds':
      return formatDuration(value / 60)
    case 'hours':
      return m.reports_hours({ count: formatNumber(Math.round(value)) })
    case 'rating':
      return formatFixed(value, 2)
    case 'points':
      return signed(value)
    case 'per_thousand':
      return m.reports_per_thousand({ rate: formatNumber(Math.round(value * 10) / 10) })
    case 'count':
      return formatNumber(Math.round(value * 10) / 10)
  }
}

/** Points that can be below zero, with their sign. */
const signed = (value: number): string => {
  const points = Math.round(value)
  return points > 0 ? `+${formatNumber(points)}` : formatNumber(points)
}

/** How many people a figure of opinions is made of, and how certain it is; null for others, and where nobody answered. */
export function figureBasis({ unit, bottom, range }: Figure): string | null {
  if ((unit !== 'rating' && unit !== 'points') || !bottom) return null
  const answers = m.reports_answers({ count: bottom })
  if (!range) return answers
  const [low, high] = [formatFixed(range.low, 2), formatFixed(range.high, 2)]
  return `${m.reports_range({ low, high })} · ${answers}`
}

export interface FigureLine {
  key: string
  text: string
  /** The same figure in the period compared with; null without one. */
  before: string | null
}

/**
 * What a figure says, one line for each currency: money is never added up over currencies. The organization's currency comes first, and is
 * left out where money was taken in others alone.
 */
export function figureLines(figure: Figure): FigureLine[] {
  const { unit, others } = figure
  const lineOf = (written: Written, before: number | null): FigureLine => ({
    key: written.currency ?? '',
    text: figureText(written),
    before: before === null ? null : figureText({ ...written, value: before }),
  })
  const own = lineOf(figure, figure.before)
  const rest = others.map(({ currency, value, before }) => lineOf({ unit, currency, value }, before))
  return figure.value || rest.length === 0 ? [own, ...rest] : rest
}
