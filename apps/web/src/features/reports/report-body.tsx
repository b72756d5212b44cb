import type { Report, ReportMetric, ReportName } from '@tour-ops/contract/reports/reports'
import type { ReactNode } from 'react'
import { m } from '../../paraglide/messages.js'
import { Card } from '../../ui/card.tsx'
import { metricDefinitions, metricLabels } from './metric-labels.ts'
import { ReportFigures } from './report-figures.tsx'
import { reportLooks } from './report-looks.ts'
import { ReportMixes } from './report-mixes.tsx'
import { ReportTable } from './report-table.tsx'
import { ReportTrend } from './report-trend.tsx'

interface ReportBodyProps {
  name: ReportName
  report: Report
  /** Where its table has no rows. */
  empty: ReactNode
}

/** Figures with what they mean, the course, the rows and the parts of a whole. */
export function ReportBody({ name, report, empty }: ReportBodyProps) {
  const { rowsTitle, rowHead, rowLabel = (label) => label, trendOf } = reportLooks[name]
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-4">
      <ReportFigures figures={report.figures} />
      {trendOf && <ReportTrend report={report} metric={trendOf} />}
      <ReportTable report={report} title={rowsTitle()} rowHead={rowHead()} rowLabel={rowLabel} empty={empty} />
      <ReportMixes mixes={report.mixes} />
      <Card title={m.reports_definitions()} padded>
        <dl className="grid gap-x-6 gap-y-2 lg:grid-cols-2">
          {definitionsOf(report).map((metric) => (
            <div key={metric}>
              <dt className="font-medium text-ink-strong">{metricLabels[metric]()}</dt>
              <dd className="text-ink-2">{metricDefinitions[metric]()}</dd>
            </div>
          ))}
        </dl>
      </Card>
    </div>
  )
}

const definitionsOf = (report: Report): ReportMetric[] => [
  ...new Set([...report.figures.map((figure) => figure.metric), ...report.columns]),
]
