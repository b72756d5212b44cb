import { staffPerformance } from '@tour-ops/contract/reports/reports'
import { m } from '../../paraglide/messages.js'
import { ReportPage } from './report-page.tsx'

/** "How did the crew do?" Guides see themselves. */
export const StaffPerformancePage = () => (
  <ReportPage
    screen="/_dashboard/reports/staff-performance"
    title={m.app_title_report_staff()}
    name="staff-performance"
    callable={staffPerformance}
  />
)
