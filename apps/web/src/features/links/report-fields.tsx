import { type ReportOfLink, sharedReportNames } from '@tour-ops/contract/links/report-of-link'
import { comparisons, periodRule } from '@tour-ops/contract/reports/report-period'
import { m } from '../../paraglide/messages.js'
import { comparisonOptions, reportTitles, rollingPeriods } from '../../records/report-words.ts'
import { DateInput } from '../../ui/date-field.tsx'
import { Field, Select } from '../../ui/field.tsx'

/** A report while it is being chosen. */
export interface ReportDraft extends Pick<ReportOfLink, 'name' | 'compare'> {
  /** Null where the days are chosen. */
  days: (typeof rollingPeriods)[number]['days'] | null
  from: string
  to: string
}

const usual: ReportDraft = { name: 'tour-performance', compare: 'previous', days: 28, from: '', to: '' }

/** What the screen of a report was showing, or a usual one. */
export function draftOf(report: ReportOfLink | undefined): ReportDraft {
  if (!report) return usual
  const { name, compare, period } = report
  const days = period.kind === 'days' ? { days: period.days } : { days: null, from: period.from, to: period.to }
  return { ...usual, name, compare, ...days }
}

/** Null while its days are not chosen, or are none of a period. */
export function reportOf({ name, compare, days, from, to }: ReportDraft): ReportOfLink | null {
  if (days !== null) return { name, compare, period: { kind: 'days', days } }
  if (from === '' || to === '' || periodRule({ from, to }) !== null) return null
  return { name, compare, period: { kind: 'dates', from, to } }
}

interface ReportFieldsProps {
  value: ReportDraft
  onChange: (value: ReportDraft) => void
}

/** Which report, of which days, compared with what. */
export function ReportFields({ value, onChange }: ReportFieldsProps) {
  const { name, days, from, to, compare } = value
  const change = (part: Partial<ReportDraft>) => onChange({ ...value, ...part })
  return (
    <div className="grid gap-4 sm:grid-cols-2">
      <Field label={m.links_kind_report()} hint={m.links_report_hint()} className="sm:col-span-2">
        <Select
          value={name}
          options={sharedReportNames.map((each) => ({ value: each, label: reportTitles[each]() }))}
          onChange={({ target }) => change({ name: sharedReportNames.find((each) => each === target.value) ?? name })}
        />
      </Field>
      <Field label={m.reports_period()} hint={days === null ? m.links_report_dates_hint() : m.links_report_days_hint()}>
        <Select
          value={String(days ?? '')}
          placeholder={m.links_report_dates()}
          options={rollingPeriods.map((period) => ({ value: String(period.days), label: period.label() }))}
          onChange={({ target }) =>
            change({ days: rollingPeriods.find((period) => String(period.days) === target.value)?.days ?? null })
          }
        />
      </Field>
      <Field label={m.reports_compare()}>
        <Select
          value={compare}
          options={comparisonOptions()}
          onChange={({ target }) => change({ compare: comparisons.find((each) => each === target.value) ?? compare })}
        />
      </Field>
      {days === null && (
        <>
          <Field label={m.reports_from()} required>
            <DateInput value={from} max={to || undefined} onChange={(day) => change({ from: day })} />
          </Field>
          <Field label={m.reports_to()} required>
            <DateInput value={to} min={from || undefined} onChange={(day) => change({ to: day })} />
          </Field>
        </>
      )}
    </div>
  )
}
