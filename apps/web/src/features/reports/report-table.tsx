import type { Figure, Report } from '@tour-ops/contract/reports/reports'
import type { ReactNode } from 'react'
import { Card } from '../../ui/card.tsx'
import { formatNumber } from '../../ui/format.ts'
import { figureBasis, figureLines } from './figure-text.ts'
import { metricLabels } from './metric-labels.ts'

interface ReportTableProps {
  report: Report
  title: string
  /** Head of the first column. */
  rowHead: string
  rowLabel: (label: string) => string
  /** Where there are none. */
  empty: ReactNode
}

/** The rows of a report; the first column stays in place while the rest is moved. */
export function ReportTable({ report, title, rowHead, rowLabel, empty }: ReportTableProps) {
  const pinned = 'sticky start-0 z-[1] bg-surface px-4 text-start'
  return (
    <Card
      title={
        <>
          {title} <span className="num ms-1 font-normal text-ink-2">{formatNumber(report.rows.length)}</span>
        </>
      }
    >
      {report.rows.length === 0 ? (
        empty
      ) : (
        <div className="overflow-x-auto border-t border-line" tabIndex={0} role="region" aria-label={title}>
          <table className="w-full">
            <thead className="text-xs text-ink-2">
              <tr>
                <th scope="col" className={`${pinned} py-2 font-medium`}>
                  {rowHead}
                </th>
                {report.columns.map((column) => (
                  <th key={column} scope="col" className="px-3 py-2 text-end font-medium last:pe-4">
                    {metricLabels[column]()}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {report.rows.map((row) => (
                <tr key={row.id} className="h-9 border-t border-line">
                  <th scope="row" className={`${pinned} max-w-44 min-w-32 py-1.5 font-medium text-ink-strong`}>
                    <bdi>{rowLabel(row.label)}</bdi>{' '}
                    {row.detail !== null && <span className="font-normal text-ink-2">{row.detail}</span>}
                  </th>
                  {row.figures.map((figure) => (
                    <FigureCell key={figure.metric} figure={figure} />
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
    </Card>
  )
}

function FigureCell({ figure }: { figure: Figure }) {
  const basis = figureBasis(figure)
  return (
    <td className="num px-3 py-1.5 text-end whitespace-nowrap last:pe-4">
      {figureLines(figure).map(({ key, text }) => (
        <span key={key} className="block">
          {text}
        </span>
      ))}
      {basis !== null && <span className="block text-xs text-ink-2">{basis}</span>}
    </td>
  )
}
