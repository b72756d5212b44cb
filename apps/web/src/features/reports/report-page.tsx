import { keepPreviousData, useQuery } from '@tanstack/react-query'
import type { Callable, In } from '@tour-ops/contract/callable'
import { exportReport, type Figure, type Report, type ReportMetric, type ReportName } from '@tour-ops/contract/reports'
import { Download } from 'lucide-react'
import * as z from 'zod/mini'
import { saveTextFile } from '../../app/save-file.ts'
import { useNow } from '../../app/shell/clock.ts'
import { useUrlState } from '../../app/url-state.ts'
import { callQuery, useCall } from '../../backend/queries.ts'
import { useAccess } from '../../identity/access.ts'
import { m } from '../../paraglide/messages.js'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { Empty } from '../../ui/empty.tsx'
import { ErrorPanel } from '../../ui/error-panel.tsx'
import { DateInput, Field, Select } from '../../ui/field.tsx'
import {
  addDays,
  formatDayTime,
  formatMoney,
  formatNumber,
  formatPercent,
  localDateOf,
  viewerZone,
} from '../../ui/format.ts'
import { Page } from '../../ui/page.tsx'
import { SkeletonRows } from '../../ui/skeleton.tsx'
import { metricDefinitions, metricWords } from './metric-words.ts'

const Address = z.object({
  from: z.catch(z.optional(z.iso.date()), undefined),
  to: z.catch(z.optional(z.iso.date()), undefined),
  compare: z.catch(z._default(z.enum(['none', 'previous', 'last_year']), 'previous'), 'previous'),
})

/** Days shown when nobody asked for others. */
const usualDays = 28

interface ReportPageProps {
  title: string
  name: ReportName
  callable: Callable
  /** Head of the first column. */
  rowHead: string
  rowLabel?: (label: string) => string
}

/** The common frame of the reports: period, figures with their definition, a table of rows. Product description, section 5.5. */
export function ReportPage({ title, name, callable, rowHead, rowLabel = (label) => label }: ReportPageProps) {
  const [{ from, to, compare }, setAddress] = useUrlState(Address)
  const { can } = useAccess()
  const today = localDateOf(useNow(60_000), viewerZone())
  const period = { from: from ?? addDays(today, -usualDays), to: to ?? today, compare }
  const query = useQuery({ ...callQuery(callable, period as In<typeof callable>), placeholderData: keepPreviousData })
  const report = query.data as Report | undefined
  const run = useCall(exportReport, { onSuccess: ({ fileName, csv }) => saveTextFile(fileName, csv) })
  return (
    <Page
      title={title}
      context={
        report && m.reports_as_of({ moment: formatDayTime(report.asOf, report.timeZone), zone: report.timeZone })
      }
      actions={
        can('reports:export') && (
          <Button icon={Download} pending={run.isPending} onClick={() => run.mutate({ report: name, ...period })}>
            {m.reports_export()}
          </Button>
        )
      }
    >
      <div className="flex flex-wrap items-end gap-3 pb-4">
        <Field label={m.reports_from()} className="w-[160px]">
          <DateInput
            value={period.from}
            max={period.to}
            onChange={(event) => setAddress({ from: event.target.value })}
          />
        </Field>
        <Field label={m.reports_to()} className="w-[160px]">
          <DateInput value={period.to} min={period.from} onChange={(event) => setAddress({ to: event.target.value })} />
        </Field>
        <Field label={m.reports_compare()} className="w-[200px]">
          <Select
            value={compare}
            onChange={(event) => setAddress({ compare: event.target.value as typeof compare })}
            options={[
              { value: 'none', label: m.reports_compare_none() },
              { value: 'previous', label: m.reports_compare_previous() },
              { value: 'last_year', label: m.reports_compare_last_year() },
            ]}
          />
        </Field>
      </div>
      {query.error && !report && (
        <ErrorPanel
          message={query.error.message}
          requestId={query.error.details.requestId}
          onRetry={() => void query.refetch()}
        />
      )}
      {!report && !query.error && <SkeletonRows rows={8} />}
      {report && <ReportBody report={report} rowHead={rowHead} rowLabel={rowLabel} />}
    </Page>
  )
}

function ReportBody({
  report,
  rowHead,
  rowLabel,
}: {
  report: Report
  rowHead: string
  rowLabel: (label: string) => string
}) {
  return (
    <div className="grid gap-4">
      <dl className="card grid grid-cols-2 gap-px overflow-hidden bg-line md:grid-cols-4">
        {report.figures.map((figure) => (
          <div key={figure.metric} className="bg-surface px-4 py-3">
            <dt className="text-ink-2">{metricWords[figure.metric]()}</dt>
            <dd className="num text-2xl font-semibold text-ink-strong">{figureText(figure)}</dd>
            <dd className="num text-xs text-ink-2">
              {figure.before === null
                ? ''
                : m.reports_before({ value: figureText({ ...figure, value: figure.before }) })}
            </dd>
          </div>
        ))}
      </dl>
      <Card title={rowHead}>
        {report.rows.length === 0 ? (
          <Empty title={m.reports_empty()}>{m.reports_empty_text()}</Empty>
        ) : (
          <div className="overflow-x-auto" tabIndex={0} role="region" aria-label={rowHead}>
            <table className="w-full">
              <thead className="text-xs text-ink-2">
                <tr>
                  <th scope="col" className="px-4 py-2 text-start font-medium">
                    {rowHead}
                  </th>
                  {report.columns.map((column) => (
                    <th key={column} scope="col" className="px-4 py-2 text-end font-medium">
                      {metricWords[column]()}
                    </th>
                  ))}
                </tr>
              </thead>
              <tbody className="divide-y divide-line">
                {report.rows.map((row) => (
                  <tr key={row.id}>
                    <th scope="row" className="px-4 py-2 text-start font-medium text-ink-strong">
                      {rowLabel(row.label)} <span className="font-normal text-ink-2">{row.detail}</span>
                    </th>
                    {row.figures.map((figure) => (
                      <td key={figure.metric} className="num px-4 py-2 text-end">
                        {figureText(figure)}
                      </td>
                    ))}
                  </tr>
                ))}
              </tbody>
            </table>
          </div>
        )}
      </Card>
      <Card title={m.reports_definitions()} padded>
        <dl className="grid gap-x-6 gap-y-2 lg:grid-cols-2">
          {definitionsOf(report).map((metric) => (
            <div key={metric}>
              <dt className="font-medium text-ink-strong">{metricWords[metric]()}</dt>
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

/** A value as its unit is written; a dash where there is nothing to divide by. */
function figureText({ unit, value, currency }: Figure): string {
  if (value === null) return '–'
  switch (unit) {
    case 'share':
      return formatPercent(value)
    case 'money':
      return currency ? formatMoney(value, currency) : formatNumber(value)
    case 'seconds':
      return m.reports_minutes({ count: formatNumber(Math.round(value / 60)) })
    case 'hours':
      return m.reports_hours({ count: formatNumber(Math.round(value)) })
    case 'count':
      return formatNumber(Math.round(value * 10) / 10)
  }
}
