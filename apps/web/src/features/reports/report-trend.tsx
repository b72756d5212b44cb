import type { Report, ReportMetric } from '@tour-ops/contract/reports/reports'
import { m } from '../../paraglide/messages.js'
import { classNames } from '../../ui/class-names.ts'
import { Card } from '../../ui/card.tsx'
import { formatLocalDay, formatNumber } from '../../ui/format.ts'
import { metricLabels } from './metric-labels.ts'

interface Bucket {
  from: string
  value: number
  before: number | null
}

/** Days are named under the bars at most this often, and half as often on a phone, so that the words do not touch. */
const mostLabels = 8

const bucketsOf = ({ trend }: Report, metric: ReportMetric): Bucket[] =>
  trend.map(({ from, figures }) => {
    const figure = figures.find((each) => each.metric === metric)
    return { from, value: figure?.value ?? 0, before: figure?.before ?? null }
  })

/** How one figure went over the period: orange bars, grey ones next to them for the period compared with, and the same as a table for screen readers. */
export function ReportTrend({ report, metric }: { report: Report; metric: ReportMetric }) {
  const buckets = bucketsOf(report, metric)
  const top = Math.max(...buckets.flatMap(({ value, before }) => [value, before ?? 0]))
  if (top === 0) return null
  const everyNth = Math.ceil(buckets.length / mostLabels)
  const share = (value: number): string => `${(value / top) * 100}%`
  return (
    <Card
      title={metricLabels[metric]()}
      actions={
        <span className="flex items-center gap-4 text-xs text-ink-2">
          <Legend className="bg-brand">{m.reports_trend_now()}</Legend>
          {report.comparedWith && <Legend className="bg-ctl">{m.reports_trend_before()}</Legend>}
        </span>
      }
      padded
    >
      <div aria-hidden className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-2 text-xs text-ink-2">
        <div className="num flex h-36 flex-col justify-between text-end leading-none">
          <span>{formatNumber(top)}</span>
          <span>0</span>
        </div>
        <div className="flex h-36 items-end gap-px border-y border-line sm:gap-1">
          {buckets.map(({ from, value, before }) => (
            <span key={from} className="flex h-full min-w-0 flex-1 items-end justify-center gap-px">
              {before !== null && (
                <span className="w-1/3 max-w-3 rounded-t-sm bg-ctl" style={{ height: share(before) }} />
              )}
              <span className="w-1/2 max-w-5 rounded-t-sm bg-brand" style={{ height: share(value) }} />
            </span>
          ))}
        </div>
        <span />
        <div className="flex gap-px pt-1 sm:gap-1">
          {buckets.map(({ from }, at) => (
            <span key={from} className="flex min-w-0 flex-1 justify-center">
              <span className="num w-0 whitespace-nowrap">
                {at % everyNth === 0 && (
                  <span
                    className={classNames('absolute -translate-x-1/2', at % (2 * everyNth) !== 0 && 'max-sm:hidden')}
                  >
                    {formatLocalDay(from)}
                  </span>
                )}
              </span>
            </span>
          ))}
        </div>
        <span className="h-4" />
      </div>
      <TrendTable buckets={buckets} metric={metric} />
    </Card>
  )
}

const Legend = ({ className, children }: { className: string; children: string }) => (
  <span className="inline-flex items-center gap-1.5">
    <span className={`size-2.5 rounded-sm ${className}`} aria-hidden />
    {children}
  </span>
)

const TrendTable = ({ buckets, metric }: { buckets: readonly Bucket[]; metric: ReportMetric }) => (
  <table className="sr-only">
    <caption>{metricLabels[metric]()}</caption>
    <thead>
      <tr>
        <th scope="col">{m.reports_from()}</th>
        <th scope="col">{m.reports_trend_now()}</th>
        <th scope="col">{m.reports_trend_before()}</th>
      </tr>
    </thead>
    <tbody>
      {buckets.map(({ from, value, before }) => (
        <tr key={from}>
          <th scope="row">{formatLocalDay(from)}</th>
          <td>{formatNumber(value)}</td>
          <td>{before === null ? '–' : formatNumber(before)}</td>
        </tr>
      ))}
    </tbody>
  </table>
)
