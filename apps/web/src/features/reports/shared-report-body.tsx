import type { SharedReportName } from '@tour-ops/contract/links/report-of-link'
import type { Report } from '@tour-ops/contract/reports/reports'
import { m } from '../../paraglide/messages.js'
import { Empty } from '../../ui/empty.tsx'
import { ReportBody } from './report-body.tsx'
import { reportLooks } from './report-looks.ts'

/** A report for people without an account: what its screen shows, with nothing to press. */
export const SharedReportBody = ({ name, report }: { name: SharedReportName; report: Report }) => (
  <ReportBody report={report} {...reportLooks[name]} empty={<Empty title={m.reports_empty()} />} />
)
