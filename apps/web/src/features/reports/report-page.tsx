import { keepPreviousData, useQuery } from '@tanstack/react-query'
import type { Callable, In } from '@tour-ops/contract/callable'
import { exportReport, type Report, type ReportMetric, type ReportName } from '@tour-ops/contract/reports/reports'
import { Download } from 'lucide-react'
import type { ReactNode } from 'react'
import { saveTextFile } from '../../ui/save-file.ts'
import { useToday } from '../../app/shell/today.ts'
import { type SearchOf, type SetUrlState, useUrlState } from '../../addresses/url-state.ts'
import { refusalText } from '../../errors/refusal-text.ts'
import { callQuery, useCall } from '../../backend/queries.ts'
import { useAccess } from '../../identity/access.ts'
import { m } from '../../paraglide/messages.js'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { ChoiceChip } from '../../ui/chip.tsx'
import { ErrorPanel } from '../../ui/error-panel.tsx'
import { DateInput } from '../../ui/date-field.tsx'
import { Field, Select } from '../../ui/field.tsx'
import { addDays, formatDayTime, formatZone } from '../../ui/format.ts'
import { Page } from '../../ui/page.tsx'
import { SkeletonRows } from '../../ui/skeleton.tsx'
import { metricDefinitions, metricLabels } from './metric-labels.ts'
import { periodProblem } from './period-problem.ts'
import { ReportFigures } from './report-figures.tsx'
import { ReportMixes } from './report-mixes.tsx'
import { ReportTable } from './report-table.tsx'
import { ReportTrend } from './report-trend.tsx'

type ReportScreen = `/_dashboard/reports/${'staff-performance' | 'tour-performance' | 'traveler-insights'}`
type Asked = SearchOf<ReportScreen>

/** Periods of one press, in days until today; the second is shown when nobody asked for others. */
const presets: readonly { days: number; label: () => string }[] = [
  { days: 7, label: m.reports_days_7 },
  { days: 28, label: m.reports_weeks_4 },
  { days: 84, label: m.reports_weeks_12 },
  { days: 365, label: m.reports_year },
]
const usualDays = 28

interface ReportPageProps {
  /** Route of the report. */
  screen: ReportScreen
  title: string
  name: ReportName
  callable: Callable
  /** Title of the table, and head of its first column. */
  rowsTitle: string
  rowHead: string
  rowLabel?: (label: string) => string
  /** Drawn over the period, where the report has a course. */
  trendOf?: ReportMetric
  /** Before the export, for those who may export. */
  exports?: ReactNode
}

/** The common frame of the reports: period, figures with their definition, a table of rows. See docs/screens.md, "Reports". */
export function ReportPage({ screen, title, name, callable, exports, ...shown }: ReportPageProps) {
  const [{ from, to, compare = 'previous' }, setAddress] = useUrlState(screen)
  const { can } = useAccess()
  const today = useToday()
  const period = { from: from ?? addDays(today, 1 - usualDays), to: to ?? today, compare }
  const problem = periodProblem(period)
  // While the period is none, the report of the one before stays.
  const query = useQuery({
    ...callQuery(callable, period as In<typeof callable>),
    enabled: problem === undefined,
    placeholderData: keepPreviousData,
  })
  const report = query.data as Report | undefined
  const run = useCall(exportReport, { onSuccess: ({ fileName, csv }) => saveTextFile(fileName, csv) })
  return (
    <Page
      title={title}
      context={
        report &&
        m.reports_as_of({ moment: formatDayTime(report.asOf, report.timeZone), zone: formatZone(report.timeZone) })
      }
      actions={
        can('reports:export') && (
          <>
            {exports}
            <Button
              icon={Download}
              pending={run.isPending}
              disabledReason={problem && m.reports_correct_period()}
              onClick={() => run.mutate({ report: name, ...period })}
            >
              {m.reports_export()}
            </Button>
          </>
        )
      }
    >
      <PeriodBar period={period} problem={problem} today={today} setAddress={setAddress} />
      {query.error && (
        <ErrorPanel
          message={refusalText(query.error)}
          requestId={query.error.details.requestId}
          onRetry={() => void query.refetch()}
        />
      )}
      {!report && !query.error && !problem && <SkeletonRows rows={8} />}
      {report && !query.error && <ReportBody report={report} {...shown} />}
    </Page>
  )
}

interface PeriodBarProps {
  period: { from: string; to: string; compare: NonNullable<Asked['compare']> }
  /** What is wrong with the end, and what to do. */
  problem: string | undefined
  today: string
  setAddress: SetUrlState<Asked>
}

function PeriodBar({ period: { from, to, compare }, problem, today, setAddress }: PeriodBarProps) {
  return (
    <div className="flex flex-wrap items-start gap-3 pb-4">
      <div className="mt-5 flex h-9 items-center gap-1.5 max-sm:w-full" role="group" aria-label={m.reports_period()}>
        {presets.map(({ days, label }) => (
          <ChoiceChip
            key={days}
            pressed={to === today && from === addDays(today, 1 - days)}
            onClick={() => setAddress({ from: addDays(today, 1 - days), to: today })}
          >
            {label()}
          </ChoiceChip>
        ))}
      </div>
      <Field label={m.reports_from()} className="min-w-0 flex-1 sm:w-[160px] sm:flex-none">
        <DateInput value={from} max={to} onChange={(day) => day && setAddress({ from: day })} />
      </Field>
      <Field label={m.reports_to()} error={problem} className="min-w-0 flex-1 sm:w-[160px] sm:flex-none">
        <DateInput value={to} min={from} onChange={(day) => day && setAddress({ to: day })} />
      </Field>
      <Field label={m.reports_compare()} className="w-full sm:w-[200px]">
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
  )
}

type ReportBodyProps = { report: Report } & Omit<ReportPageProps, 'screen' | 'title' | 'name' | 'callable' | 'exports'>

function ReportBody({ report, rowsTitle, rowHead, rowLabel = (label) => label, trendOf }: ReportBodyProps) {
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-4">
      <ReportFigures figures={report.figures} />
      {trendOf && <ReportTrend report={report} metric={trendOf} />}
      <ReportTable report={report} title={rowsTitle} rowHead={rowHead} rowLabel={rowLabel} />
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
