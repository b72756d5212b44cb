import { keepPreviousData, useQuery } from '@tanstack/react-query'
import type { Callable, In } from '@tour-ops/contract/callable'
import { exportReport, type Report, type ReportName } from '@tour-ops/contract/reports/reports'
import { Download } from 'lucide-react'
import type { ReactNode } from 'react'
import { saveTextFile } from '../../ui/save-file.ts'
import { useToday } from '../../app/shell/today.ts'
import { type SearchOf, type SetUrlState, useUrlState } from '../../addresses/url-state.ts'
import { refusalText } from '../../errors/refusal-text.ts'
import { callQuery, useCall } from '../../backend/queries.ts'
import { useAccess } from '../../identity/access.ts'
import { m } from '../../paraglide/messages.js'
import { comparisonOptions, rollingPeriods } from '../../records/report-words.ts'
import { Button } from '../../ui/button.tsx'
import { ChoiceChip } from '../../ui/chip.tsx'
import { ErrorPanel } from '../../ui/error-panel.tsx'
import { DateInput } from '../../ui/date-field.tsx'
import { Field, Select } from '../../ui/field.tsx'
import { addDays, formatDayTime, formatZone } from '../../ui/format.ts'
import { Page } from '../../ui/page.tsx'
import { SkeletonRows } from '../../ui/skeleton.tsx'
import { NothingToReport } from './nothing-to-report.tsx'
import { periodProblem } from './period-problem.ts'
import { ReportBody } from './report-body.tsx'
import { ShareReport } from './share-report.tsx'

type ReportScreen = `/_dashboard/reports/${'staff-performance' | 'tour-performance' | 'traveler-insights'}`
type Asked = SearchOf<ReportScreen>

/** Shown when nobody asked for other days. */
const usualDays = 28

interface ReportPageProps {
  /** Route of the report. */
  screen: ReportScreen
  title: string
  name: ReportName
  callable: Callable
  /** Before the export, for those who may export. */
  exports?: ReactNode
}

/** The common frame of the reports: period, figures with their definition, a table of rows. See docs/screens.md, "Reports". */
export function ReportPage({ screen, title, name, callable, exports }: ReportPageProps) {
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
        <>
          {can('links:manage') && <ShareReport name={name} period={period} problem={problem} today={today} />}
          {can('reports:export') && (
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
          )}
        </>
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
      {report && !query.error && <ReportBody name={name} report={report} empty={<NothingToReport />} />}
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
        {rollingPeriods.map(({ days, label }) => (
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
          options={comparisonOptions()}
        />
      </Field>
    </div>
  )
}
