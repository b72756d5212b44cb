import { type ReportOfLink, sharedReportNames } from '@tour-ops/contract/links/report-of-link'
import type { ReportName } from '@tour-ops/contract/reports/reports'
import { Link } from '@tanstack/react-router'
import { Share2 } from 'lucide-react'
import { m } from '../../paraglide/messages.js'
import { reportInAddress, rollingPeriods } from '../../records/report-words.ts'
import { Button, buttonClass } from '../../ui/button.tsx'
import { addDays } from '../../ui/format.ts'

interface ShareReportProps {
  name: ReportName
  period: { from: string; to: string; compare: ReportOfLink['compare'] }
  /** What is wrong with the period. */
  problem: string | undefined
  today: string
}

/** Leads to the dialog for a link of what is shown. Nothing for reports that no link shows. */
export function ShareReport({ name: shown, period: { compare, ...days }, problem, today }: ShareReportProps) {
  const name = sharedReportNames.find((each) => each === shown)
  if (!name) return null
  if (problem) {
    return (
      <Button icon={Share2} disabledReason={m.reports_correct_period()}>
        {m.reports_share()}
      </Button>
    )
  }
  const report = reportInAddress({ name, compare, period: periodOf(days, today) })
  return (
    <Link to="/tools/shared-links" search={{ create: 'open', kind: 'report', report }} className={buttonClass()}>
      <Share2 size={16} aria-hidden />
      {m.reports_share()}
    </Link>
  )
}

/** Days that end today are shared as so many until today, as they were chosen. */
function periodOf({ from, to }: { from: string; to: string }, today: string): ReportOfLink['period'] {
  const rolling = to === today ? rollingPeriods.find(({ days }) => from === addDays(today, 1 - days)) : undefined
  return rolling ? { kind: 'days', days: rolling.days } : { kind: 'dates', from, to }
}
